"""API views of rounds, scores and prizes: the next round, a table score, a card total."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import permissions
from clubs.activities.secrecy import format_public_name
from drives import drive_access, services, visibility
from drives.api.drives import build_current_round_data
from drives.api.serializers import (
    AwardSerializer,
    CurrentRoundSerializer,
    CutWinnersSerializer,
    DriveRoundSerializer,
    DriveStandingsSerializer,
    EnteredSheetSerializer,
    EnteredTotalSerializer,
    NextRoundSerializer,
    PointsSerializer,
    PrizeListSerializer,
    SheetEntrySerializer,
    TotalEntrySerializer,
    TotalsCheckSerializer,
)
from drives.contract_words import load_contract_name_style, load_drive_points_table
from drives.errors import InvalidHand
from drives.games.explaining import explain_hand
from drives.games.output import build_game_data
from drives.hand_points import settle_stored_hand
from drives.models import Drive, Seat
from drives.scores.terms import parse_score_terms
from drives.sheets.standing import build_drive_standings, build_totals_report, list_awards
from drives.snapshot import DriveSnapshot, RoundSnapshot, load_drive_snapshot
from server.api.endpoints import describe_operation, endpoint, validate_body
from server.errors import PageNotFound
from server.numbers import parse_whole_number


def _is_staff(request: Request, drive: Drive) -> bool:
    return permissions.can_score(request.user, drive.club)


@describe_operation("GET", "drive_rounds", DriveRoundSerializer(many=True))
@describe_operation("POST", "drive_next", CurrentRoundSerializer, request=NextRoundSerializer)
@endpoint("GET", "POST")
def list_or_begin_rounds(request: Request, slug: str) -> Response:
    """List the rounds with their seats, or begin the next one.

    Scores are null as long as the reader may not see the standings.
    """
    if request.method == "POST":
        drive = drive_access.load_director_drive_access(request, slug).drive
        input_data = validate_body(NextRoundSerializer, request)
        winner_by_table = {
            _parse_table_number(number_text): side
            for number_text, side in input_data.pop("winners", {}).items()
        }
        services.begin_next_round(
            drive=drive,
            shown_round_number=input_data.get("at"),
            winners_by_table=winner_by_table,
            ranked_players=input_data.get("standing", ()),
            by=request.user,
        )
    snapshot = load_drive_snapshot(drive_access.load_public_drive_access(slug).drive)
    if request.method == "POST":
        return Response(build_current_round_data(snapshot))
    are_scores_visible = visibility.can_players_see_standings(snapshot) or _is_staff(
        request, snapshot.drive
    )
    rounds = [
        _build_round(snapshot, round_, are_scores_visible=are_scores_visible)
        for round_ in snapshot.round_by_number.values()
    ]
    return Response(DriveRoundSerializer(rounds, many=True).data)


def _parse_table_number(number_text: str) -> int:
    return parse_whole_number(number_text, maximum=99_999) or 0


def _build_round(
    snapshot: DriveSnapshot, round_: RoundSnapshot, *, are_scores_visible: bool
) -> dict[str, Any]:
    tables = []
    for table_number, seats in round_.seats_by_table.items():
        score, extra_points = round_.compute_table_score(table_number)
        tables.append(
            {
                "table": table_number,
                "seats": list(seats),
                "score": list(score) if are_scores_visible else None,
                "extras": list(extra_points) if are_scores_visible else None,
                "entered": round_.count_hands_entered(table_number, snapshot.drive.hands),
            }
            | _build_hands(
                snapshot, round_, table_number, are_scores_visible=are_scores_visible
            )
        )
    return {
        "round": round_.number,
        "trumps": round_.stored_round.trumps,
        "tables": tables,
        "rest": list(round_.resting_players),
    }


def _build_hands(
    snapshot: DriveSnapshot,
    round_: RoundSnapshot,
    table_number: int,
    *,
    are_scores_visible: bool,
) -> dict[str, Any]:
    """Return the hands of a table as {"hands": …}; {} without contracts or visible scores."""
    if snapshot.points_table is None or not are_scores_visible:
        return {}
    return {
        "hands": [
            {"hand": sheet.hand, "score": sheet.score, "contract": sheet.contract}
            for (sheet_table_number, _hand), sheet in round_.sheet_by_table_and_hand.items()
            if sheet_table_number == table_number and sheet.score
        ]
    }


@describe_operation("PUT", "drive_sheet", EnteredSheetSerializer, request=SheetEntrySerializer)
@endpoint("PUT", required_scope="score")
def put_sheet(request: Request, slug: str, number: int, table: int) -> Response:
    """Enter a table's score of a round, or of one hand of it."""
    drive = drive_access.load_scorer_drive_access(request, slug).drive
    input_data = validate_body(SheetEntrySerializer, request)
    try:
        entered_sheet = services.enter_sheet(
            drive=drive, round_number=number, table=table, by=request.user, **input_data
        )
    except InvalidHand as problem:
        error_data = {
            "code": problem.code,
            "place": problem.invalid_key,
            "detail": str(problem),
        }
        return Response(error_data, status=400)
    if not entered_sheet.sheet.contract:
        return Response(EnteredSheetSerializer(entered_sheet).data)
    return Response(EnteredSheetSerializer(_explain_hand(drive, entered_sheet)).data)


def _explain_hand(drive: Drive, entered_sheet: services.EnteredSheet) -> dict[str, Any]:
    """Return an entered hand with its contract and the explanation of its points."""
    points_table, sheet = load_drive_points_table(drive), entered_sheet.sheet
    assert points_table is not None
    seats = Seat.objects.filter(round=sheet.round, table=sheet.table).order_by("seat")
    player_names = [
        format_public_name(seat.player) for seat in seats.select_related("player__player")
    ]
    settlement = settle_stored_hand(points_table, sheet.contract)
    return {
        "sheet": sheet,
        "is_changed": entered_sheet.is_changed,
        "made": [part.is_made for part in settlement.parts],
        "told": explain_hand(points_table, settlement, player_names),
    }


@describe_operation("GET", "drive_game", OpenApiTypes.OBJECT)
@describe_operation("PUT", "drive_game_change", OpenApiTypes.OBJECT, request=PointsSerializer)
@endpoint("GET", "PUT")
def show_or_change_game(request: Request, slug: str) -> Response:
    """Show the contracts and points of a drive's game, or change them.

    `words` is the name of contracts that the club's pages show: local or title. A change
    computes all hands entered again, as one act that can be undone.
    """
    if request.method == "PUT":
        drive = drive_access.load_director_drive_access(request, slug).drive
        input_data = validate_body(PointsSerializer, request)
        drive = services.change_points(drive=drive, by=request.user, **input_data)
    else:
        drive = drive_access.load_public_drive_access(slug).drive
    score_terms = parse_score_terms(drive.score)
    if score_terms.game is None:
        raise PageNotFound(_("This drive’s game has no contracts."))
    game_data = build_game_data(score_terms.game, score_terms.custom, score_terms.house)
    return Response(game_data | {"words": load_contract_name_style(drive.club_id)})


@describe_operation("PUT", "drive_total", EnteredTotalSerializer, request=TotalEntrySerializer)
@endpoint("PUT", required_scope="score")
def put_total(request: Request, slug: str, number: int) -> Response:
    """Enter the total of a score card.

    A card that already has another total is changed only with `corrects`.
    """
    drive = drive_access.load_scorer_drive_access(request, slug).drive
    input_data = validate_body(TotalEntrySerializer, request)
    entered_total = services.enter_total(
        drive=drive, number=number, by=request.user, **input_data
    )
    return Response(EnteredTotalSerializer(entered_total).data)


@describe_operation("GET", "drive_standing", DriveStandingsSerializer)
@endpoint("GET")
def show_standings(request: Request, slug: str) -> Response:
    """Show the standings; players see them only when the drive's setting allows it."""
    snapshot = load_drive_snapshot(drive_access.load_public_drive_access(slug).drive)
    is_staff = _is_staff(request, snapshot.drive)
    standings = build_drive_standings(snapshot, format_public_name, is_for_staff=is_staff)
    return Response(DriveStandingsSerializer(standings).data)


@describe_operation("GET", "drive_check", TotalsCheckSerializer, error_statuses=(401, 403, 404))
@endpoint("GET", is_public=False)
def show_totals_check(request: Request, slug: str) -> Response:
    """Show whether the totals of all tables add up, and which cards may be wrong."""
    report = build_totals_report(
        load_drive_snapshot(drive_access.load_scorer_drive_access(request, slug).drive),
        format_public_name,
    )
    return Response(TotalsCheckSerializer(report).data)


@describe_operation("GET", "drive_prizes", AwardSerializer(many=True))
@describe_operation(
    "PUT", "drive_prizes_set", AwardSerializer(many=True), request=PrizeListSerializer
)
@endpoint("GET", "PUT")
def list_or_set_prizes(request: Request, slug: str) -> Response:
    """List the prizes, with their winners after the close, or replace the prize list."""
    if request.method == "PUT":
        drive = drive_access.load_director_drive_access(request, slug).drive
        prizes_data = validate_body(PrizeListSerializer, request)["prizes"]
        services.set_prizes(drive=drive, lines=prizes_data, by=request.user)
    snapshot = load_drive_snapshot(drive_access.load_public_drive_access(slug).drive)
    return Response(AwardSerializer(_build_awards(request, snapshot), many=True).data)


def _build_awards(request: Request, snapshot: DriveSnapshot) -> list[dict[str, Any]]:
    are_winners_visible = snapshot.drive.is_closed or _is_staff(request, snapshot.drive)
    return [
        {
            "prize": award.prize,
            "words": award.prize_text,
            "number": award.person.number if award.person and are_winners_visible else None,
            "name": award.person.name if award.person and are_winners_visible else "",
            "why": award.reason if are_winners_visible else "",
        }
        for award in list_awards(snapshot, format_public_name)
    ]


@describe_operation(
    "PUT", "drive_cut", AwardSerializer(many=True), request=CutWinnersSerializer
)
@endpoint("PUT")
def put_cut_winners(request: Request, slug: str, number: int) -> Response:
    """Record the winners of the cut for a prize."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    winner_numbers = validate_body(CutWinnersSerializer, request)["numbers"]
    services.record_cut_winners(
        drive=drive, prize_number=number, winner_numbers=winner_numbers, by=request.user
    )
    snapshot = load_drive_snapshot(drive_access.load_public_drive_access(slug).drive)
    return Response(AwardSerializer(_build_awards(request, snapshot), many=True).data)
