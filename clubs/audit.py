"""The audit log: author, time, and values before and after each change."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

import server.request_source
from boards.whist import Seat
from boards.whist.seats import Side
from clubs.errors import ClubMoved
from clubs.models import Act, Club
from server.models import User
from server.public_versions import bump_version
from server.request_source import get_request_source

COMMAND_LINE_AUTHOR = "command:"
"""The author of acts from the command line."""

INVISIBLE_ACTIONS = ("result.agreed",)
"""Acts that change nothing on a public page."""

Data = Mapping[str, Any]
"""Plain JSON values by name; never a sentence, and never a card."""


@dataclass(frozen=True, slots=True)
class Guest:
    """An author without a login, such as the phone of table "A3".

    It is stored as "table:A3", which cannot be a login because of its colon. If the page
    recorded which side of the table typed, it is "table:A3/EW".
    """

    class Kind(StrEnum):
        TABLE = "table"
        HELPER = "helper"
        PERSON = "person"  # someone with a personal link; the act has the name

    kind: Kind
    identifier: str  # the table with its section, the seat whose hands a helper types, or a key


class Subject(Protocol):
    """The protocol of an object with a history: a club, or one of its objects, as an event."""

    @property
    def audit_key(self) -> str:
        """Its kind and its permanent name within that kind: "event:tuesday-17"."""
        ...

    @property
    def club(self) -> Club:
        """The club that it belongs to."""
        ...


Actor = User | AnonymousUser | Guest | None


@dataclass(frozen=True, slots=True)
class Undo:
    """The undo data of an act: the name of its inverse, and the keyword arguments.

    Acts with a common entry in `subjects` are undone in turn, the last first. An act without an
    `inverse` cannot be undone, nor can earlier acts on the same subject. An act `waits_for`
    later acts on other subjects to be undone first: a pair waits for the opening of play.
    `kwargs` is plain JSON data, and never contains a card.
    """

    subjects: tuple[str, ...]
    inverse: str = ""
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    waits_for: tuple[str, ...] = ()


_undoing: ContextVar[list[Act] | None] = ContextVar("undoing", default=None)


@contextmanager
def mark_as_undo(act: Act) -> Iterator[None]:
    """Mark the first act inside the block as the undo of another."""
    token = _undoing.set([act])
    try:
        with server.request_source.set_request_source("undo"):
            yield
    finally:
        _undoing.reset(token)


def format_author_key(by: Actor) -> str:
    """Return the stored name of an author; without a login it is the command line."""
    if isinstance(by, Guest):
        return f"{by.kind}:{by.identifier}"
    return by.get_username() if isinstance(by, User) else COMMAND_LINE_AUTHOR


def describe_author(kept: str) -> str:
    """Return an author in words from the output of `format_author_key`: "anna", "table A3"."""
    kind, _colon, of = kept.partition(":")
    if kept == COMMAND_LINE_AUTHOR:
        return _("the command line")
    if kind == Guest.Kind.TABLE and of:
        return _describe_table(of)
    if kind == Guest.Kind.PERSON and of:
        return _("the person, on their own page")
    if kind == Guest.Kind.HELPER and of in list(Seat):
        return _("helper for %(seat)s") % {"seat": Seat(of).word}
    return kept


def _describe_table(of: str) -> str:
    table, _slash, side = of.partition("/")
    if side in list(Side):
        return _("table %(table)s, %(side)s") % {"table": table, "side": Side(side).word}
    if side:  # in a drive, where sides are letters
        return _("table %(table)s, side %(side)s") % {"table": table, "side": side}
    return _("table %(table)s") % {"table": table}


def record(
    by: Actor,
    action: str,
    *,
    subject: Subject,
    where: Data | None = None,
    before: Data | None = None,
    after: Data | None = None,
    way: str | None = None,
    back: Undo | None = None,
) -> Act:
    """Record one act as codes and data; it becomes text when the history is shown.

    `where` is the part of the subject that was changed, `before` and `after` are the old and
    new values. Hands and turn-ups must never be passed here. Cached public pages of the subject
    are invalidated. Raises ClubMoved if the club is a read-only copy.
    """
    refuse_moved(subject.club)
    if action not in INVISIBLE_ACTIONS:
        bump_version(subject.audit_key)
    undone = _undoing.get() or []
    is_undoing = any(act.about == subject.audit_key for act in undone)
    return Act.objects.create(
        at=timezone.now(),
        by=format_author_key(by),
        way=way or get_request_source(),
        action=action,
        club=subject.club.slug,
        about=subject.audit_key,
        where=dict(where or {}),
        before=dict(before or {}),
        after=dict(after or {}),
        back=_undo_data(back) if back else {},
        undoes=undone.pop() if is_undoing else None,
    )


def _undo_data(back: Undo) -> dict[str, Any]:
    """Return undo data as the history stores it; the keys must not change."""
    return {
        "about": list(back.subjects),
        "call": back.inverse,
        "given": dict(back.kwargs),
        "waits_for": list(back.waits_for),
    }


def refuse_moved(club: Club) -> None:
    """Raise ClubMoved if a club has moved to another machine and is read-only here."""
    if club.moved_to:
        words = _("%(club)s has moved to %(to)s. Here nothing of it is altered any more.")
        raise ClubMoved(words % {"club": club.name, "to": club.moved_to})


def list_acts(subject: Subject) -> QuerySet[Act]:
    """List the acts on a club or on one of its objects, newest first.

    The acts on a club's events are only in the events' own histories.
    """
    return Act.objects.filter(about=subject.audit_key)
