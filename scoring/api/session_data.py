"""API: boards, results and cards: public ones for everyone, all results for scorers."""

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from boards.whist import Suit
from clubs import access
from scoring import page_loaders
from scoring.api.serializers import (
    BoardAnswer,
    CardAnswer,
    ResultAnswer,
    SittingAnswer,
    TravellerAnswer,
    build_deal_data,
    build_result_data,
)
from scoring.secrecy import can_see_results, can_see_standings
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_scorecard, load_traveller, load_travellers
from scoring.sheets.values import Traveller
from server.api.endpoints import describe_operation, endpoint, paginate


@describe_operation("GET", "sittings", SittingAnswer, paged=True)
@endpoint("GET")
def sittings(request: Request, slug: str, number: int) -> Response:
    """List who sits where with which boards, round by round; results are put by these ids."""
    snapshot, _all = _load_session(request, slug, number)
    return paginate(request, snapshot.tables, SittingAnswer)


@describe_operation("GET", "results", ResultAnswer, paged=True)
@endpoint("GET")
def results(request: Request, slug: str, number: int) -> Response:
    """List the results: of boards that nobody may still play, and all of them for a scorer."""
    snapshot, can_see_all = _load_session(request, slug, number)
    rows = [
        build_result_data(result)
        for table in snapshot.tables
        for board in table.boards
        if (result := snapshot.find_result(table, board))
        and (can_see_all or can_see_results(snapshot, board))
    ]
    return paginate(request, rows, ResultAnswer)


@describe_operation("GET", "travellers", TravellerAnswer, paged=True)
@endpoint("GET")
def travellers_of(request: Request, slug: str, number: int) -> Response:
    """List the boards with every result that may be seen."""
    snapshot, can_see_all = _load_session(request, slug, number)
    rows = [
        _build_traveller(sheet) for sheet in load_travellers(snapshot, all_results=can_see_all)
    ]
    return paginate(request, rows, TravellerAnswer)


@describe_operation("GET", "traveller", TravellerAnswer)
@endpoint("GET")
def traveller_of(request: Request, slug: str, number: int, board: int) -> Response:
    """Show one board with every result that may be seen."""
    snapshot, can_see_all = _load_session(request, slug, number)
    sheet = load_traveller(snapshot, board, all_results=can_see_all)
    if sheet is None:
        raise exceptions.NotFound(
            _("This session has no board %(number)s.") % {"number": board}
        )
    return Response(TravellerAnswer(_build_traveller(sheet)).data)


@describe_operation("GET", "card", CardAnswer)
@endpoint("GET")
def card(request: Request, slug: str, number: int, entry: int) -> Response:
    """Show all that one entry did in a session, board by board."""
    snapshot, can_see_all = _load_session(request, slug, number)
    event = snapshot.session.event
    entry_row = get_object_or_404(event.entries.select_related("event__club"), number=entry)
    is_rank_shown = can_see_all or can_see_standings(event)
    table = load_rank_table(event, all_results=can_see_all) if is_rank_shown else None
    return Response(
        CardAnswer(load_scorecard(snapshot, entry_row, table, all_results=can_see_all)).data
    )


def boards_of(request: Request, slug: str, number: int) -> Response:
    """List a session's boards; with hands and turn-ups once it is closed."""
    snapshot, _all = _load_session(request, slug, number)
    return paginate(
        request, [_build_board(sheet) for sheet in load_travellers(snapshot)], BoardAnswer
    )


def _load_session(request: Request, slug: str, number: int) -> tuple[SessionSnapshot, bool]:
    """Read a session; return also whether the caller may see results of boards in play."""
    visit = page_loaders.public_event(slug).at(number)
    event = visit.event
    snapshot = load_session_snapshot(page_loaders.load_session(visit))
    return snapshot, access.can_score(request.user, event.club)


def _build_traveller(sheet: Traveller) -> dict[str, Any]:
    return _build_board(sheet) | {"ns_average": sheet.ns_average, "lines": sheet.lines}


def _build_second_suits(second: Mapping[Suit, Suit] | None) -> dict[str, str] | None:
    return {first.value: suit.value for first, suit in second.items()} if second else None


def _build_board(sheet: Traveller) -> dict[str, Any]:
    return {
        "board": sheet.board,
        "dealer": sheet.dealer.value,
        **build_deal_data(sheet.deal),
        "second_suits": _build_second_suits(sheet.second_suits),
        "best_tricks": sheet.best_tricks,
        "best_by_suit": {suit.value: tricks for suit, tricks in sheet.best_by_suit} or None,
    }
