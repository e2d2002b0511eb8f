"""Counts of earlier partners and opponents, as matrices for a fast search."""

from collections.abc import Sequence

REPEATED_PARTNER_COST, REPEATED_OPPONENT_COST, PARTNER_AND_OPPONENT_COST = 40, 10, 1
"""The costs of repeated partners, repeated opponents, and of one after the other."""

TABLE_MEETING_COST = 20
"""The cost of a repeated meeting where all pairs at a table count alike."""

KEPT_APART_PENALTY = 25
"""The number of earlier partnerships that is counted for two players who must be kept apart."""

CountMatrix = list[list[int]]


class MeetingMemory:
    """The meetings of each pair of players (numbered from 0), and the resulting costs."""

    def __init__(self, players: int, *, meets_at_tables: bool = False) -> None:
        self.meets_at_tables = meets_at_tables
        self.partners: CountMatrix = [[0] * players for _ in range(players)]
        self.opponents: CountMatrix = [[0] * players for _ in range(players)]
        self.partner_cost: CountMatrix = [[0] * players for _ in range(players)]
        self.opponent_cost: CountMatrix = [[0] * players for _ in range(players)]

    def keep_apart(self, one: int, other: int) -> None:
        """Make a partnership of two players more expensive than any repeated partnership."""
        for first, second in ((one, other), (other, one)):
            self.partners[first][second] += KEPT_APART_PENALTY
            self.partner_cost[first][second] += KEPT_APART_PENALTY * REPEATED_PARTNER_COST
            if self.meets_at_tables:
                self.opponent_cost[first][second] = self.partner_cost[first][second]

    def add(self, seats: Sequence[int]) -> None:
        """Add a round: its players four by four, in seat order."""
        for at in range(0, len(seats), 4):
            one, two, three, four = seats[at : at + 4]
            self._add_meetings(
                self.partners, ((one, three), (two, four)), REPEATED_PARTNER_COST, 1
            )
            sides = ((one, two), (two, three), (three, four), (four, one))
            self._add_meetings(self.opponents, sides, 1, REPEATED_OPPONENT_COST)

    def _add_meetings(
        self, square: CountMatrix, pairs: Sequence[tuple[int, int]], partner: int, opponent: int
    ) -> None:
        for one, other in pairs:
            for first, second in ((one, other), (other, one)):
                square[first][second] += 1
                self.partner_cost[first][second] += (
                    TABLE_MEETING_COST if self.meets_at_tables else partner
                )
                self.opponent_cost[first][second] += (
                    TABLE_MEETING_COST if self.meets_at_tables else opponent
                )


def compute_round_cost(seats: Sequence[int], memory: MeetingMemory) -> int:
    """Return the cost of a round, given the meetings so far."""
    partner, opponent = memory.partner_cost, memory.opponent_cost
    cost = 0
    for at in range(0, len(seats), 4):
        one, two, three, four = seats[at : at + 4]
        cost += partner[one][three] + partner[two][four] + opponent[one][two]
        cost += opponent[two][three] + opponent[three][four] + opponent[four][one]
    return cost
