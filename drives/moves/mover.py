"""Moves players after a hand to their tables for the next hand, depending on who won.

Firsts and seconds each move round a ring of tables. So one first and one second leave every
table, and another first and second arrive. A half table is part of the ring: players who arrive
there rest for a hand and then move on.
"""

from collections.abc import Mapping, Sequence

from drives.draw.participants import PlayerId, SeatedRound, Seats
from drives.moves.move_rule import MoveRule, MovingSide
from drives.moves.table_result import Role, Side, TableResult, check_tables

ROLE_SEATS = {
    (Side.A, Role.FIRST): 0,
    (Side.B, Role.FIRST): 1,
    (Side.A, Role.SECOND): 2,
    (Side.B, Role.SECOND): 3,
}
OPPOSITE_SIDE = {Side.A: Side.B, Side.B: Side.A}


def move_players(
    tables: Sequence[TableResult],
    rule: MoveRule,
    rest_counts: Mapping[PlayerId, int] | None = None,
) -> SeatedRound:
    """Move the winners or losers of all tables by a rule.

    If `rest_counts` is given, a player who would rest changes places with a moving player who
    has rested less often. Raises UnplayableDrive with the number of the invalid table.
    """
    check_tables(tables)
    full_tables = [table for table in tables if table.is_full]
    half_table = None if tables[-1].is_full else tables[-1]
    arrivals_by_role: dict[Role, list[PlayerId]] = {}
    resting_players: list[PlayerId] = []
    for role, step_count in (
        (Role.FIRST, rule.first_role_steps),
        (Role.SECOND, rule.second_role_steps),
    ):
        ring = _PlayerRing(full_tables, half_table, role, rule)
        ring.rotate(step_count)
        if rest_counts is not None:
            ring.balance_rests(rest_counts)
        arrivals_by_role[role] = ring.table_arrivals
        resting_players += ring.half_table_arrivals
    seated_tables = [
        _seat_table(
            table,
            table_index,
            rule,
            arrivals_by_role[Role.FIRST][table_index],
            arrivals_by_role[Role.SECOND][table_index],
        )
        for table_index, table in enumerate(full_tables)
    ]
    return SeatedRound(tuple(seated_tables), tuple(resting_players))


def _find_leaving_side(table: TableResult, table_index: int, rule: MoveRule) -> Side:
    """Return the side that leaves a full table: the losers or the winners, as `rule` says."""
    assert table.winner is not None
    are_winners_leaving = rule.moving_side is MovingSide.WINNERS and not (
        rule.has_head_table and table_index == 0
    )
    return table.winner if are_winners_leaving else OPPOSITE_SIDE[table.winner]


class _PlayerRing:
    """The players of one role who move, from table 1 to the last table, as a ring."""

    def __init__(
        self,
        full_tables: Sequence[TableResult],
        half_table: TableResult | None,
        role: Role,
        rule: MoveRule,
    ) -> None:
        leaving_players = [
            table.seats[ROLE_SEATS[_find_leaving_side(table, table_index, rule), role]]
            for table_index, table in enumerate(full_tables)
        ]
        self.movers: list[PlayerId] = [
            player for player in leaving_players if player is not None
        ]
        self.resting_indexes: list[int] = []
        self.rested_players = half_table.list_resting_players(role) if half_table else []
        for player in self.rested_players:
            # The half table comes last in the ring. A second resting place is in the middle of
            # the ring, because at a neighbouring place players would rest twice in a row.
            insertion_index = (
                len(full_tables) // 2 if self.resting_indexes else len(self.movers)
            )
            self.resting_indexes = [
                resting_index + (resting_index >= insertion_index)
                for resting_index in self.resting_indexes
            ] + [insertion_index]
            self.movers.insert(insertion_index, player)

    def rotate(self, step_count: int) -> None:
        """Move all players by a number of tables."""
        player_count = len(self.movers)
        self.movers = [
            self.movers[(index - step_count) % player_count] for index in range(player_count)
        ]

    def balance_rests(self, rest_counts: Mapping[PlayerId, int]) -> None:
        """Exchange each player who would rest now with a player who has rested less often.

        The candidate with the fewest rests is taken, and the nearest one among equals. A player
        who rested in the last round is no candidate.
        """
        player_count = len(self.movers)
        for resting_index in self.resting_indexes:
            candidates = [
                index
                for index, player in enumerate(self.movers)
                if index not in self.resting_indexes and player not in self.rested_players
            ]

            def compute_sort_key(
                index: int, resting_index: int = resting_index
            ) -> tuple[int, int, int]:
                distance = min(
                    (index - resting_index) % player_count,
                    (resting_index - index) % player_count,
                )
                return rest_counts.get(self.movers[index], 0), distance, index

            best_index = min(candidates, key=compute_sort_key, default=resting_index)
            if compute_sort_key(best_index)[0] < rest_counts.get(self.movers[resting_index], 0):
                movers = self.movers
                movers[resting_index], movers[best_index] = (
                    movers[best_index],
                    movers[resting_index],
                )

    @property
    def table_arrivals(self) -> list[PlayerId]:
        """The players who arrive at each full table."""
        return [
            player
            for index, player in enumerate(self.movers)
            if index not in self.resting_indexes
        ]

    @property
    def half_table_arrivals(self) -> list[PlayerId]:
        """The players who arrive at the half table."""
        return [self.movers[index] for index in sorted(self.resting_indexes, reverse=True)]


def _seat_table(
    table: TableResult,
    table_index: int,
    rule: MoveRule,
    first_role_arrival: PlayerId,
    second_role_arrival: PlayerId,
) -> Seats:
    """Return a table's four players for the next hand: two who stay, and two who arrive.

    The player with the role `rule.crossing_role` stays at the table, but changes sides.
    """
    staying_side = OPPOSITE_SIDE[_find_leaving_side(table, table_index, rule)]
    crossing_role = None if rule.has_head_table and table_index == 0 else rule.crossing_role
    seats: list[PlayerId | None] = [None] * 4
    for role, arriving_player in (
        (Role.FIRST, first_role_arrival),
        (Role.SECOND, second_role_arrival),
    ):
        staying_player = table.seats[ROLE_SEATS[staying_side, role]]
        new_side = OPPOSITE_SIDE[staying_side] if role is crossing_role else staying_side
        seats[ROLE_SEATS[new_side, role]] = staying_player
        seats[ROLE_SEATS[OPPOSITE_SIDE[new_side], role]] = arriving_player
    player_1, player_2, player_3, player_4 = (player for player in seats if player is not None)
    return player_1, player_2, player_3, player_4
