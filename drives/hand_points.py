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
    """A sheet whose points a changed table of points changes."""

    sheet: Sheet
    score: list[int]


def format_place(round_number: int, table: int, hand: int) -> str:
    """Return the place of a sheet, for messages; hand 0 is the whole round."""
    place = {"round": round_number, "table": table, "hand": hand}
    if hand:
        return _("round %(round)s, table %(table)s, hand %(hand)s") % place
    return _("round %(round)s, table %(table)s") % place


def settle_contract(
    table: PointsTable, contract: Mapping[str, Any], place_text: str = ""
) -> Settlement:
    """Settle a hand as entered; raise HandRefused, which begins with `place_text`."""
    try:
        return parse_hand(contract, table)
    except UnreadableDrive as problem:
        first = problem.problems[0]
        if not isinstance(first, Problem):
            raise HandRefused(place_text, "", first) from None
        raise HandRefused(place_text, first.place, first.detail) from None


def settle_stored(table: PointsTable, sheet: Sheet, place_text: str = "") -> Settlement:
    """Settle the contract of a sheet, even if it is not bid any more."""
    return settle_contract(allow_all_contracts(table), sheet.contract, place_text)


def find_changed_points(table: PointsTable, sheets: Iterable[Sheet]) -> list[NewPoints]:
    """Settle the contracts of sheets by a new table; return those whose points change.

    Raises HandRefused for a hand that the new table does not accept.
    """
    every = allow_all_contracts(table)
    changed_points = []
    for sheet in sheets:
        place_text = format_place(sheet.round.number, sheet.table, sheet.hand)
        score = list(settle_contract(every, sheet.contract, place_text).points)
        if score != sheet.score:
            changed_points.append(NewPoints(sheet, score))
    return changed_points


def explain_sheet(
    table: PointsTable, sheet: Sheet, names: Sequence[str], *, seat: int | None = None
) -> list[str]:
    """Explain the points of a sheet with a contract; an empty list without one."""
    if not sheet.contract:
        return []
    return explain_hand(table, settle_stored(table, sheet), names, seat=seat)
