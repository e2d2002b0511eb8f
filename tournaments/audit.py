"""Who did what, when, from what to what."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.utils import timezone

from tournaments.models import AuditEntry, Club, Event

COMMAND_LINE = "the command line"


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody without a login, by the name under which the acts are remembered: "table 3"."""

    name: str


Actor = User | AnonymousUser | Guest | None

_way = ContextVar("way", default="pages")


@contextmanager
def way(name: str) -> Iterator[None]:
    """Remember by what way the acts inside come: the pages, unless another is named."""
    token = _way.set(name)
    try:
        yield
    finally:
        _way.reset(token)


def name_of(by: Actor) -> str:
    """The name under which an act is remembered; nobody signed in means the command line."""
    if isinstance(by, Guest):
        return by.name
    return by.get_username() if isinstance(by, User) else COMMAND_LINE


def record(
    by: Actor,
    action: str,
    *,
    club: Club,
    event: Event | None = None,
    subject: str = "",
    before: object = "",
    after: object = "",
    via: str | None = None,
) -> AuditEntry:
    """Write down one act; hands and turn-ups must never be passed here."""
    return AuditEntry.objects.create(
        at=timezone.now(),
        by=name_of(by),
        via=via or _way.get(),
        action=action,
        club=club.slug,
        event=event.slug if event else "",
        subject=subject[:200],
        before=str(before),
        after=str(after),
    )


def history(event: Event) -> QuerySet[AuditEntry]:
    """List what was done to an event, newest first."""
    return AuditEntry.objects.filter(event=event.slug)
