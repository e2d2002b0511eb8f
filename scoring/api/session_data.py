"""The API of boards, results and scorecards: public data, and all results for scorers."""

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from boards.whist import Suit
from clubs import permissions
from scoring import page_loaders
from scoring.api.serializers import (
    BoardSerializer,
    ResultSerializer,
    ScorecardSerializer,
    SittingSerializer,
    TravellerSerializer,
    build_deal_data,
    build_result_data,
)
from scoring.secrecy import can_see_results, can_see_standings
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_scorecard, load_traveller, load_travellers
from scoring.sheets.values import Traveller
from server.api.endpoints import describe_operation, endpoint, paginate


@describe_operation("GET", "sittings", SittingSerializer, is_paginated=True)
@endpoint("GET")
def sitting_list(request: Request, slug: str, number: int) -> Response:
    """List the sittings by round, with their boards; results are recorded by these ids."""
    snapshot, _can_see_all_results = _load_session(request, slug, number)
    return paginate(request, snapshot.tables, SittingSerializer)


@describe_operation("GET", "results", ResultSerializer, is_paginated=True)
@endpoint("GET")
def result_list(request: Request, slug: str, number: int) -> Response:
    """List the results of boards that no one may still play; for scorers all results."""
    snapshot, can_see_all_results = _load_session(request, slug, number)
    result_data = [
        build_result_data(result)
        for table in snapshot.tables
        for board_number in table.boards
        if (result := snapshot.find_result(table, board_number))
        and (can_see_all_results or can_see_results(snapshot, board_number))
    ]
    return paginate(request, result_data, ResultSerializer)


@describe_operation("GET", "travellers", TravellerSerializer, is_paginated=True)
@endpoint("GET")
def traveller_list(request: Request, slug: str, number: int) -> Response:
    """List the boards with all results that may be seen."""
    snapshot, can_see_all_results = _load_session(request, slug, number)
    traveller_data = [
        _build_traveller_data(traveller)
        for traveller in load_travellers(
            snapshot, should_include_hidden_results=can_see_all_results
        )
    ]
    return paginate(request, traveller_data, TravellerSerializer)


@describe_operation("GET", "traveller", TravellerSerializer)
@endpoint("GET")
def traveller_detail(request: Request, slug: str, number: int, board: int) -> Response:
    """Return one board with all results that may be seen."""
    snapshot, can_see_all_results = _load_session(request, slug, number)
    traveller = load_traveller(
        snapshot, board, should_include_hidden_results=can_see_all_results
    )
    if traveller is None:
        raise exceptions.NotFound(
            _("This session has no board %(number)s.") % {"number": board}
        )
    return Response(TravellerSerializer(_build_traveller_data(traveller)).data)


@describe_operation("GET", "card", ScorecardSerializer)
@endpoint("GET")
def scorecard_detail(request: Request, slug: str, number: int, entry: int) -> Response:
    """Return one entry's scorecard of a session, board by board."""
    snapshot, can_see_all_results = _load_session(request, slug, number)
    event = snapshot.session.event
    scorecard_entry = get_object_or_404(
        event.entries.select_related("event__club"), number=entry
    )
    is_rank_shown = can_see_all_results or can_see_standings(event)
    rank_table = (
        load_rank_table(event, should_include_hidden_results=can_see_all_results)
        if is_rank_shown
        else None
    )
    return Response(
        ScorecardSerializer(
            load_scorecard(
                snapshot,
                scorecard_entry,
                rank_table,
                should_include_hidden_results=can_see_all_results,
            )
        ).data
    )


def list_boards(request: Request, slug: str, number: int) -> Response:
    """List a session's boards, with hands and turn-ups once it is closed."""
    snapshot, _can_see_all_results = _load_session(request, slug, number)
    return paginate(
        request,
        [_build_board_data(traveller) for traveller in load_travellers(snapshot)],
        BoardSerializer,
    )


def _load_session(
    request: Request, slug: str, session_number: int
) -> tuple[SessionSnapshot, bool]:
    """Load a session, and return also whether the login may see results of boards in play."""
    access = page_loaders.load_public_event(slug).with_session(session_number)
    event = access.event
    snapshot = load_session_snapshot(page_loaders.load_session(access))
    return snapshot, permissions.can_score(request.user, event.club)


def _build_traveller_data(traveller: Traveller) -> dict[str, Any]:
    return _build_board_data(traveller) | {
        "ns_average": traveller.ns_average,
        "lines": traveller.lines,
    }


def _build_second_suits_data(
    second_suit_by_suit: Mapping[Suit, Suit] | None,
) -> dict[str, str] | None:
    return (
        {
            first_play_suit.value: second_play_suit.value
            for first_play_suit, second_play_suit in second_suit_by_suit.items()
        }
        if second_suit_by_suit
        else None
    )


def _build_board_data(traveller: Traveller) -> dict[str, Any]:
    return {
        "board": traveller.board,
        "dealer": traveller.dealer.value,
        **build_deal_data(traveller.deal),
        "second_suits": _build_second_suits_data(traveller.second_suits),
        "best_tricks": traveller.best_ns_tricks,
        "best_by_suit": {suit.value: tricks for suit, tricks in traveller.best_by_suit} or None,
    }
