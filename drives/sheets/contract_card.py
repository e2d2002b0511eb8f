"""Lists a player's hands in a game with contracts, with explained points and running totals."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId
from drives.games.contracts import PointsTable
from drives.hand_points import explain_contract
from drives.models import Sheet
from drives.snapshot import DriveSnapshot
from server.formatting import format_signed


class HandOnCard(NamedTuple):
    """A player's points in one hand, with an explanation; hand 0 is a whole round."""

    hand_number: int
    points: int
    explanation: tuple[str, ...]
    running_total: int
    """The sum of the player's points up to this hand."""


def list_card_hands(
    snapshot: DriveSnapshot, player: PlayerId, format_name: Callable[[PlayerId], str]
) -> dict[int, tuple[HandOnCard, ...]]:
    """Return a player's entered hands by round; {} in a drive without contracts.

    `format_name` returns the name of a player at the table. At most one query is executed.
    """
    points_table = snapshot.worded_points_table
    if points_table is None:
        return {}
    hands_by_round, running_total = {}, 0
    for round_number, round_ in sorted(snapshot.round_by_number.items()):
        table_and_seat = round_.find_seat(int(player))
        if table_and_seat is None or round_number > snapshot.drive.at_round:
            continue
        player_names = [
            format_name(player_number)
            for player_number in round_.seats_by_table[table_and_seat[0]]
        ]
        numbered_sheets = _list_table_sheets(round_.sheet_by_table_and_hand, table_and_seat[0])
        hands = tuple(
            _build_hands(
                points_table, numbered_sheets, player_names, table_and_seat[1], running_total
            )
        )
        if hands:
            hands_by_round[round_number], running_total = hands, hands[-1].running_total
    return hands_by_round


def _list_table_sheets(
    sheets_by_table_and_hand: Mapping[tuple[int, int], Sheet], table_number: int
) -> list[tuple[int, Sheet]]:
    """Return a table's entered hands in order; only hand 0 if the whole round has a score."""
    sheets_by_hand = {
        hand_number: sheet
        for (sheet_table_number, hand_number), sheet in sheets_by_table_and_hand.items()
        if sheet_table_number == table_number and sheet.score
    }
    return [(0, sheets_by_hand[0])] if 0 in sheets_by_hand else sorted(sheets_by_hand.items())


def _build_hands(
    points_table: PointsTable,
    numbered_sheets: Sequence[tuple[int, Sheet]],
    player_names: Sequence[str],
    seat_number: int,
    running_total: int,
) -> Iterator[HandOnCard]:
    for hand_number, sheet in numbered_sheets:
        points = sheet.score[seat_number - 1]
        running_total += points
        yield HandOnCard(
            hand_number,
            points,
            _explain_points(
                points_table, sheet, player_names, seat_number, is_one_hand=hand_number > 0
            ),
            running_total,
        )


def _explain_points(
    points_table: PointsTable,
    sheet: Sheet,
    player_names: Sequence[str],
    seat_number: int,
    *,
    is_one_hand: bool,
) -> tuple[str, ...]:
    sentences = explain_contract(
        points_table, sheet.contract, player_names, seat_number=seat_number
    )
    if is_one_hand and not sheet.contract and not any(sheet.score):
        return (_("Everyone passed: 0."),)
    message = _("Entered without a contract: %(points)s.")
    return tuple(sentences) or (
        message % {"points": format_signed(sheet.score[seat_number - 1])},
    )
