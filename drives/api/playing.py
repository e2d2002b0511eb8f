"""API views of rounds, scores and prizes: the next round, a table score, a card total."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.activities.secrecy import shown
from drives import secrecy, services, visits
from drives.api.drives import now_data
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
from drives.held import HeldDrive, HeldRound, read_drive
from drives.models import Drive
from drives.sheets.standing import prize_list, room_check, standing
from server.api.frame import endpoint, operation, validated
from server.numbers import whole_number


def _is_staff(request: Request, drive: Drive) -> bool:
    return access.may_score(request.user, drive.club)


@operation("GET", "drive_rounds", RoundAnswer(many=True))
@operation("POST", "drive_next", NowAnswer, request=Onward)
@endpoint("GET", "POST")
def rounds(request: Request, slug: str) -> Response:
    """List the rounds with their seats; or begin the next one.

    What others made is left out until the standing may be seen.
    """
    if request.method == "POST":
        found = visits.director_drive(request, slug).drive
        given = validated(Onward, request)
        winners = {_table(key): side for key, side in given.pop("winners", {}).items()}
        services.next_round(drive=found, winners=winners, by=request.user, **given)
    held = read_drive(visits.public_drive(slug).drive)
    if request.method == "POST":
        return Response(now_data(held))
    is_open = secrecy.standing_is_open(held) or _is_staff(request, held.drive)
    rows = [_round(held, each, is_open=is_open) for each in held.rounds.values()]
    return Response(RoundAnswer(rows, many=True).data)


def _table(text: str) -> int:
    return whole_number(text, most=99_999) or 0


def _round(held: HeldDrive, each: HeldRound, *, is_open: bool) -> dict[str, Any]:
    tables = []
    for table, seats in each.tables.items():
        score, extras = each.figures_at(table)
        tables.append(
            {
                "table": table,
                "seats": list(seats),
                "score": list(score) if is_open else None,
                "extras": list(extras) if is_open else None,
                "entered": each.hands_entered(table, held.drive.hands),
            }
        )
    return {
        "round": each.number,
        "trumps": each.row.trumps,
        "tables": tables,
        "rest": list(each.rest),
    }


@operation("PUT", "drive_sheet", SheetEntered, request=SheetShape)
@endpoint("PUT", needs="score")
def sheet(request: Request, slug: str, number: int, table: int) -> Response:
    """Write down what a table made in a round, or in one hand of it."""
    found = visits.scorer_drive(request, slug).drive
    given = validated(SheetShape, request)
    entered = services.enter_sheet(
        drive=found, round_number=number, table=table, by=request.user, **given
    )
    return Response(SheetEntered(entered).data)


@operation("PUT", "drive_total", TotalEntered, request=TotalShape)
@endpoint("PUT", needs="score")
def total(request: Request, slug: str, number: int) -> Response:
    """Write down a score card's total; one handed in already is refused unless corrected."""
    found = visits.scorer_drive(request, slug).drive
    given = validated(TotalShape, request)
    entered = services.enter_total(drive=found, number=number, by=request.user, **given)
    return Response(TotalEntered(entered).data)


@operation("GET", "drive_standing", StandingAnswer)
@endpoint("GET")
def ranking(request: Request, slug: str) -> Response:
    """Show who stands where, once the house's term allows it; to its scorers always."""
    held = read_drive(visits.public_drive(slug).drive)
    staff = _is_staff(request, held.drive)
    found = standing(held, shown, for_staff=staff)
    return Response(StandingAnswer(found).data)


@operation("GET", "drive_check", CheckAnswer, refused=(401, 403, 404))
@endpoint("GET", public=False)
def check(request: Request, slug: str) -> Response:
    """Say whether the room adds up, and which cards may be wrong."""
    found = room_check(read_drive(visits.scorer_drive(request, slug).drive), shown)
    return Response(CheckAnswer(found).data)


@operation("GET", "drive_prizes", AwardAnswer(many=True))
@operation("PUT", "drive_prizes_set", AwardAnswer(many=True), request=PrizesShape)
@endpoint("GET", "PUT")
def prizes(request: Request, slug: str) -> Response:
    """List the prizes and who has them, once the drive is closed; or write the list anew."""
    if request.method == "PUT":
        found = visits.director_drive(request, slug).drive
        lines = validated(PrizesShape, request)["prizes"]
        services.set_prizes(drive=found, lines=lines, by=request.user)
    held = read_drive(visits.public_drive(slug).drive)
    return Response(AwardAnswer(_awards(request, held), many=True).data)


def _awards(request: Request, held: HeldDrive) -> list[dict[str, Any]]:
    is_open = held.drive.is_closed or _is_staff(request, held.drive)
    return [
        {
            "prize": each.prize,
            "words": each.words,
            "number": each.person.number if each.person and is_open else None,
            "name": each.person.name if each.person and is_open else "",
            "why": each.why if is_open else "",
        }
        for each in prize_list(held, shown)
    ]


@operation("PUT", "drive_cut", AwardAnswer(many=True), request=CutShape)
@endpoint("PUT")
def cut(request: Request, slug: str, number: int) -> Response:
    """Note who won the cut for a prize."""
    found = visits.director_drive(request, slug).drive
    numbers = validated(CutShape, request)["numbers"]
    services.win_cut(drive=found, prize=number, numbers=numbers, by=request.user)
    held = read_drive(visits.public_drive(slug).drive)
    return Response(AwardAnswer(_awards(request, held), many=True).data)
