"""Who did what, when, from what to what."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
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
from server.request_source import current_request_source

COMMAND_LINE = "command:"
"""What stands for the command line where an act keeps who did it."""

UNSEEN = ("result.agreed",)
"""Acts that alter nothing on a page for everybody."""

Data = Mapping[str, Any]
"""Plain values by their names, as JSON keeps them; never a sentence, and never a card."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody without a login, by what the acts remember: the phone of table "A3".

    A login has no colon, so "table:A3" is nobody's. Where the page asked one side of the table
    it is "table:A3/EW", so that what was typed can be told by who typed it.
    """

    class Kind(StrEnum):
        TABLE = "table"
        HELPER = "helper"
        PERSON = "person"  # somebody at an address of his own; the act says who

    kind: Kind
    of: str  # the table with its section, the seat whose hands a helper types, or a key


class Subject(Protocol):
    """What has a history: a club, and whatever belongs to one, such as an event."""

    @property
    def audit_key(self) -> str:
        """Its kind and its name within that kind, for ever: "event:tuesday-17"."""
        ...

    @property
    def club(self) -> Club:
        """The club that it belongs to."""
        ...


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
def undo(act: Act) -> Iterator[None]:
    """Remember the first act inside as the undoing of another."""
    token = _undoing.set([act])
    try:
        with server.request_source.request_source("undo"):
            yield
    finally:
        _undoing.reset(token)


def name_of(by: Actor) -> str:
    """What an act keeps of who did it; nobody signed in means the command line."""
    if isinstance(by, Guest):
        return f"{by.kind}:{by.of}"
    return by.get_username() if isinstance(by, User) else COMMAND_LINE


def who(kept: str) -> str:
    """Say who did something, from what `name_of` has kept: "anna", "table A3"."""
    kind, _colon, of = kept.partition(":")
    if kept == COMMAND_LINE:
        return _("the command line")
    if kind == Guest.Kind.TABLE and of:
        return _table(of)
    if kind == Guest.Kind.PERSON and of:
        return _("the person, on their own page")
    if kind == Guest.Kind.HELPER and of in list(Seat):
        return _("helper for %(seat)s") % {"seat": Seat(of).word}
    return kept


def _table(of: str) -> str:
    table, _slash, side = of.partition("/")
    if side in list(Side):
        return _("table %(table)s, %(side)s") % {"table": table, "side": Side(side).word}
    if side:  # of a drive, where sides are letters
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
    back: Back | None = None,
) -> Act:
    """Write down one act as codes and data; the words are made when the history is read.

    `where` says which part of the subject it was done to, `before` and `after` what stood
    there and what stands there now. Hands and turn-ups must never be passed here. What
    everybody may see of the subject is drawn anew. Raises ClubMoved where the club only rests
    here.
    """
    refuse_moved(subject.club)
    if action not in UNSEEN:
        bump_version(subject.audit_key)
    undone = _undoing.get() or []
    is_undoing = any(act.about == subject.audit_key for act in undone)
    return Act.objects.create(
        at=timezone.now(),
        by=name_of(by),
        way=way or current_request_source(),
        action=action,
        club=subject.club.slug,
        about=subject.audit_key,
        where=dict(where or {}),
        before=dict(before or {}),
        after=dict(after or {}),
        back=asdict(back) if back else {},
        undoes=undone.pop() if is_undoing else None,
    )


def refuse_moved(club: Club) -> None:
    """Raise ClubMoved where a club has moved to another machine: nothing of it changes here."""
    if club.moved_to:
        words = _("%(club)s has moved to %(to)s. Here nothing of it is altered any more.")
        raise ClubMoved(words % {"club": club.name, "to": club.moved_to})


def history(subject: Subject) -> QuerySet[Act]:
    """List what was done to a club or to something of its own, newest first.

    What was done to a club's events stands in theirs.
    """
    return Act.objects.filter(about=subject.audit_key)
