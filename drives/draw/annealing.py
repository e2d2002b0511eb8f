"""The search of one round by exchanges of two players' seats, with memory of earlier rounds.

An exchange that costs more is accepted at a high temperature and refused as it falls. The
search has a limited number of tries and uses the evening's secret, so it can be repeated.

Source: simulated annealing (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, 1983); measured here.
"""

from collections.abc import Iterable, Sequence

from drives.draw.memory import MeetingMemory, compute_round_cost
from drives.draw.random_stream import RandomStream

COOLING_STEPS = 24
START_TEMPERATURE, COOLING_FRACTION = 800, (91, 100)
"""The first step's temperature, in hundredths of a cost, and the fraction left at the next."""


def draw_round(
    seats: Sequence[int],
    movable: Sequence[int],
    memory: MeetingMemory,
    random_stream: RandomStream,
    tries: int,
) -> tuple[list[int], int]:
    """Seat a round at low cost, from any order of its players; also return the number of tries.

    Place k is at table k // 4, with its partner at place k ^ 2. Only `movable` places may
    change.
    """
    search = _RoundSearch(list(seats), movable, memory)
    temperature, try_count = START_TEMPERATURE, 0
    for _step in range(COOLING_STEPS if len(seats) > 4 else 1):
        search.choose_partnerships()
        if not search.best:
            break
        if len(seats) > 4:
            search.try_seat_exchanges(random_stream, temperature, tries // COOLING_STEPS)
            try_count += tries // COOLING_STEPS
        temperature = temperature * COOLING_FRACTION[0] // COOLING_FRACTION[1]
    search.choose_partnerships()
    return search.best_seats, try_count


class _RoundSearch:
    """The seats of one round during the search."""

    def __init__(self, seats: list[int], movable: Sequence[int], memory: MeetingMemory) -> None:
        self.seats, self.memory, self.movable = seats, memory, movable
        self.turning = list_rearrangeable_tables(len(seats), movable)
        self.cost = self.best = compute_round_cost(seats, memory)
        self.best_seats = list(seats)

    def try_seat_exchanges(
        self, random_stream: RandomStream, temperature: int, tries: int
    ) -> None:
        """Try `tries` exchanges of two seats at different tables."""
        seats, cost, best = self.seats, self.cost, self.best
        partner, opponent = self.memory.partner_cost, self.memory.opponent_cost
        for i, j, limit in _iter_exchanges(self.movable, random_stream, temperature, tries):
            if i ^ j < 4:
                continue
            x, y = seats[i], seats[j]
            a, b, c = seats[i ^ 2], seats[i ^ 1], seats[i ^ 3]
            d, e, f = seats[j ^ 2], seats[j ^ 1], seats[j ^ 3]
            px, py, ox, oy = partner[x], partner[y], opponent[x], opponent[y]
            dearer = py[a] + px[d] - px[a] - py[d] + oy[b] + oy[c] - oy[e] - oy[f]
            dearer += ox[e] + ox[f] - ox[b] - ox[c]
            if dearer <= limit:
                seats[i], seats[j] = y, x
                cost += dearer
                if cost < best:
                    best, self.best_seats = cost, seats[:]
                    if not cost:
                        break
        self.cost, self.best = cost, best

    def choose_partnerships(self) -> None:
        """Give each table the cheapest of its three possible partnerships, and store the best
        seats.
        """
        seats = self.best_seats[:]
        for at in self.turning:
            one, two, three, four = seats[at : at + 4]
            ways = ([one, two, three, four], [one, three, two, four], [one, two, four, three])
            cheapest = min(
                ways, key=lambda partnerships: compute_round_cost(partnerships, self.memory)
            )
            seats[at : at + 4] = cheapest
        cost = compute_round_cost(seats, self.memory)
        if cost < self.best:
            self.best, self.best_seats = cost, seats
            self.cost, self.seats = cost, seats[:]


def list_rearrangeable_tables(size: int, movable: Sequence[int]) -> list[int]:
    """Return the first places of the tables whose other three places may change."""
    movable_places = frozenset(movable)
    return [at for at in range(0, size, 4) if movable_places.issuperset(range(at + 1, at + 4))]


def _iter_exchanges(
    movable: Sequence[int], random_stream: RandomStream, temperature: int, tries: int
) -> Iterable[tuple[int, int, int]]:
    """Yield random exchanges: two places, and the maximum extra cost that is accepted."""
    places = [movable[k] for k in random_stream.draw_below(len(movable), 2 * tries)]
    limits = random_stream.draw_cost_limits(temperature, tries)
    return zip(places[:tries], places[tries:], limits, strict=True)
