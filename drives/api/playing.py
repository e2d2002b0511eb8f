"""API views of rounds, scores and prizes: the next round, a table score, a card total."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.activities.secrecy import format_public_name
from drives import services, visibility, visits
from drives.api.drives import build_current_round
from drives.api.shapes import (
    AwardAnswer,
    CheckAnswer,
    CutShape,
    NowAnswer,
    Onward,
    PrizesShape,
    RoundAnswer,
    SheetEntered,
    SheetShape,
    StandingAnswer,
    TotalEntered,
    TotalShape,
)
from drives.models import Drive
from drives.sheets.standing import build_standing, build_totals_report, list_awards
from drives.snapshot import DriveSnapshot, RoundSnapshot, load_drive
from server.api.endpoints import describe_operation, endpoint, validate_body
from server.numbers import parse_whole_number


def _is_staff(request: Request, drive: Drive) -> bool:
    return access.can_score(request.user, drive.club)


@describe_operation("GET", "drive_rounds", RoundAnswer(many=True))
@describe_operation("POST", "drive_next", NowAnswer, request=Onward)
@endpoint("GET", "POST")
def list_or_begin_rounds(request: Request, slug: str) -> Response:
    """List the rounds with their seats; or begin the next one.

    What others made is left out until the standing may be seen.
    """
    if request.method == "POST":
        drive = visits.director_drive(request, slug).drive
        given = validate_body(Onward, request)
        winners = {_parse_table(key): side for key, side in given.pop("winners", {}).items()}
        services.begin_next_round(drive=drive, winners=winners, by=request.user, **given)
    snapshot = load_drive(visits.public_drive(slug).drive)
    if request.method == "POST":
        return Response(build_current_round(snapshot))
    is_open = visibility.is_standing_open(snapshot) or _is_staff(request, snapshot.drive)
    rows = [_build_round(snapshot, each, is_open=is_open) for each in snapshot.rounds.values()]
    return Response(RoundAnswer(rows, many=True).data)


def _parse_table(text: str) -> int:
    return parse_whole_number(text, most=99_999) or 0


def _build_round(
    snapshot: DriveSnapshot, each: RoundSnapshot, *, is_open: bool
) -> dict[str, Any]:
    tables = []
    for table, seats in each.tables.items():
        score, extras = each.compute_table_score(table)
        tables.append(
            {
                "table": table,
                "seats": list(seats),
                "score": list(score) if is_open else None,
                "extras": list(extras) if is_open else None,
                "entered": each.count_hands_entered(table, snapshot.drive.hands),
            }
        )
    return {
        "round": each.number,
        "trumps": each.row.trumps,
        "tables": tables,
        "rest": list(each.rest),
    }


@describe_operation("PUT", "drive_sheet", SheetEntered, request=SheetShape)
@endpoint("PUT", needs="score")
def put_sheet(request: Request, slug: str, number: int, table: int) -> Response:
    """Write down what a table made in a round, or in one hand of it."""
    drive = visits.scorer_drive(request, slug).drive
    given = validate_body(SheetShape, request)
    entered = services.enter_sheet(
        drive=drive, round_number=number, table=table, by=request.user, **given
    )
    return Response(SheetEntered(entered).data)


@describe_operation("PUT", "drive_total", TotalEntered, request=TotalShape)
@endpoint("PUT", needs="score")
def put_total(request: Request, slug: str, number: int) -> Response:
    """Write down a score card's total; one handed in already is refused unless corrected."""
    drive = visits.scorer_drive(request, slug).drive
    given = validate_body(TotalShape, request)
    entered = services.enter_total(drive=drive, number=number, by=request.user, **given)
    return Response(TotalEntered(entered).data)


@describe_operation("GET", "drive_standing", StandingAnswer)
@endpoint("GET")
def show_standings(request: Request, slug: str) -> Response:
    """Show who stands where, once the house's term allows it; to its scorers always."""
    snapshot = load_drive(visits.public_drive(slug).drive)
    staff = _is_staff(request, snapshot.drive)
    standing = build_standing(snapshot, format_public_name, for_staff=staff)
    return Response(StandingAnswer(standing).data)


@describe_operation("GET", "drive_check", CheckAnswer, refused=(401, 403, 404))
@endpoint("GET", public=False)
def show_totals_check(request: Request, slug: str) -> Response:
    """Return whether the totals of all tables add up, and which cards may be wrong."""
    report = build_totals_report(
        load_drive(visits.scorer_drive(request, slug).drive), format_public_name
    )
    return Response(CheckAnswer(report).data)


@describe_operation("GET", "drive_prizes", AwardAnswer(many=True))
@describe_operation("PUT", "drive_prizes_set", AwardAnswer(many=True), request=PrizesShape)
@endpoint("GET", "PUT")
def list_or_set_prizes(request: Request, slug: str) -> Response:
    """List the prizes and who has them, once the drive is closed; or write the list anew."""
    if request.method == "PUT":
        drive = visits.director_drive(request, slug).drive
        lines = validate_body(PrizesShape, request)["prizes"]
        services.set_prizes(drive=drive, lines=lines, by=request.user)
    snapshot = load_drive(visits.public_drive(slug).drive)
    return Response(AwardAnswer(_build_awards(request, snapshot), many=True).data)


def _build_awards(request: Request, snapshot: DriveSnapshot) -> list[dict[str, Any]]:
    is_open = snapshot.drive.is_closed or _is_staff(request, snapshot.drive)
    return [
        {
            "prize": each.prize,
            "words": each.words,
            "number": each.person.number if each.person and is_open else None,
            "name": each.person.name if each.person and is_open else "",
            "why": each.reason if is_open else "",
        }
        for each in list_awards(snapshot, format_public_name)
    ]


@describe_operation("PUT", "drive_cut", AwardAnswer(many=True), request=CutShape)
@endpoint("PUT")
def put_cut_winners(request: Request, slug: str, number: int) -> Response:
    """Note who won the cut for a prize."""
    drive = visits.director_drive(request, slug).drive
    numbers = validate_body(CutShape, request)["numbers"]
    services.record_cut_winners(drive=drive, prize=number, numbers=numbers, by=request.user)
    snapshot = load_drive(visits.public_drive(slug).drive)
    return Response(AwardAnswer(_build_awards(request, snapshot), many=True).data)
