"""Computes the effect of a changed points table on an open drive before it is saved."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from drives.draw.participants import PlayerId
from drives.games.house import list_changed_cells
from drives.hand_points import find_hands_with_changed_points
from drives.scores.terms import parse_points_table
from drives.snapshot import DriveSnapshot


@dataclass(frozen=True)
class PointsPreview:
    """The changed cells, the number of changed hands, and players' old and new totals."""

    cells: tuple[str, ...]
    changed_hand_count: int
    totals_by_player: Mapping[PlayerId, tuple[Fraction, Fraction]]


def preview_points(
    snapshot: DriveSnapshot, variant_code: str | None, club_changes: Mapping[str, Any]
) -> PointsPreview:
    """Compute the effect of `change_points`, without executing a query.

    Raises UnreadableDrive for an invalid table, and InvalidHand for a hand that the table does
    not accept.
    """
    score = snapshot.drive.score | {"custom": variant_code, "house": dict(club_changes)}
    points_table, old_table = parse_points_table(score), snapshot.points_table
    if points_table is None or old_table is None:
        return PointsPreview((), 0, {})
    changed_hand_count = 0
    changed_rounds_by_number = {}
    for round_number, round_ in snapshot.round_by_number.items():
        sheets_by_table_and_hand = {
            table_and_hand: copy(sheet)
            for table_and_hand, sheet in round_.sheet_by_table_and_hand.items()
        }
        for sheet in sheets_by_table_and_hand.values():
            sheet.round = round_.stored_round
        for sheet, points in find_hands_with_changed_points(
            points_table,
            [sheet for sheet in sheets_by_table_and_hand.values() if sheet.contract],
        ):
            sheet.score = points
            changed_hand_count += 1
        changed_rounds_by_number[round_number] = replace(
            round_, sheet_by_table_and_hand=sheets_by_table_and_hand
        )
    old_tally_by_player = snapshot.scores.tallies
    new_tally_by_player = replace(
        snapshot, round_by_number=changed_rounds_by_number
    ).scores.tallies
    totals_before_and_after = {
        player: (tally.total, new_tally_by_player[player].total)
        for player, tally in old_tally_by_player.items()
        if tally.total != new_tally_by_player[player].total
    }
    return PointsPreview(
        tuple(list_changed_cells(old_table, points_table)),
        changed_hand_count,
        totals_before_and_after,
    )
