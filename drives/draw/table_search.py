"""The search of a small evening in which all at a table count alike, in all rounds together.

A pair that never meets costs half as much as a repeated meeting. So with twelve players all
meet in five rounds, which the count of repeated meetings does not reach.

Source: simulated annealing, as in `annealing`; the temperatures were measured here.
"""

from functools import lru_cache
from itertools import combinations, pairwise, permutations

from drives.draw.random_stream import RandomStream

TRIES, TRIES_PER_STEP = 600_000, 1_000
START_TEMPERATURE, END_TEMPERATURE = 45, 25
"""The first and last temperature, in the unit of the costs."""
MEETING_COSTS = (50, 0, 100, 300, 700, 1200)
"""The cost of a pair by its number of meetings: a fourth meeting costs most."""
ROUNDS = len(MEETING_COSTS) - 1

SeatRows = tuple[tuple[int, ...], ...]
"""The seats of each round, four by four; players are numbered from 0."""


@lru_cache(32)  # an evening is drawn round by round, and every drive of that size is the same
def search_tables(players: int) -> SeatRows:
    """Return rounds in which two players sit together again as rarely as was found.

    There are five rounds. Players rest in the order of their numbers, so that no player rests
    again before all have. The result is the same on every machine, and takes a limited number
    of tries.
    """
    search = _TableSearch(players)
    steps = TRIES // TRIES_PER_STEP
    for step in range(steps):
        if not search.fewest_repeats:
            break
        cooling = (START_TEMPERATURE - END_TEMPERATURE) * step // (steps - 1)
        search.try_exchanges(step % ROUNDS, START_TEMPERATURE - cooling)
    return _delay_repeats(search.best_seats, is_fair=ROUNDS * (players % 4) <= players)


class _TableSearch:
    """The seats of all rounds during the search, and how often each pair has met."""

    def __init__(self, players: int) -> None:
        self.chance = RandomStream(b"", "seats", players, ROUNDS)
        resting = players % 4
        self.met = [[0] * players for _player in range(players)]
        self.seats: list[list[int]] = []
        for number in range(ROUNDS):
            rest = {(number * resting + at) % players for at in range(resting)}
            row = self.chance.shuffle([who for who in range(players) if who not in rest])
            self.seats.append(row)
            for one, other in _list_meetings(row):
                self.met[one][other] += 1
                self.met[other][one] += 1
        self.extra_costs = [*(after - before for before, after in pairwise(MEETING_COSTS)), 0]
        self.cost = sum(
            MEETING_COSTS[self.met[one][other]]
            for one, other in combinations(range(players), 2)
        )
        self.save_best()

    def save_best(self) -> None:
        """Store the seats, the best so far, with their number of repeated meetings."""
        self.best, self.best_seats = self.cost, tuple(map(tuple, self.seats))
        self.fewest_repeats = _count_repeats(self.best_seats)

    def try_exchanges(self, number: int, temperature: int) -> None:
        """Try exchanges of two players at different tables of one round."""
        seats, met, extra_costs = self.seats[number], self.met, self.extra_costs
        places = self.chance.draw_below(len(seats), 2 * TRIES_PER_STEP)
        limits = self.chance.draw_cost_limits(100 * temperature, TRIES_PER_STEP)
        for i, j, limit in zip(
            places[:TRIES_PER_STEP], places[TRIES_PER_STEP:], limits, strict=True
        ):
            if i ^ j < 4:
                continue
            x, y = seats[i], seats[j]
            met_x, met_y = met[x], met[y]
            a, b, c = seats[i ^ 1], seats[i ^ 2], seats[i ^ 3]
            d, e, f = seats[j ^ 1], seats[j ^ 2], seats[j ^ 3]
            extra = extra_costs[met_y[a]] + extra_costs[met_y[b]] + extra_costs[met_y[c]]
            extra += extra_costs[met_x[d]] + extra_costs[met_x[e]] + extra_costs[met_x[f]]
            extra -= extra_costs[met_x[a] - 1] + extra_costs[met_x[b] - 1]
            extra -= extra_costs[met_x[c] - 1] + extra_costs[met_y[d] - 1]
            extra -= extra_costs[met_y[e] - 1] + extra_costs[met_y[f] - 1]
            if extra <= limit:
                seats[i], seats[j] = y, x
                for leaver, comer, table in ((x, y, (a, b, c)), (y, x, (d, e, f))):
                    for other in table:
                        met[leaver][other] = met[other][leaver] = met[leaver][other] - 1
                        met[comer][other] = met[other][comer] = met[comer][other] + 1
                self.cost += extra
                if self.cost < self.best:
                    self.save_best()


def _list_meetings(row: tuple[int, ...] | list[int]) -> list[tuple[int, int]]:
    return [pair for at in range(0, len(row), 4) for pair in combinations(row[at : at + 4], 2)]


def _count_repeats(rows: SeatRows) -> int:
    """Return how many meetings are not the first one of their pair."""
    meetings = [frozenset(pair) for row in rows for pair in _list_meetings(row)]
    return len(meetings) - len(set(meetings))


def _delay_repeats(rows: SeatRows, *, is_fair: bool) -> SeatRows:
    """Order the rounds so that meetings repeat late, if rests stay fair in any order."""
    if not is_fair:
        return rows
    return min(
        permutations(rows),
        key=lambda order: [_count_repeats(order[:count]) for count in range(2, len(order))],
    )
