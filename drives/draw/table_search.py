"""Search for all rounds of a small evening, in a game without fixed partners.

Each pair of players at a table counts as a meeting. A pair that never meets costs half as much
as a repeated meeting. Twelve players therefore all meet within five rounds, which would not
happen if only repeated meetings had a cost. Source: simulated annealing, as in `annealing`. We
chose the temperatures by measurement.
"""

from functools import lru_cache
from itertools import combinations, pairwise, permutations

from drives.draw.random_stream import RandomStream

TOTAL_TRIES, TRIES_PER_STEP = 600_000, 1_000
START_TEMPERATURE, END_TEMPERATURE = 45, 25
"""The first and last temperature, in the unit of the costs."""
MEETING_COSTS = (50, 0, 100, 300, 700, 1200)
"""The costs of two players who meet 0, 1, 2, 3, 4 and 5 times."""
MAX_SEARCHED_ROUNDS = len(MEETING_COSTS) - 1

PlayersByRound = tuple[tuple[int, ...], ...]
"""The players of each round, four for each table; players are numbered from 0."""


# The cache saves time, because callers request the rounds of an evening one by one.
@lru_cache(32)
def search_tables(player_count: int) -> PlayersByRound:
    """Return five rounds with as few repeated meetings at a table as the search finds.

    Players rest in the order of their numbers, so that no player rests again before all have.
    The result is the same on every machine, and takes a limited number of tries.
    """
    search = _TableSearch(player_count)
    step_count = TOTAL_TRIES // TRIES_PER_STEP
    for step_index in range(step_count):
        if not search.fewest_repeat_count:
            break
        temperature_drop = (
            (START_TEMPERATURE - END_TEMPERATURE) * step_index // (step_count - 1)
        )
        search.try_exchanges(
            step_index % MAX_SEARCHED_ROUNDS, START_TEMPERATURE - temperature_drop
        )
    return _delay_repeated_meetings(
        search.best_seats, can_reorder=MAX_SEARCHED_ROUNDS * (player_count % 4) <= player_count
    )


class _TableSearch:
    """The seats of all rounds during the search, and how often each pair has met."""

    def __init__(self, player_count: int) -> None:
        self.random_stream = RandomStream(b"", "seats", player_count, MAX_SEARCHED_ROUNDS)
        resting_count = player_count % 4
        self.meeting_counts = [[0] * player_count for _player in range(player_count)]
        self.seats_by_round: list[list[int]] = []
        for round_index in range(MAX_SEARCHED_ROUNDS):
            resting_players = {
                (round_index * resting_count + index) % player_count
                for index in range(resting_count)
            }
            seats = self.random_stream.shuffle(
                [player for player in range(player_count) if player not in resting_players]
            )
            self.seats_by_round.append(seats)
            for player, other_player in _list_meetings(seats):
                self.meeting_counts[player][other_player] += 1
                self.meeting_counts[other_player][player] += 1
        self.extra_costs = [
            *(next_cost - cost for cost, next_cost in pairwise(MEETING_COSTS)),
            0,
        ]
        self.cost = sum(
            MEETING_COSTS[self.meeting_counts[player][other_player]]
            for player, other_player in combinations(range(player_count), 2)
        )
        self.save_best()

    def save_best(self) -> None:
        """Store the present seats as the best so far, with the number of repeated meetings."""
        self.lowest_cost, self.best_seats = self.cost, tuple(map(tuple, self.seats_by_round))
        self.fewest_repeat_count = _count_repeated_meetings(self.best_seats)

    def try_exchanges(self, round_index: int, temperature: int) -> None:
        """Try exchanges of two players at different tables of one round."""
        seats, meeting_counts, extra_costs = (
            self.seats_by_round[round_index],
            self.meeting_counts,
            self.extra_costs,
        )
        seat_indexes = self.random_stream.draw_integers(len(seats), 2 * TRIES_PER_STEP)
        limits = self.random_stream.draw_cost_limits(100 * temperature, TRIES_PER_STEP)
        for i, j, limit in zip(
            seat_indexes[:TRIES_PER_STEP], seat_indexes[TRIES_PER_STEP:], limits, strict=True
        ):
            if i ^ j < 4:  # both seats are at one table
                continue
            x, y = seats[i], seats[j]
            x_meeting_counts, y_meeting_counts = meeting_counts[x], meeting_counts[y]
            a, b, c = seats[i ^ 1], seats[i ^ 2], seats[i ^ 3]
            d, e, f = seats[j ^ 1], seats[j ^ 2], seats[j ^ 3]
            extra_cost = (
                extra_costs[y_meeting_counts[a]]
                + extra_costs[y_meeting_counts[b]]
                + extra_costs[y_meeting_counts[c]]
            )
            extra_cost += (
                extra_costs[x_meeting_counts[d]]
                + extra_costs[x_meeting_counts[e]]
                + extra_costs[x_meeting_counts[f]]
            )
            extra_cost -= (
                extra_costs[x_meeting_counts[a] - 1] + extra_costs[x_meeting_counts[b] - 1]
            )
            extra_cost -= (
                extra_costs[x_meeting_counts[c] - 1] + extra_costs[y_meeting_counts[d] - 1]
            )
            extra_cost -= (
                extra_costs[y_meeting_counts[e] - 1] + extra_costs[y_meeting_counts[f] - 1]
            )
            if extra_cost <= limit:
                seats[i], seats[j] = y, x
                for leaving_player, arriving_player, tablemates in (
                    (x, y, (a, b, c)),
                    (y, x, (d, e, f)),
                ):
                    for other_player in tablemates:
                        meeting_counts[leaving_player][other_player] = meeting_counts[
                            other_player
                        ][leaving_player] = meeting_counts[leaving_player][other_player] - 1
                        meeting_counts[arriving_player][other_player] = meeting_counts[
                            other_player
                        ][arriving_player] = meeting_counts[arriving_player][other_player] + 1
                self.cost += extra_cost
                if self.cost < self.lowest_cost:
                    self.save_best()


def _list_meetings(seats: tuple[int, ...] | list[int]) -> list[tuple[int, int]]:
    return [
        pair
        for start in range(0, len(seats), 4)
        for pair in combinations(seats[start : start + 4], 2)
    ]


def _count_repeated_meetings(players_by_round: PlayersByRound) -> int:
    """Return the number of meetings of pairs that have met before."""
    meetings = [frozenset(pair) for seats in players_by_round for pair in _list_meetings(seats)]
    return len(meetings) - len(set(meetings))


def _delay_repeated_meetings(
    players_by_round: PlayersByRound, *, can_reorder: bool
) -> PlayersByRound:
    """Sort the rounds so that repeated meetings come late, if `can_reorder` is true.

    If a player rests twice, `can_reorder` must be false, because another order could make this
    player rest twice before others have rested.
    """
    if not can_reorder:
        return players_by_round
    return min(
        permutations(players_by_round),
        key=lambda ordered_rounds: [
            _count_repeated_meetings(ordered_rounds[:round_count])
            for round_count in range(2, len(ordered_rounds))
        ],
    )
