"""The numbering of tables with the fewest steps for players from round to round."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from drives.draw.participants import PlayerId, SeatedRound, Seats

MAX_EXACT_TABLES = 16
"""The largest number of tables numbered optimally; more tables are numbered approximately."""

PROHIBITIVE_COST = 10**6


def number_tables(
    rounds: Sequence[SeatedRound],
    stationary: Sequence[PlayerId],
    last: Mapping[PlayerId, int] | None = None,
    house: Sequence[PlayerId] = (),
) -> list[SeatedRound]:
    """Number the tables of each round; players who stay seated keep their tables.

    If such a table is no longer used after departures, the player moves to the
    nearest table. House players fill the last table, unless a player stays seated at their
    table. `last` is the table of each player before the first of these rounds. The number of
    steps is the difference of two table numbers.
    """
    where = dict(last or {})
    for player in stationary:  # each has a table even if he rests first
        taken = {where[other] for other in stationary if other in where}
        where.setdefault(player, min(set(range(len(stationary) + 1)) - taken))
    found = []
    for drawn in rounds:
        tables = _order_tables(drawn.tables, stationary, where, house)
        found.append(SeatedRound(tables, drawn.rest))
        for number, table in enumerate(tables):
            where.update(dict.fromkeys(table, number))
    return found


def count_steps(rounds: Sequence[SeatedRound]) -> int:
    """Return the total number of steps of all players, each from one table to the next."""
    where: dict[PlayerId, list[int]] = {}
    for drawn in rounds:
        for number, table in enumerate(drawn.tables):
            for player in table:
                where.setdefault(player, []).append(number)
    return sum(abs(to - at) for tables in where.values() for at, to in pairwise(tables))


def _order_tables(
    tables: Sequence[Seats],
    stationary: Sequence[PlayerId],
    where: Mapping[PlayerId, int],
    house: Sequence[PlayerId],
) -> tuple[Seats, ...]:
    places = range(len(tables))
    cost = [[_count_steps_to(table, place, where) for place in places] for table in tables]
    for row, table in zip(cost, tables, strict=True):
        own = [where[player] for player in table if player in stationary and player in where]
        kept = [place for place in own if place < len(tables)]
        if not kept and any(player in house for player in table):
            kept = [len(tables) - 1]
        if kept:
            row[:] = [PROHIBITIVE_COST] * len(row)
            row[kept[0]] = 0
    order = (
        solve_assignment(cost) if len(tables) <= MAX_EXACT_TABLES else _assign_greedily(cost)
    )
    ordered = list(tables)
    for table, place in zip(tables, order, strict=True):
        ordered[place] = table
    return tuple(ordered)


def _count_steps_to(table: Seats, place: int, where: Mapping[PlayerId, int]) -> int:
    return sum(abs(where.get(player, place) - place) for player in table)


def solve_assignment(cost: Sequence[Sequence[int]]) -> list[int]:
    """Return a column for each row, each column once, with the minimum sum of costs.

    Source: the Hungarian method (H. W. Kuhn, 1955), by shortest augmenting paths.
    """
    size = len(cost)
    over_rows, over_columns = [0] * size, [0] * (size + 1)
    owner = [-1] * (size + 1)
    for row in range(size):
        owner[size] = row
        _augment(cost, over_rows, over_columns, owner)
    found = [0] * size
    for column in range(size):
        found[owner[column]] = column
    return found


def _augment(
    cost: Sequence[Sequence[int]],
    over_rows: list[int],
    over_columns: list[int],
    owner: list[int],
) -> None:
    """Assign a column to one more row, reassigning other rows if necessary (a step of the
    Hungarian algorithm). The new row is passed as the owner of the extra last column.
    """
    size = len(cost)
    slack, before = [PROHIBITIVE_COST * PROHIBITIVE_COST] * size, [size] * size
    done: list[int] = []
    column = size
    while owner[column] >= 0:
        done.append(column)
        row = owner[column]
        for other in range(size):
            if other not in done:
                left = cost[row][other] - over_rows[row] - over_columns[other]
                if left < slack[other]:
                    slack[other], before[other] = left, column
        column = min((c for c in range(size) if c not in done), key=slack.__getitem__)
        least = slack[column]
        for each in done:
            over_rows[owner[each]] += least
            over_columns[each] -= least
        slack = [left if c in done else left - least for c, left in enumerate(slack)]
    while column != size:
        owner[column] = owner[before[column]]
        column = before[column]


def _assign_greedily(cost: Sequence[Sequence[int]]) -> list[int]:
    """Assign greedily by cost, then exchange pairs of tables while that is shorter."""
    size = len(cost)
    by_cost = sorted(range(size), key=lambda row: min(cost[row]) - max(cost[row]))
    free = set(range(size))
    found = [0] * size
    for row in by_cost:
        found[row] = min(free, key=lambda place: (cost[row][place], place))
        free.remove(found[row])
    for _sweep in range(3):
        for one in range(size):
            for other in range(one):
                _exchange_if_shorter(cost, found, one, other)
    return found


def _exchange_if_shorter(
    cost: Sequence[Sequence[int]], found: list[int], one: int, other: int
) -> None:
    at, to = found[one], found[other]
    if cost[one][to] + cost[other][at] < cost[one][at] + cost[other][to]:
        found[one], found[other] = to, at
