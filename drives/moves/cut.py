"""The cut: losers retire, and the field shrinks until one table is left.

Source: the older books of whist, where twelve players become eight and then four.
"""

from collections.abc import Sequence
from itertools import chain

from drives.draw.participants import PlayerId, SeatedRound
from drives.moves.mover import OPPOSITE_SIDE, ROLE_SEATS
from drives.moves.table_result import Role, Side, TableResult, check_tables


def retire_losers(tables: Sequence[TableResult]) -> SeatedRound:
    """Retire the losers; the winners of two tables meet, and pairs stay together.

    If the number of winning pairs is odd, the losers of the first table also play on: 12
    players become 8, and 8 become 4. Retired players are returned as resting. The winners of
    the last remaining table stay there.
    """
    check_tables(tables)
    full_tables = [table for table in tables if table.is_full]
    if len(full_tables) == 1:
        return SeatedRound(
            (), tuple(_list_pair_players(full_tables[0], _find_losing_side(full_tables[0])))
        )
    winning_pairs = [
        _list_pair_players(table, OPPOSITE_SIDE[_find_losing_side(table)])
        for table in full_tables
    ]
    losing_pairs = [
        _list_pair_players(table, _find_losing_side(table)) for table in full_tables
    ]
    extra_pair_count = -len(winning_pairs) % 2
    pairs = winning_pairs + losing_pairs[:extra_pair_count]
    retired_players = list(chain.from_iterable(losing_pairs[extra_pair_count:]))
    for role in Role:
        retired_players += [] if tables[-1].is_full else tables[-1].list_resting_players(role)
    next_tables = [
        (pair[0], other_pair[0], pair[1], other_pair[1])
        for pair, other_pair in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    return SeatedRound(tuple(next_tables), tuple(retired_players))


def _find_losing_side(table: TableResult) -> Side:
    assert table.winner is not None
    return OPPOSITE_SIDE[table.winner]


def _list_pair_players(table: TableResult, side: Side) -> list[PlayerId]:
    players = [table.seats[ROLE_SEATS[side, role]] for role in Role]
    return [player for player in players if player is not None]
