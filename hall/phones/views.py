"""The page of a session's table on a phone, which the views in `clubs.views.tables` show."""

from dataclasses import asdict, dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from boards.whist import Suit, WhistError
from clubs.evenings.tables import TableKind
from clubs.models import TableLink
from hall.phones import services
from hall.phones.table_page import (
    TableBoard,
    TablePage,
    TableRound,
    build_page_data,
    load_table_page,
)
from tournaments.event_access import EventAccess


@dataclass(frozen=True, slots=True)
class TableSelection:
    """The part of a table's page to show: a round, one of its boards, and the input mode."""

    round: TableRound
    board: TableBoard | None
    mode: str  # "enter", "confirm", "done", "turn" (move to the next round), "idle", "over"

    @property
    def side(self) -> str:
        """The side that types now: N-S, or the side that confirms; empty if neither."""
        if self.board is None or not self.board.mark:
            return "NS"
        return self.board.confirming_side if self.board.awaits else ""

    @property
    def next_board(self) -> int:
        """The first board of the round that is not done; 0 if all are done."""
        return next((board.board for board in self.round.boards if not board.is_done), 0)

    @property
    def has_moves(self) -> bool:
        """Whether the page shows the moves to the next round."""
        return self.mode in ("done", "turn", "idle") and bool(self.round.moves)


def _build_link_context(link: TableLink) -> dict[str, object]:
    return EventAccess.for_session(link.evening.session).context


def _render_table(
    request: HttpRequest, link: TableLink, problem: WhistError | None
) -> HttpResponse:
    page, event = load_table_page(link), link.evening.session.event
    if not page.rounds:  # no movement yet, or one with fewer tables than QR codes
        context = _build_link_context(link) | {"detail": gettext("No one plays at this table.")}
        return render(request, "hall/table_gone.html", context)
    context = _build_link_context(link) | {
        "club": event.club.name,
        "page": page,
        "data": asdict(page),
        "chosen": _parse_selection(request, page),
        "tricks": range(14),
        "suits": tuple(Suit) if event.has_declared_trumps else (),
        "problem": str(problem) if problem else "",
    }
    return render(request, "hall/table.html", context, status=400 if problem else 200)


def _parse_selection(request: HttpRequest, page: TablePage) -> TableSelection:
    """Return the round and board in the query string, by default the first board not done."""
    requested_round_text = request.GET.get("round", "")
    shown_round = next(
        (
            table_round
            for table_round in page.rounds
            if str(table_round.round) == requested_round_text
        ),
        page.rounds[0],
    )
    if not shown_round.is_played:
        return TableSelection(shown_round, None, "idle")
    requested_board_text = request.GET.get("board", "")
    board = next(
        (
            table_board
            for table_board in shown_round.boards
            if str(table_board.board) == requested_board_text
        ),
        None,
    )
    if board is None:
        board = next(
            (table_board for table_board in shown_round.boards if not table_board.is_done), None
        )
    if board is None:
        return TableSelection(shown_round, None, "over" if page.is_over else "turn")
    return TableSelection(
        shown_round, board, _choose_mode(board, bool(request.GET.get("again")))
    )


def _choose_mode(board: TableBoard, is_reentry: bool) -> str:
    if is_reentry or not (board.mark or board.ruled):
        return "enter"
    return "confirm" if board.awaits else "done"


EVENT_TABLE_KIND = TableKind(
    find_links=services.query_session_links,
    locked_row_lookup="evening__session",
    is_over=services.is_session_closed,
    process_request=services.process_request,
    build_data=build_page_data,
    render_page=_render_table,
    build_closed_context=_build_link_context,
    closed_template="hall/table_gone.html",
    closed_message=_("The session is closed. Thank you for your scores."),
    revoked_message=_("This QR code was cancelled. Ask the director for a new one."),
)
