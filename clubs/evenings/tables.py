"""The interface between a table's page and the kinds of tables.

The app of a kind defines one `TableKind`. The caller that joins the kinds passes all of them to
`clubs.views.tables.show_table`, the only page behind a table's link.
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
class RequestResult:
    """The result of a phone's request.

    `state` is the data of the next page; None if it must be read again. `problem` is shown
    although the input was stored.
    """

    state: Any = None
    problem: WhistError | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TableState:
    """The data that all kinds of table pages share, which a script polls as JSON.

    `called` is the time of the table's open call for the director (ISO 8601), and `coming` is
    whether a director accepted it a moment ago.
    """

    table: str | int  # as players know it: 13, in one of several sections "A13"
    state: str  # of the evening's activity
    called: str
    coming: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TableKind:
    """The implementation of one kind of table page; each function takes a link.

    `find_links` queries the link of a token, valid or not, with its evening, club and page
    data; the result is empty for another kind of table. `lock_lookup` is the lookup of the row
    that is locked for a change. `process_request` handles a phone's request in a transaction
    and raises WhistError. `build_data` returns the page as data, from the state that
    `process_request` has returned; it is None for a page without data. `render_page` renders
    the page, with a problem if there is one. `closed_template` is the template of a closed
    page, and `build_closed_context` returns its context.
    """

    find_links: Callable[[str], QuerySet[TableLink]]
    lock_lookup: str
    is_over: Callable[[TableLink], bool]
    process_request: Callable[[TableLink, QueryDict], RequestResult]
    build_data: Callable[[TableLink, Any], Mapping[str, object]] | None
    render_page: Callable[[HttpRequest, TableLink, WhistError | None], HttpResponse]
    build_closed_context: Callable[[TableLink], Mapping[str, object]]
    closed_template: str
    closed_message: Promise
    revoked_message: Promise


def build_table_guest(table: str, side: str = "", *, sides: Iterable[str] = ()) -> Guest:
    """Return the name under which a table's acts are stored, as players know the table.

    `side` is added if it is one of the `sides` that a table has.
    """
    return Guest(Guest.Kind.TABLE, f"{table}/{side}" if side in list(sides) else table)


def get_author_side(by: str) -> str:
    """Return who entered a value: a side; "table" if the side is unknown; or "desk"."""
    kind, _colon, of = by.partition(":")
    return (of.partition("/")[2] or "table") if kind == Guest.Kind.TABLE else "desk"


def format_call_time(call: DirectorCall | None) -> str:
    """Return the time of a table's unanswered call for the director: ISO 8601, or ""."""
    return call.at.isoformat() if call and call.answered_at is None else ""
