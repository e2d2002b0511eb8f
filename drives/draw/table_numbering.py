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
    last_tables = dict(last or {})
    for player in stationary:  # each has a table even if he rests first
        occupied_tables = {last_tables[other] for other in stationary if other in last_tables}
        last_tables.setdefault(player, min(set(range(len(stationary) + 1)) - occupied_tables))
    numbered_rounds = []
    for round_ in rounds:
        tables = _order_tables(round_.tables, stationary, last_tables, house)
        numbered_rounds.append(SeatedRound(tables, round_.rest))
        for number, table in enumerate(tables):
            last_tables.update(dict.fromkeys(table, number))
    return numbered_rounds


def count_steps(rounds: Sequence[SeatedRound]) -> int:
    """Return the total number of steps of all players, each from one table to the next."""
    tables_by_player: dict[PlayerId, list[int]] = {}
    for round_ in rounds:
        for number, table in enumerate(round_.tables):
            for player in table:
                tables_by_player.setdefault(player, []).append(number)
    return sum(
        abs(to - at) for tables in tables_by_player.values() for at, to in pairwise(tables)
    )


def _order_tables(
    tables: Sequence[Seats],
    stationary: Sequence[PlayerId],
    last_tables: Mapping[PlayerId, int],
    house: Sequence[PlayerId],
) -> tuple[Seats, ...]:
    places = range(len(tables))
    cost = [
        [_count_steps_to(table, place, last_tables) for place in places] for table in tables
    ]
    for row, table in zip(cost, tables, strict=True):
        stationary_tables = [
            last_tables[player]
            for player in table
            if player in stationary and player in last_tables
        ]
        possible_tables = [place for place in stationary_tables if place < len(tables)]
        if not possible_tables and any(player in house for player in table):
            possible_tables = [len(tables) - 1]
        if possible_tables:
            row[:] = [PROHIBITIVE_COST] * len(row)
            row[possible_tables[0]] = 0
    order = (
        solve_assignment(cost) if len(tables) <= MAX_EXACT_TABLES else _assign_greedily(cost)
    )
    ordered = list(tables)
    for table, place in zip(tables, order, strict=True):
        ordered[place] = table
    return tuple(ordered)


def _count_steps_to(table: Seats, place: int, last_tables: Mapping[PlayerId, int]) -> int:
    return sum(abs(last_tables.get(player, place) - place) for player in table)


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
    columns_by_row = [0] * size
    for column in range(size):
        columns_by_row[owner[column]] = column
    return columns_by_row


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
    done_columns: list[int] = []
    column = size
    while owner[column] >= 0:
        done_columns.append(column)
        row = owner[column]
        for other in range(size):
            if other not in done_columns:
                reduced_cost = cost[row][other] - over_rows[row] - over_columns[other]
                if reduced_cost < slack[other]:
                    slack[other], before[other] = reduced_cost, column
        column = min((c for c in range(size) if c not in done_columns), key=slack.__getitem__)
        min_slack = slack[column]
        for round_ in done_columns:
            over_rows[owner[round_]] += min_slack
            over_columns[round_] -= min_slack
        slack = [
            reduced_cost if c in done_columns else reduced_cost - min_slack
            for c, reduced_cost in enumerate(slack)
        ]
    while column != size:
        owner[column] = owner[before[column]]
        column = before[column]


def _assign_greedily(cost: Sequence[Sequence[int]]) -> list[int]:
    """Assign greedily by cost, then exchange pairs of tables while that is shorter."""
    size = len(cost)
    by_cost = sorted(range(size), key=lambda row: min(cost[row]) - max(cost[row]))
    free_columns = set(range(size))
    columns_by_row = [0] * size
    for row in by_cost:
        columns_by_row[row] = min(free_columns, key=lambda place: (cost[row][place], place))
        free_columns.remove(columns_by_row[row])
    for _sweep in range(3):
        for one in range(size):
            for other in range(one):
                _exchange_if_shorter(cost, columns_by_row, one, other)
    return columns_by_row


def _exchange_if_shorter(
    cost: Sequence[Sequence[int]], columns_by_row: list[int], one: int, other: int
) -> None:
    at, to = columns_by_row[one], columns_by_row[other]
    if cost[one][to] + cost[other][at] < cost[one][at] + cost[other][to]:
        columns_by_row[one], columns_by_row[other] = to, at
