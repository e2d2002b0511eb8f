"""The points of hands with contracts, computed again from their rows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from drives.errors import HandRefused, UnreadableDrive
from drives.games.contracts import PointsTable
from drives.games.explaining import explain_hand
from drives.games.house import allow_all_contracts
from drives.games.places import Problem
from drives.games.reading import parse_hand
from drives.games.settling import Settlement
from drives.models import Sheet


class NewPoints(NamedTuple):
    """A sheet, and the points of the hand by a changed points table."""

    sheet: Sheet
    score: list[int]


def format_place(round_number: int, table: int, hand: int) -> str:
    """Return the place of a sheet, for messages; hand 0 is the whole round."""
    place_values = {"round": round_number, "table": table, "hand": hand}
    if hand:
        return _("round %(round)s, table %(table)s, hand %(hand)s") % place_values
    return _("round %(round)s, table %(table)s") % place_values


def settle_contract(
    points_table: PointsTable, contract: Mapping[str, Any], place_text: str = ""
) -> Settlement:
    """Settle a hand as entered; raise HandRefused, which begins with `place_text`."""
    try:
        return parse_hand(contract, points_table)
    except UnreadableDrive as problem:
        first_problem = problem.problems[0]
        if not isinstance(first_problem, Problem):
            raise HandRefused(place_text, "", first_problem) from None
        raise HandRefused(place_text, first_problem.place, first_problem.detail) from None


def settle_stored(points_table: PointsTable, sheet: Sheet) -> Settlement:
    """Settle the contract of a sheet, even if the club no longer plays this contract."""
    return settle_contract(allow_all_contracts(points_table), sheet.contract)


def settle_if_accepted(
    points_table: PointsTable, contract: Mapping[str, Any]
) -> Settlement | None:
    """Settle a stored hand, or return None for typed scores and for a hand that is not
    accepted.

    A restored points table may not accept a hand that was entered with a newer one.
    """
    try:
        return (
            settle_contract(allow_all_contracts(points_table), contract) if contract else None
        )
    except HandRefused:
        return None


def find_changed_points(points_table: PointsTable, sheets: Iterable[Sheet]) -> list[NewPoints]:
    """Settle the contracts of sheets by a new table; return those whose points change.

    Raises HandRefused for a hand that the new table does not accept.
    """
    table_of_all_contracts = allow_all_contracts(points_table)
    changed_points = []
    for sheet in sheets:
        place_text = format_place(sheet.round.number, sheet.table, sheet.hand)
        score = list(settle_contract(table_of_all_contracts, sheet.contract, place_text).points)
        if score != sheet.score:
            changed_points.append(NewPoints(sheet, score))
    return changed_points


def explain_sheet(
    points_table: PointsTable, sheet: Sheet, names: Sequence[str], *, seat: int | None = None
) -> list[str]:
    """Explain the points of a sheet with a contract; an empty list without one."""
    settlement = settle_if_accepted(points_table, sheet.contract)
    return explain_hand(points_table, settlement, names, seat=seat) if settlement else []
