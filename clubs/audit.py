"""The audit log: who changed something, when, and the values before and after the change."""

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
"""The stored author of acts from the command line."""

INVISIBLE_ACTIONS = ("result.agreed",)
"""The action codes of acts that change nothing on a public page."""

AuditData = Mapping[str, Any]
"""A JSON object for the audit log, which must never contain translated text or cards."""


@dataclass(frozen=True, slots=True)
class GuestAuthor:
    """An author without a login, such as the phone of table "A3".

    The stored form is "table:A3", or "table:A3/EW" if the side that entered the value is known.
    The colon distinguishes a guest from a login name.
    """

    class Kind(StrEnum):
        TABLE = "table"
        HELPER = "helper"
        PERSON = "person"  # the user of a personal link; the act stores the person's name

    author_kind: Kind
    identifier: str  # "A3" for a table, the seat for a helper, the key for a person


class AuditSubject(Protocol):
    """The protocol of an object with an audit history, such as a club or an event."""

    @property
    def audit_key(self) -> str:
        """The permanent key in the audit log, made of the kind and slug: "event:tuesday-17"."""
        ...

    @property
    def club(self) -> Club:
        """The club to which the object belongs."""
        ...


Actor = User | AnonymousUser | GuestAuthor | None


@dataclass(frozen=True, slots=True)
class Undo:
    """The data with which an act can be undone: the name of its inverse, and the arguments.

    Acts that share an entry in `subjects` can only be undone in reverse order. An act without
    an `inverse_name` cannot be undone, and blocks the undo of earlier acts on its subjects.
    `waits_for` lists other subjects whose later acts must be undone first. `kwargs` are JSON
    values, without any cards.
    """

    subjects: tuple[str, ...]
    inverse_name: str = ""
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    waits_for: tuple[str, ...] = ()


_acts_being_undone: ContextVar[list[Act] | None] = ContextVar("undoing", default=None)


@contextmanager
def mark_act_as_undo(act: Act) -> Iterator[None]:
    """Mark an act that the `with` block records as the undo of `act`.

    The mark is set on the first recorded act with the same subject as `act`.
    """
    token = _acts_being_undone.set([act])
    try:
        with server.request_source.set_request_source("undo"):
            yield
    finally:
        _acts_being_undone.reset(token)


def format_author_key(by: Actor) -> str:
    """Return the stored name of an author; None or an anonymous user means the command line."""
    if isinstance(by, GuestAuthor):
        return f"{by.author_kind}:{by.identifier}"
    return by.get_username() if isinstance(by, User) else COMMAND_LINE_AUTHOR


def describe_author(stored_author: str) -> str:
    """Return the display name for a stored author: "anna", or "table A3" for "table:A3"."""
    author_kind, _colon, identifier = stored_author.partition(":")
    if stored_author == COMMAND_LINE_AUTHOR:
        return _("the command line")
    if author_kind == GuestAuthor.Kind.TABLE and identifier:
        return _describe_table_author(identifier)
    if author_kind == GuestAuthor.Kind.PERSON and identifier:
        return _("the player, on their own page")
    if author_kind == GuestAuthor.Kind.HELPER and identifier in list(Seat):
        return _("helper for %(seat)s") % {"seat": Seat(identifier).word}
    return stored_author


def _describe_table_author(identifier: str) -> str:
    table_label, _slash, side_code = identifier.partition("/")
    if side_code in list(Side):
        return _("table %(table)s, %(side)s") % {
            "table": table_label,
            "side": Side(side_code).word,
        }
    if side_code:  # the sides of a drive are letters
        return _("table %(table)s, side %(side)s") % {"table": table_label, "side": side_code}
    return _("table %(table)s") % {"table": table_label}


def record(
    by: Actor,
    action: str,
    *,
    subject: AuditSubject,
    where: AuditData | None = None,
    before: AuditData | None = None,
    after: AuditData | None = None,
    way: str | None = None,
    undo: Undo | None = None,
) -> Act:
    """Record one act in the audit log and invalidate the cached public pages of its subject.

    `where` names the changed part of the subject; `before` and `after` are its old and new
    values. `way` is the source of the change, by default that of the current request. `undo`
    describes how the act can be undone. Hands and turn-ups must never be passed. Raises
    ClubMoved if the club is a read-only copy.
    """
    check_not_moved(subject.club)
    if action not in INVISIBLE_ACTIONS:
        bump_version(subject.audit_key)
    undone_acts = _acts_being_undone.get() or []
    is_undoing = any(act.about == subject.audit_key for act in undone_acts)
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
        back=_serialize_undo(undo) if undo else {},
        undoes=undone_acts.pop() if is_undoing else None,
    )


def _serialize_undo(undo: Undo) -> dict[str, Any]:
    """Return undo data as JSON; the keys must not change, because stored acts use them."""
    return {
        "about": list(undo.subjects),
        "call": undo.inverse_name,
        "given": dict(undo.kwargs),
        "waits_for": list(undo.waits_for),
    }


def check_not_moved(club: Club) -> None:
    """Raise ClubMoved if a club has moved to another machine, which makes it read-only here."""
    if club.moved_to:
        message = _("%(club)s has moved to %(to)s. This copy is read-only.")
        raise ClubMoved(message % {"club": club.name, "to": club.moved_to})


def list_acts(subject: AuditSubject) -> QuerySet[Act]:
    """Return the acts on a club, or on one object of a club, newest first.

    The acts on a club do not include those on its events.
    """
    return Act.objects.filter(about=subject.audit_key)
