"""Counts of earlier meetings as partners and as opponents, in matrices for a fast search."""

from collections.abc import Sequence

REPEATED_PARTNER_COST, REPEATED_OPPONENT_COST, PARTNER_AND_OPPONENT_COST = 40, 10, 1
"""The costs of a repeated partnership, of a repeated opposition, and of two players who meet
both as partners and as opponents.
"""

TABLE_MEETING_COST = 20
"""The cost of a repeated meeting in games without fixed partners, in which partners and
opponents are not distinguished.
"""

KEPT_APART_PARTNERSHIP_COUNT = 25
"""Two players who must be kept apart are treated as if they had been partners this many times.
"""

CountMatrix = list[list[int]]


class MeetingCosts:
    """The number of meetings of each pair of players, and the costs of another meeting.

    Players are numbered from 0.
    """

    def __init__(self, player_count: int, *, should_avoid_table_repeats: bool = False) -> None:
        self.should_avoid_table_repeats = should_avoid_table_repeats
        self.partner_counts: CountMatrix = [[0] * player_count for _ in range(player_count)]
        self.opponent_counts: CountMatrix = [[0] * player_count for _ in range(player_count)]
        self.partner_cost: CountMatrix = [[0] * player_count for _ in range(player_count)]
        self.opponent_cost: CountMatrix = [[0] * player_count for _ in range(player_count)]

    def penalise_partnership(self, player_number: int, other_player_number: int) -> None:
        """Make a partnership of two players cost more than any repeated partnership."""
        for row, column in (
            (player_number, other_player_number),
            (other_player_number, player_number),
        ):
            self.partner_counts[row][column] += KEPT_APART_PARTNERSHIP_COUNT
            self.partner_cost[row][column] += (
                KEPT_APART_PARTNERSHIP_COUNT * REPEATED_PARTNER_COST
            )
            if self.should_avoid_table_repeats:
                self.opponent_cost[row][column] = self.partner_cost[row][column]

    def add_round(self, seats: Sequence[int]) -> None:
        """Count the meetings of a round. `seats` lists four players for each table."""
        for start in range(0, len(seats), 4):
            player_1, player_2, player_3, player_4 = seats[start : start + 4]
            self._add_meetings(
                self.partner_counts,
                ((player_1, player_3), (player_2, player_4)),
                REPEATED_PARTNER_COST,
                PARTNER_AND_OPPONENT_COST,
            )
            opponent_pairs = (
                (player_1, player_2),
                (player_2, player_3),
                (player_3, player_4),
                (player_4, player_1),
            )
            self._add_meetings(
                self.opponent_counts,
                opponent_pairs,
                PARTNER_AND_OPPONENT_COST,
                REPEATED_OPPONENT_COST,
            )

    def _add_meetings(
        self,
        meeting_counts: CountMatrix,
        pairs: Sequence[tuple[int, int]],
        partner_cost: int,
        opponent_cost: int,
    ) -> None:
        for player_number, other_player_number in pairs:
            for row, column in (
                (player_number, other_player_number),
                (other_player_number, player_number),
            ):
                meeting_counts[row][column] += 1
                self.partner_cost[row][column] += (
                    TABLE_MEETING_COST if self.should_avoid_table_repeats else partner_cost
                )
                self.opponent_cost[row][column] += (
                    TABLE_MEETING_COST if self.should_avoid_table_repeats else opponent_cost
                )


def compute_round_cost(seats: Sequence[int], meeting_costs: MeetingCosts) -> int:
    """Return the cost of a round, given the meetings so far."""
    partner_cost, opponent_cost = meeting_costs.partner_cost, meeting_costs.opponent_cost
    round_cost = 0
    for start in range(0, len(seats), 4):
        player_1, player_2, player_3, player_4 = seats[start : start + 4]
        round_cost += (
            partner_cost[player_1][player_3]
            + partner_cost[player_2][player_4]
            + opponent_cost[player_1][player_2]
        )
        round_cost += (
            opponent_cost[player_2][player_3]
            + opponent_cost[player_3][player_4]
            + opponent_cost[player_4][player_1]
        )
    return round_cost
