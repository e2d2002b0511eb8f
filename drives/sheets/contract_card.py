"""A player's score card in a game with contracts: hands, points and running total."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId
from drives.errors import HandRefused
from drives.games.contracts import PointsTable
from drives.hand_points import explain_sheet
from drives.models import Sheet
from drives.snapshot import DriveSnapshot
from server.formatting import format_signed


class HandOnCard(NamedTuple):
    """A player's points of one hand, explained in sentences; hand 0 is a whole round."""

    hand: int
    points: int
    explanation: tuple[str, ...]
    total: int
    """The sum of the player's points up to this hand."""


def list_card_hands(
    snapshot: DriveSnapshot, player: PlayerId, format_name: Callable[[PlayerId], str]
) -> dict[int, tuple[HandOnCard, ...]]:
    """Return a player's entered hands by round; nothing for a drive without contracts.

    `format_name` returns the name of a player of the table. At most one query.
    """
    table = snapshot.worded_points_table
    if table is None:
        return {}
    found, total = {}, 0
    for number, round_ in sorted(snapshot.rounds.items()):
        place = round_.find_seat(int(player))
        if place is None or number > snapshot.drive.at_round:
            continue
        names = [format_name(each) for each in round_.tables[place[0]]]
        sheets = _list_sheets(round_.sheets, place[0])
        hands = tuple(_build_hands(table, sheets, names, place[1], total))
        if hands:
            found[number], total = hands, hands[-1].total
    return found


def _list_sheets(
    sheets: Mapping[tuple[int, int], Sheet], table: int
) -> list[tuple[int, Sheet]]:
    """Return a table's entered hands in order; a whole round replaces its hands."""
    own = {hand: sheet for (at, hand), sheet in sheets.items() if at == table and sheet.score}
    return [(0, own[0])] if 0 in own else sorted(own.items())


def _build_hands(
    table: PointsTable,
    sheets: Sequence[tuple[int, Sheet]],
    names: Sequence[str],
    seat: int,
    total: int,
) -> Iterator[HandOnCard]:
    for hand, sheet in sheets:
        points = sheet.score[seat - 1]
        total += points
        yield HandOnCard(hand, points, _explain(table, sheet, names, seat), total)


def _explain(
    table: PointsTable, sheet: Sheet, names: Sequence[str], seat: int
) -> tuple[str, ...]:
    try:
        found = explain_sheet(table, sheet, names, seat=seat)
    except HandRefused:  # the points changed without this hand
        found = []
    words = _("Entered without a contract: %(points)s.")
    return tuple(found) or (words % {"points": format_signed(sheet.score[seat - 1])},)
