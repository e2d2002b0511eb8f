"""Who did what, when, from what to what."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone

from clubs.models import Act, Club
from server.models import User
from server.ways import current_way, way

COMMAND_LINE = "the command line"


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody without a login, by the name under which the acts are remembered: "table 3"."""

    name: str


class Subject(Protocol):
    """What has a history of its own besides its club's, such as an event."""

    @property
    def slug(self) -> str: ...


Actor = User | AnonymousUser | Guest | None


@dataclass(frozen=True, slots=True)
class Back:
    """What takes an act back: the name of its inverse, and what that is called with.

    Acts `about` the same thing go back in turn, the last first. Without a `call` the act
    stands, and those before it with it. It also `waits_for` what was done later to other
    things, as a pair waits for the opening of play. `given` is plain data, and never a card.
    """

    about: tuple[str, ...]
    call: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    waits_for: tuple[str, ...] = ()


_undoing: ContextVar[list[Act] | None] = ContextVar("undoing", default=None)


@contextmanager
def taking_back(act: Act) -> Iterator[None]:
    """Remember the first act inside as the undoing of another."""
    token = _undoing.set([act])
    try:
        with way("undo"):
            yield
    finally:
        _undoing.reset(token)


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
    event: Subject | None = None,
    subject: str = "",
    before: object = "",
    after: object = "",
    via: str | None = None,
    back: Back | None = None,
) -> Act:
    """Write down one act; hands and turn-ups must never be passed here."""
    slug = event.slug if event else ""
    undone = _undoing.get() or []
    is_undoing = any(act.event == slug for act in undone)
    return Act.objects.create(
        at=timezone.now(),
        by=name_of(by),
        via=via or current_way(),
        action=action,
        club=club.slug,
        event=slug,
        subject=subject[:200],
        before=str(before),
        after=str(after),
        back=asdict(back) if back else {},
        undoes=undone.pop() if is_undoing else None,
    )


def club_history(club: Club) -> QuerySet[Act]:
    """List what was done to a club besides its events, newest first."""
    return Act.objects.filter(club=club.slug, event="")


def history(event: Subject) -> QuerySet[Act]:
    """List what was done to an event, newest first."""
    return Act.objects.filter(event=event.slug)
