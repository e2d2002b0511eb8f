"""Who was partner and opponent of whom so far, as tables that a search reads quickly."""

from collections.abc import Sequence

PARTNERED_AGAIN, OPPOSED_AGAIN, IN_THE_OTHER_WAY = 40, 10, 1
"""What it costs to seat two as partners or opponents again, or as one having been the other."""

KEPT_APART = 25
"""So many times two who are kept apart count as partners already."""

Square = list[list[int]]


class Memory:
    """The meetings of players numbered from 0, and what each further one would cost."""

    def __init__(self, players: int) -> None:
        self.partners: Square = [[0] * players for _ in range(players)]
        self.opponents: Square = [[0] * players for _ in range(players)]
        self.partner_cost: Square = [[0] * players for _ in range(players)]
        self.opponent_cost: Square = [[0] * players for _ in range(players)]

    def keep_apart(self, one: int, other: int) -> None:
        """Let two count as partners already, and oftener than any two will be."""
        for first, second in ((one, other), (other, one)):
            self.partners[first][second] += KEPT_APART
            self.partner_cost[first][second] += KEPT_APART * PARTNERED_AGAIN

    def add(self, seats: Sequence[int]) -> None:
        """Remember a round: its players four by four, each table round."""
        for at in range(0, len(seats), 4):
            one, two, three, four = seats[at : at + 4]
            self._met(self.partners, ((one, three), (two, four)), PARTNERED_AGAIN, 1)
            sides = ((one, two), (two, three), (three, four), (four, one))
            self._met(self.opponents, sides, 1, OPPOSED_AGAIN)

    def _met(
        self, square: Square, pairs: Sequence[tuple[int, int]], partner: int, opponent: int
    ) -> None:
        for one, other in pairs:
            for first, second in ((one, other), (other, one)):
                square[first][second] += 1
                self.partner_cost[first][second] += partner
                self.opponent_cost[first][second] += opponent


def cost_of(seats: Sequence[int], memory: Memory) -> int:
    """What a round costs after all that is remembered."""
    partner, opponent = memory.partner_cost, memory.opponent_cost
    cost = 0
    for at in range(0, len(seats), 4):
        one, two, three, four = seats[at : at + 4]
        cost += partner[one][three] + partner[two][four] + opponent[one][two]
        cost += opponent[two][three] + opponent[three][four] + opponent[four][one]
    return cost
