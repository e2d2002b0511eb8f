"""Computes the points of stored hands with contracts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from drives.errors import InvalidHand, UnreadableDrive
from drives.games.contracts import PointsTable
from drives.games.explaining import explain_hand
from drives.games.hints import find_hints
from drives.games.house import allow_all_contracts
from drives.games.places import MessageWithPath
from drives.games.reading import parse_hand
from drives.games.settling import Settlement
from drives.models import Sheet

ContractByHand = Mapping[int, Mapping[str, Any]]
"""The entered hands of one table and round in the file format, {} if the points were typed."""


class RecomputedHand(NamedTuple):
    """A stored sheet with a hand, and the new points of that hand in a changed points table."""

    sheet: Sheet
    score: list[int]


def format_hand_label(round_number: int, table_number: int, hand_number: int) -> str:
    """Return text such as "round 2, table 5, hand 3"; hand 0 means the whole round."""
    place_values = {"round": round_number, "table": table_number, "hand": hand_number}
    if hand_number:
        return _("round %(round)s, table %(table)s, hand %(hand)s") % place_values
    return _("round %(round)s, table %(table)s") % place_values


def settle_contract(
    points_table: PointsTable, contract_data: Mapping[str, Any], hand_label: str = ""
) -> Settlement:
    """Compute the points of an entered hand.

    Raises InvalidHand, whose message begins with `hand_label`.
    """
    try:
        return parse_hand(contract_data, points_table)
    except UnreadableDrive as problem:
        first_problem = problem.problems[0]
        if not isinstance(first_problem, MessageWithPath):
            raise InvalidHand(hand_label, "", first_problem) from None
        raise InvalidHand(hand_label, first_problem.path_text, first_problem.detail) from None


def settle_stored_hand(
    points_table: PointsTable, contract_data: Mapping[str, Any]
) -> Settlement:
    """Compute the points of a stored hand, even if the club no longer plays its contract."""
    return settle_contract(allow_all_contracts(points_table), contract_data)


def settle_hand_if_valid(
    points_table: PointsTable, contract_data: Mapping[str, Any]
) -> Settlement | None:
    """Compute the points of a stored hand; return None for typed scores or an invalid hand.

    A hand may be invalid if the points table has changed since it was entered.
    """
    try:
        return settle_stored_hand(points_table, contract_data) if contract_data else None
    except InvalidHand:
        return None


def find_hands_with_changed_points(
    points_table: PointsTable, sheets: Iterable[Sheet]
) -> list[RecomputedHand]:
    """Compute the points of hands in a new points table; return those whose points change.

    Raises InvalidHand for a hand that the new table does not accept.
    """
    full_points_table = allow_all_contracts(points_table)
    recomputed_hands = []
    for sheet in sheets:
        hand_label = format_hand_label(sheet.round.number, sheet.table, sheet.hand)
        score = list(settle_contract(full_points_table, sheet.contract, hand_label).points)
        if score != sheet.score:
            recomputed_hands.append(RecomputedHand(sheet, score))
    return recomputed_hands


def explain_contract(
    points_table: PointsTable,
    contract_data: Mapping[str, Any],
    player_names: Sequence[str],
    *,
    seat_number: int | None = None,
) -> list[str]:
    """Return sentences that explain the points of a hand; [] if its scores were typed."""
    settlement = settle_hand_if_valid(points_table, contract_data)
    return (
        explain_hand(points_table, settlement, player_names, seat_number=seat_number)
        if settlement
        else []
    )


def collect_hints_by_hand(
    points_table: PointsTable, contract_by_hand: ContractByHand
) -> dict[int, list[str]]:
    """Return notes on the surprising hands of one table and round, by hand number."""
    hints_by_hand, previous_settlement = {}, None
    for hand_number, contract_data in sorted(contract_by_hand.items()):
        settlement = settle_hand_if_valid(points_table, contract_data)
        hints_by_hand[hand_number] = (
            find_hints(settlement, previous_settlement) if settlement else []
        )
        previous_settlement = settlement
    return hints_by_hand
