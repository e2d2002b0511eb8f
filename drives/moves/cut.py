"""The cut: losers retire, and the field shrinks until one table is left.

Source: the older books of whist, where twelve players become eight and then four.
"""

from collections.abc import Sequence
from itertools import chain

from drives.draw.company import Drawn, Player
from drives.moves.mover import OTHER, SEATS
from drives.moves.state import Role, Side, Table, check


def cut(tables: Sequence[Table]) -> Drawn:
    """Retire the losers; the winners of two tables meet, and pairs stay together.

    Where the winners do not fill their tables, the losers of the first tables play on: twelve
    become eight, and eight become four. Retired players are returned as resting. The winners of
    the last remaining table stay there.
    """
    check(tables)
    full = [table for table in tables if table.is_full]
    if len(full) == 1:
        return Drawn((), tuple(_pair(full[0], _loser(full[0]))))
    winners = [_pair(table, OTHER[_loser(table)]) for table in full]
    losers = [_pair(table, _loser(table)) for table in full]
    wanted = -len(winners) % 2
    pairs = winners + losers[:wanted]
    out = list(chain.from_iterable(losers[wanted:]))
    for role in Role:
        out += [] if tables[-1].is_full else tables[-1].resting(role)
    seated = [
        (one[0], other[0], one[1], other[1])
        for one, other in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    return Drawn(tuple(seated), tuple(out))


def _loser(table: Table) -> Side:
    assert table.winner is not None
    return OTHER[table.winner]


def _pair(table: Table, side: Side) -> list[Player]:
    found = [table.seats[SEATS[side, role]] for role in Role]
    return [player for player in found if player is not None]
