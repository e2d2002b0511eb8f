"""Numbers the tables so that players walk past as few tables as possible between rounds."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from drives.draw.participants import PlayerId, SeatedRound, Seats

MAX_OPTIMAL_TABLE_COUNT = 16
"""The largest number of tables numbered optimally; more tables are numbered approximately."""

PROHIBITIVE_COST = 10**6


def number_tables(
    rounds: Sequence[SeatedRound],
    stationary_players: Sequence[PlayerId],
    previous_table_by_player: Mapping[PlayerId, int] | None = None,
    house_players: Sequence[PlayerId] = (),
) -> list[SeatedRound]:
    """Number the tables of each round; players who stay seated keep their tables.

    If such a table is no longer used after departures, the player moves to the nearest table.
    House players fill the last table, unless a player stays seated at their table.
    `previous_table_by_player` contains table indexes before the first of these rounds. The
    number of steps between two tables is the difference of their numbers.
    """
    last_table_by_player = dict(previous_table_by_player or {})
    # Give each of these players a table, even those who rest in the first round.
    for player in stationary_players:
        occupied_tables = {
            last_table_by_player[other_player]
            for other_player in stationary_players
            if other_player in last_table_by_player
        }
        last_table_by_player.setdefault(
            player, min(set(range(len(stationary_players) + 1)) - occupied_tables)
        )
    numbered_rounds = []
    for round_ in rounds:
        tables = _order_tables(
            round_.tables, stationary_players, last_table_by_player, house_players
        )
        numbered_rounds.append(SeatedRound(tables, round_.resting_players))
        for table_index, table in enumerate(tables):
            last_table_by_player.update(dict.fromkeys(table, table_index))
    return numbered_rounds


def count_steps(rounds: Sequence[SeatedRound]) -> int:
    """Return the total number of steps of all players, each from one table to the next."""
    tables_by_player: dict[PlayerId, list[int]] = {}
    for round_ in rounds:
        for table_index, table in enumerate(round_.tables):
            for player in table:
                tables_by_player.setdefault(player, []).append(table_index)
    return sum(
        abs(to_table - from_table)
        for tables in tables_by_player.values()
        for from_table, to_table in pairwise(tables)
    )


def _order_tables(
    tables: Sequence[Seats],
    stationary_players: Sequence[PlayerId],
    last_table_by_player: Mapping[PlayerId, int],
    house_players: Sequence[PlayerId],
) -> tuple[Seats, ...]:
    """Return the tables in an order with few steps; see `number_tables` for the exceptions."""
    table_indexes = range(len(tables))
    costs = [
        [
            _count_steps_to_table(table, table_index, last_table_by_player)
            for table_index in table_indexes
        ]
        for table in tables
    ]
    for table_costs, table in zip(costs, tables, strict=True):
        stationary_tables = [
            last_table_by_player[player]
            for player in table
            if player in stationary_players and player in last_table_by_player
        ]
        possible_tables = [
            table_index for table_index in stationary_tables if table_index < len(tables)
        ]
        if not possible_tables and any(player in house_players for player in table):
            possible_tables = [len(tables) - 1]
        if possible_tables:
            table_costs[:] = [PROHIBITIVE_COST] * len(table_costs)
            table_costs[possible_tables[0]] = 0
    assigned_table_indexes = (
        solve_assignment(costs)
        if len(tables) <= MAX_OPTIMAL_TABLE_COUNT
        else _assign_greedily(costs)
    )
    ordered_tables = list(tables)
    for table, table_index in zip(tables, assigned_table_indexes, strict=True):
        ordered_tables[table_index] = table
    return tuple(ordered_tables)


def _count_steps_to_table(
    table: Seats, table_index: int, last_table_by_player: Mapping[PlayerId, int]
) -> int:
    return sum(
        abs(last_table_by_player.get(player, table_index) - table_index) for player in table
    )


def solve_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """Assign a different column to each row, with the minimum sum of costs.

    Returns the column of each row.

    Source: the Hungarian method (H. W. Kuhn, 1955), by shortest augmenting paths.
    """
    table_count = len(costs)
    row_potentials, column_potentials = [0] * table_count, [0] * (table_count + 1)
    row_by_column = [-1] * (table_count + 1)
    for row in range(table_count):
        row_by_column[table_count] = row
        _augment_assignment(costs, row_potentials, column_potentials, row_by_column)
    column_by_row = [0] * table_count
    for column in range(table_count):
        column_by_row[row_by_column[column]] = column
    return column_by_row


def _augment_assignment(
    costs: Sequence[Sequence[int]],
    row_potentials: list[int],
    column_potentials: list[int],
    row_by_column: list[int],
) -> None:
    """Assign a column to one more row, reassigning other rows if necessary.

    This is a step of the Hungarian algorithm. `row_by_column` has one extra last item, in
    which the caller has stored the new row.
    """
    table_count = len(costs)
    slack, previous_columns = (
        [PROHIBITIVE_COST * PROHIBITIVE_COST] * table_count,
        [table_count] * table_count,
    )
    visited_columns: list[int] = []
    column = table_count
    while row_by_column[column] >= 0:
        visited_columns.append(column)
        row = row_by_column[column]
        for other_column in range(table_count):
            if other_column not in visited_columns:
                reduced_cost = (
                    costs[row][other_column]
                    - row_potentials[row]
                    - column_potentials[other_column]
                )
                if reduced_cost < slack[other_column]:
                    slack[other_column], previous_columns[other_column] = reduced_cost, column
        column = min(
            (c for c in range(table_count) if c not in visited_columns), key=slack.__getitem__
        )
        min_slack = slack[column]
        for visited_column in visited_columns:
            row_potentials[row_by_column[visited_column]] += min_slack
            column_potentials[visited_column] -= min_slack
        slack = [
            reduced_cost if c in visited_columns else reduced_cost - min_slack
            for c, reduced_cost in enumerate(slack)
        ]
    while column != table_count:
        row_by_column[column] = row_by_column[previous_columns[column]]
        column = previous_columns[column]


def _assign_greedily(costs: Sequence[Sequence[int]]) -> list[int]:
    """Assign a column to each row greedily, then exchange two columns where that costs less."""
    table_count = len(costs)
    rows_in_cost_order = sorted(
        range(table_count), key=lambda row: min(costs[row]) - max(costs[row])
    )
    free_columns = set(range(table_count))
    column_by_row = [0] * table_count
    for row in rows_in_cost_order:
        column_by_row[row] = min(free_columns, key=lambda column: (costs[row][column], column))
        free_columns.remove(column_by_row[row])
    for _sweep in range(3):
        for row_index in range(table_count):
            for other_row in range(row_index):
                _exchange_if_cheaper(costs, column_by_row, row_index, other_row)
    return column_by_row


def _exchange_if_cheaper(
    costs: Sequence[Sequence[int]],
    column_by_row: list[int],
    row_index: int,
    other_row_index: int,
) -> None:
    column, other_column = column_by_row[row_index], column_by_row[other_row_index]
    if (
        costs[row_index][other_column] + costs[other_row_index][column]
        < costs[row_index][column] + costs[other_row_index][other_column]
    ):
        column_by_row[row_index], column_by_row[other_row_index] = other_column, column
