"""Seat one round by repeated exchanges of two players, given the meetings of earlier rounds.

An exchange that makes the round worse is accepted often at a high temperature, and more rarely
as the temperature falls. The search can be repeated with the same result, because its random
numbers come from the secret of the evening and the number of tries is limited. Source:
simulated annealing (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, 1983). The parameters are our
own, chosen by measurement.
"""

from collections.abc import Iterable, Sequence

from drives.draw.memory import MeetingCosts, compute_round_cost
from drives.draw.random_stream import RandomStream

COOLING_STEP_COUNT = 24
START_TEMPERATURE, COOLING_FRACTION = 800, (91, 100)
"""The temperature of the first step, in hundredths of a unit of cost. Each further step
multiplies it by `COOLING_FRACTION`, i.e. by 91/100.
"""


def draw_round(
    seats: Sequence[int],
    movable_seats: Sequence[int],
    meeting_costs: MeetingCosts,
    random_stream: RandomStream,
    max_try_count: int,
) -> tuple[list[int], int]:
    """Seat a round at low cost; return the players by seat, and the number of tries.

    `seats` lists the players in any order. Seat k belongs to table k // 4, and its player's
    partner sits in seat k ^ 2. Seats are numbered from 0. Only the players in `movable_seats`
    may change seats.
    """
    search = _RoundSearch(list(seats), movable_seats, meeting_costs)
    temperature, try_count = START_TEMPERATURE, 0
    for _step in range(COOLING_STEP_COUNT if len(seats) > 4 else 1):
        search.choose_partnerships()
        if not search.lowest_cost:
            break
        if len(seats) > 4:
            search.try_seat_exchanges(
                random_stream, temperature, max_try_count // COOLING_STEP_COUNT
            )
            try_count += max_try_count // COOLING_STEP_COUNT
        temperature = temperature * COOLING_FRACTION[0] // COOLING_FRACTION[1]
    search.choose_partnerships()
    return search.best_seats, try_count


class _RoundSearch:
    """The seats of one round during the search."""

    def __init__(
        self, seats: list[int], movable_seats: Sequence[int], meeting_costs: MeetingCosts
    ) -> None:
        self.seats, self.meeting_costs, self.movable_seats = seats, meeting_costs, movable_seats
        self.rearrangeable_table_starts = list_rearrangeable_table_starts(
            len(seats), movable_seats
        )
        self.cost = self.lowest_cost = compute_round_cost(seats, meeting_costs)
        self.best_seats = list(seats)

    def try_seat_exchanges(
        self, random_stream: RandomStream, temperature: int, try_count: int
    ) -> None:
        """Try `try_count` exchanges of two seats at different tables."""
        seats, cost, lowest_cost = self.seats, self.cost, self.lowest_cost
        partner_cost_matrix, opponent_cost_matrix = (
            self.meeting_costs.partner_cost,
            self.meeting_costs.opponent_cost,
        )
        for i, j, limit in _iter_exchanges(
            self.movable_seats, random_stream, temperature, try_count
        ):
            if i ^ j < 4:  # both seats are at one table
                continue
            # Players x and y exchange seats. Each has a partner and two opponents.
            # `x_partner_costs` and `x_opponent_costs` are the costs of x with each other player
            # as a partner and as an opponent.
            x, y = seats[i], seats[j]
            x_partner, x_opponent_1, x_opponent_2 = seats[i ^ 2], seats[i ^ 1], seats[i ^ 3]
            y_partner, y_opponent_1, y_opponent_2 = seats[j ^ 2], seats[j ^ 1], seats[j ^ 3]
            x_partner_costs, y_partner_costs, x_opponent_costs, y_opponent_costs = (
                partner_cost_matrix[x],
                partner_cost_matrix[y],
                opponent_cost_matrix[x],
                opponent_cost_matrix[y],
            )
            extra_cost = (
                y_partner_costs[x_partner]
                + x_partner_costs[y_partner]
                - x_partner_costs[x_partner]
                - y_partner_costs[y_partner]
                + y_opponent_costs[x_opponent_1]
                + y_opponent_costs[x_opponent_2]
                - y_opponent_costs[y_opponent_1]
                - y_opponent_costs[y_opponent_2]
            )
            extra_cost += (
                x_opponent_costs[y_opponent_1]
                + x_opponent_costs[y_opponent_2]
                - x_opponent_costs[x_opponent_1]
                - x_opponent_costs[x_opponent_2]
            )
            if extra_cost <= limit:
                seats[i], seats[j] = y, x
                cost += extra_cost
                if cost < lowest_cost:
                    lowest_cost, self.best_seats = cost, seats[:]
                    if not cost:
                        break
        self.cost, self.lowest_cost = cost, lowest_cost

    def choose_partnerships(self) -> None:
        """Choose the cheapest of the three ways to pair the players of each table.

        The seats are stored if the round then costs less than the best one so far.
        """
        seats = self.best_seats[:]
        for first_seat_index in self.rearrangeable_table_starts:
            player_1, player_2, player_3, player_4 = seats[
                first_seat_index : first_seat_index + 4
            ]
            possible_partnerships = (
                [player_1, player_2, player_3, player_4],
                [player_1, player_3, player_2, player_4],
                [player_1, player_2, player_4, player_3],
            )
            cheapest_partnerships = min(
                possible_partnerships,
                key=lambda partnerships: compute_round_cost(partnerships, self.meeting_costs),
            )
            seats[first_seat_index : first_seat_index + 4] = cheapest_partnerships
        cost = compute_round_cost(seats, self.meeting_costs)
        if cost < self.lowest_cost:
            self.lowest_cost, self.best_seats = cost, seats
            self.cost, self.seats = cost, seats[:]


def list_rearrangeable_table_starts(seat_count: int, movable_seats: Sequence[int]) -> list[int]:
    """Return, for each table whose last three seats may change, the index of its first seat."""
    movable_seat_set = frozenset(movable_seats)
    return [
        first_seat_index
        for first_seat_index in range(0, seat_count, 4)
        if movable_seat_set.issuperset(range(first_seat_index + 1, first_seat_index + 4))
    ]


def _iter_exchanges(
    movable_seats: Sequence[int], random_stream: RandomStream, temperature: int, try_count: int
) -> Iterable[tuple[int, int, int]]:
    """Yield random exchanges: two seat indexes, and the maximum extra cost to accept."""
    seat_indexes = [
        movable_seats[k] for k in random_stream.draw_integers(len(movable_seats), 2 * try_count)
    ]
    cost_limits = random_stream.draw_cost_limits(temperature, try_count)
    return zip(seat_indexes[:try_count], seat_indexes[try_count:], cost_limits, strict=True)
