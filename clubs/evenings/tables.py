"""The interface between the page of a table's link and the kinds of tables.

Each app with tables defines one `TableKind`. The only page for table links,
`clubs.views.tables.show_table`, gets all of them as an argument.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.functional import Promise

from boards.whist import WhistError
from clubs.audit import GuestAuthor
from clubs.models import DirectorCall, Evening, TableLink

HAS_NO_OPEN_CHECK_IN = ~Q(evening__check_in_state=Evening.CheckInState.OPEN)
"""The condition for table links of evenings where people do not check in at the moment."""


@dataclass(frozen=True, slots=True)
class RequestResult:
    """The result of processing a phone's request.

    `response_state` contains the data for the response, or None if they must be loaded.
    `error` is shown although the input was stored.
    """

    response_state: Any = None
    error: WhistError | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TableState:
    """The fields that all kinds of table pages share in the JSON data that their scripts poll.

    `called` is the time of the table's unanswered call for the director (ISO 8601). `coming`
    is True if a director accepted it a moment ago.
    """

    table: str | int  # 13, or "A13" if there are several sections
    state: str  # the state of the evening's activity
    called: str
    coming: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TableKind:
    """The functions and templates of one kind of table page.

    * `find_links` returns a queryset of the link with a token, valid or not, with the related
      rows that the page needs. It is empty for a table of another kind. A table has one kind at
      a time.
    * `locked_row_lookup` is the lookup, relative to the link, of the row to lock for a change.
    * `process_request` handles a phone's request in a transaction, and raises WhistError.
    * `build_data` returns the page as JSON data from the `response_state` of the request's
      result. It is None for pages without a script.
    * `render_page` renders the page, with an error message if there is one.
    * `closed_template` and `build_closed_context` render a closed page.
    """

    find_links: Callable[[str], QuerySet[TableLink]]
    locked_row_lookup: str
    is_over: Callable[[TableLink], bool]
    process_request: Callable[[TableLink, QueryDict], RequestResult]
    build_data: Callable[[TableLink, Any], Mapping[str, object]] | None
    render_page: Callable[[HttpRequest, TableLink, WhistError | None], HttpResponse]
    build_closed_context: Callable[[TableLink], Mapping[str, object]]
    closed_template: str
    closed_message: Promise
    revoked_message: Promise


def build_table_author(
    table_label: str, side_code: str = "", *, sides: Iterable[str] = ()
) -> GuestAuthor:
    """Return the author of acts from a table's phone; `table_label` is the displayed name.

    `side_code` is included if it is one of the `sides` of that table.
    """
    return GuestAuthor(
        GuestAuthor.Kind.TABLE,
        f"{table_label}/{side_code}" if side_code in list(sides) else table_label,
    )


def get_author_side(stored_author: str) -> str:
    """Return the side of the table that a stored author names.

    The result is "table" if the side is unknown, and "desk" for any author but a table's
    phone.
    """
    author_kind, _colon, identifier = stored_author.partition(":")
    return (
        (identifier.partition("/")[2] or "table")
        if author_kind == GuestAuthor.Kind.TABLE
        else "desk"
    )


def format_call_time(call: DirectorCall | None) -> str:
    """Return the time of an unanswered call for the director (ISO 8601), or ""."""
    return call.at.isoformat() if call and call.answered_at is None else ""
