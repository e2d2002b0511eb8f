"""The page of a table's phone: what each kind of table gives for it.

The room of a kind makes one `TableKind`; the caller that joins the kinds passes all of them to
`clubs.views.tables.table`, the only page behind a table's link.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.functional import Promise

from boards.whist import WhistError
from clubs.audit import Guest
from clubs.models import DirectorCall, TableLink


@dataclass(frozen=True, slots=True)
class Taken:
    """The outcome of what a phone sent.

    `state` is what the page is drawn from next; None where it must be read again. `problem` is
    shown although what was sent is stored.
    """

    state: Any = None
    problem: WhistError | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TableState:
    """The part of a table's page that every kind of table has; a script polls it as JSON.

    `called` is when the table called the director, while no one has answered (ISO 8601), and
    `coming` says that someone has answered a moment ago.
    """

    table: str | int  # as players know it: 13, in one of several sections "A13"
    state: str  # of the evening's activity
    called: str
    coming: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TableKind:
    """What a room gives for the phones of its tables; each function is about one link.

    `links` queries the link of a secret, live or not, with its evening, club and what its page
    needs; it is empty for another kind of table. `locks` is the path to the row that is locked
    for a change. `take` does what a phone sends; it is called in a transaction and raises
    WhistError. `read` returns the page as data, from the state that `take` has returned; it is
    None if the page has no data. `show` draws the page, with a problem if there is one. `gone`
    is the template of a page that is closed, and `frame` its context.
    """

    links: Callable[[str], QuerySet[TableLink]]
    locks: str
    is_over: Callable[[TableLink], bool]
    take: Callable[[TableLink, QueryDict], Taken]
    read: Callable[[TableLink, Any], Mapping[str, object]] | None
    show: Callable[[HttpRequest, TableLink, WhistError | None], HttpResponse]
    frame: Callable[[TableLink], Mapping[str, object]]
    gone: str
    over_words: Promise
    withdrawn_words: Promise


def guest_at(table: str, side: str = "", *, sides: Iterable[str] = ()) -> Guest:
    """Return the name under which acts of a table are stored, as players know the table.

    `side` is added if it is one of the `sides` that a table has.
    """
    return Guest(Guest.Kind.TABLE, f"{table}/{side}" if side in list(sides) else table)


def sayer_of(by: str) -> str:
    """Say who entered a value: a side; "table" if it is not known which; or "desk"."""
    kind, _colon, of = by.partition(":")
    return (of.partition("/")[2] or "table") if kind == Guest.Kind.TABLE else "desk"


def called_at(call: DirectorCall | None) -> str:
    """Say when a table has called the director, while no one has answered: ISO 8601, or ""."""
    return call.at.isoformat() if call and call.answered_at is None else ""
