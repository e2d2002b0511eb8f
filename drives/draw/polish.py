"""A joint search that improves all rounds after they were drawn one by one.

A change exchanges the seats of two players in one round, the partners of a table's four, or two
players' rounds of rest. Played rounds are in the memory and never change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drives.draw.annealing import list_rearrangeable_tables
from drives.draw.memory import CountMatrix, MeetingMemory
from drives.draw.random_stream import RandomStream

PARTNER_COST, OPPONENT_COST = 40, 10
"""The cost of a coincidence of partners, and of one of opponents."""

TRIES_PER_STEP = 2000
"""The number of tries in each step, which searches one round."""


@dataclass(frozen=True, kw_only=True)
class AnnealingSchedule:
    """The tries of the search, and its temperature in hundredths of the unit of costs."""

    tries: int
    start_temperature: int
    end_temperature: int
    rest_tries: int


@dataclass(kw_only=True)
class EveningSeats:
    """The seats of all rounds of an evening, four by four, and the players who rest.

    `earlier_rests` are the rests of each player before the first of these rounds.
    `fixed_players` are the players who stay seated and the house players, whose rests do not
    change. `movable` are the places of each round that may change.
    """

    seats: list[list[int]]
    rests: list[list[int]]
    earlier_rests: Sequence[int]
    season_rests: Sequence[int]
    fixed_players: frozenset[int]
    movable: Sequence[Sequence[int]]

    def copy_rounds(self) -> "tuple[list[list[int]], list[list[int]]]":
        """Return a copy of the present rounds, to restore later."""
        return [row[:] for row in self.seats], [row[:] for row in self.rests]


def polish_rounds(
    evening: EveningSeats,
    memory: MeetingMemory,
    random_stream: RandomStream,
    *,
    max_gain: int,
    schedule: AnnealingSchedule,
) -> int:
    """Improve the seats of an evening in place, by at most `gain`; return the number of tries.

    The memory contains the meetings of these rounds; its content is undefined afterwards.
    """
    search = _Search(evening, memory, max_gain)
    steps = max(2, schedule.tries // TRIES_PER_STEP)
    for step in range(steps):
        temperature = schedule.start_temperature + (
            schedule.end_temperature - schedule.start_temperature
        ) * step // (steps - 1)
        at = step % len(evening.seats)
        search.try_seat_exchanges(at, random_stream, temperature)
        search.try_partner_exchanges(at, random_stream, temperature)
        search.try_rest_exchanges(at, random_stream, temperature, schedule.rest_tries)
        if search.is_done:
            break
    evening.seats, evening.rests = search.best_course
    return (step + 1) * TRIES_PER_STEP


class _Search:
    """The state of the search; `cost` is relative to the initial seats."""

    def __init__(self, evening: EveningSeats, memory: MeetingMemory, max_gain: int) -> None:
        self.course, self.gain = evening, max_gain
        self.partners, self.opponents = memory.partners, memory.opponents
        self.cost = self.best = 0
        self.best_course = evening.copy_rounds()
        self.movable = evening.movable
        size = len(evening.seats[0])
        self.turning = [list_rearrangeable_tables(size, places) for places in evening.movable]
        self.turns: list[list[int]] = [[] for _ in evening.season_rests]
        for number, resting in enumerate(evening.rests):
            for player in resting:
                self.turns[player].append(number)

    @property
    def is_done(self) -> bool:
        """Whether no improvement is possible."""
        return self.best <= -self.gain

    def save_best(self) -> None:
        """Store the seats if they are the best so far."""
        if self.cost < self.best:
            self.best, self.best_course = self.cost, self.course.copy_rounds()

    def try_seat_exchanges(
        self, number: int, random_stream: RandomStream, temperature: int
    ) -> None:
        """Try exchanges of two seats at different tables of one round."""
        seats, partners, opponents = self.course.seats[number], self.partners, self.opponents
        if len(seats) < 8:
            return
        movable = self.movable[number]
        places = [
            movable[k] for k in random_stream.draw_below(len(movable), 2 * TRIES_PER_STEP)
        ]
        limits = random_stream.draw_cost_limits(temperature, TRIES_PER_STEP)
        for i, j, limit in zip(
            places[:TRIES_PER_STEP], places[TRIES_PER_STEP:], limits, strict=True
        ):
            if i ^ j < 4:
                continue
            x, y = seats[i], seats[j]
            a, b, c = seats[i ^ 2], seats[i ^ 1], seats[i ^ 3]
            d, e, f = seats[j ^ 2], seats[j ^ 1], seats[j ^ 3]
            x_partner, y_partner, x_opponent, y_opponent = (
                partners[x],
                partners[y],
                opponents[x],
                opponents[y],
            )
            extra_cost = (
                y_opponent[b]
                + y_opponent[c]
                - y_opponent[e]
                - y_opponent[f]
                + x_opponent[e]
                + x_opponent[f]
                - x_opponent[b]
                - x_opponent[c]
                + 4
            )
            extra_cost = OPPONENT_COST * extra_cost + PARTNER_COST * (
                y_partner[a] + x_partner[d] - x_partner[a] - y_partner[d] + 2
            )
            if extra_cost <= limit:
                seats[i], seats[j] = y, x
                _replace_meetings(partners, x, y, (a,))
                _replace_meetings(partners, y, x, (d,))
                _replace_meetings(opponents, x, y, (b, c))
                _replace_meetings(opponents, y, x, (e, f))
                self.cost += extra_cost
                if self.cost < self.best:
                    self.save_best()

    def try_partner_exchanges(
        self, number: int, random_stream: RandomStream, temperature: int
    ) -> None:
        """Try other partners within each table by exchanging its second and third players."""
        seats, partners, opponents = self.course.seats[number], self.partners, self.opponents
        turning = self.turning[number]
        for at, limit in enumerate(
            random_stream.draw_cost_limits(temperature, 2 * len(turning))
        ):
            first = turning[at >> 1]
            one, two, three, four = seats[first : first + 4]
            if at & 1:
                two, four = four, two
            dearer = PARTNER_COST * (
                partners[one][two] + partners[three][four] + 2
                - partners[one][three] - partners[two][four]
            ) + OPPONENT_COST * (
                opponents[one][three] + opponents[two][four] + 2
                - opponents[one][two] - opponents[three][four]
            )  # fmt: skip
            if dearer <= limit:
                seats[first : first + 4] = one, three, two, four
                for square, sign in ((partners, 1), (opponents, -1)):
                    for x, y, change in (
                        (one, two, 1),
                        (three, four, 1),
                        (one, three, -1),
                        (two, four, -1),
                    ):
                        square[x][y] += sign * change
                        square[y][x] += sign * change
                self.cost += dearer
                self.save_best()

    def try_rest_exchanges(
        self, number: int, random_stream: RandomStream, temperature: int, tries: int
    ) -> None:
        """Try exchanges between a player who rests in a round and one who plays in it."""
        resting, seats = self.course.rests[number], self.course.seats[number]
        if not resting or not tries:
            return
        outs = random_stream.draw_below(len(resting), tries)
        movable = self.movable[number]
        places = [movable[k] for k in random_stream.draw_below(len(movable), tries)]
        for out, place, limit in zip(
            outs, places, random_stream.draw_cost_limits(temperature, tries), strict=True
        ):
            exchange = self._find_rest_exchange(number, resting[out], seats[place])
            if exchange is None:
                continue
            extra_cost = self._exchange_players(*exchange)
            if extra_cost <= limit:
                self.cost += extra_cost
                self._update_rests(*exchange)
                self.save_best()
            else:
                self._exchange_players(exchange[1], exchange[0], *exchange[2:])

    def _find_rest_exchange(
        self, number: int, rester: int, other: int
    ) -> tuple[int, int, int, int | None] | None:
        """Return a fair exchange of rests between two players, or None.

        The result is the player who plays and the one who rests in the round afterwards, the
        round, and the round of the reverse exchange. A player's rests are numbered in order,
        and only rests of equal number are exchanged. So no player rests a second time before
        all have rested once.
        """
        evening, rest_turns = self.course, self.turns
        if {rester, other} & evening.fixed_players or not self._have_rested_equally(
            rester, other
        ):
            return None
        count = rest_turns[rester].index(number)
        if len(rest_turns[other]) > count:
            return_round = rest_turns[other][count]
            is_possible = rester in evening.seats[return_round]
            return (rester, other, number, return_round) if is_possible else None
        is_possible = len(rest_turns[other]) == count and len(rest_turns[rester]) == count + 1
        return (rester, other, number, None) if is_possible else None

    def _have_rested_equally(self, one: int, other: int) -> bool:
        """Return whether two players rested equally often, earlier tonight and this season."""
        rested, ledger = self.course.earlier_rests, self.course.season_rests
        return rested[one] == rested[other] and ledger[one] == ledger[other]

    def _exchange_players(
        self, incoming: int, outgoing: int, number: int, return_round: int | None
    ) -> int:
        """Exchange two players in a round and in the `back` round; return the extra cost."""
        extra_cost = self._replace_player(number, outgoing, incoming)
        return extra_cost + (
            0
            if return_round is None
            else self._replace_player(return_round, incoming, outgoing)
        )

    def _replace_player(self, number: int, outgoing: int, incoming: int) -> int:
        seats = self.course.seats[number]
        at = seats.index(outgoing)
        seats[at] = incoming
        return PARTNER_COST * _replace_and_count(
            self.partners, outgoing, incoming, [seats[at ^ 2]]
        ) + (
            OPPONENT_COST
            * _replace_and_count(
                self.opponents, outgoing, incoming, [seats[at ^ 1], seats[at ^ 3]]
            )
        )

    def _update_rests(
        self, incoming: int, outgoing: int, number: int, return_round: int | None
    ) -> None:
        rests, turns = self.course.rests, self.turns
        rests[number][rests[number].index(incoming)] = outgoing
        count = turns[incoming].index(number)
        if return_round is None:
            turns[incoming].pop()
            turns[outgoing].append(number)
        else:
            rests[return_round][rests[return_round].index(outgoing)] = incoming
            turns[incoming][count], turns[outgoing][count] = return_round, number


def _replace_meetings(
    square: CountMatrix, outgoing: int, incoming: int, other_players: tuple[int, ...]
) -> None:
    """Replace one player by another in the counts of meetings with some others."""
    outgoing_row, incoming_row = square[outgoing], square[incoming]
    for other_player in other_players:
        row = square[other_player]
        row[outgoing] = outgoing_row[other_player] = outgoing_row[other_player] - 1
        row[incoming] = incoming_row[other_player] = incoming_row[other_player] + 1


def _replace_and_count(
    square: CountMatrix, outgoing: int, incoming: int, other_players: Sequence[int]
) -> int:
    """Replace a player as `_replace_meetings` does; return the additional coincidences."""
    added_coincidences = 0
    for other_player in other_players:
        added_coincidences += (
            square[incoming][other_player] - square[outgoing][other_player] + 1
        )
        _replace_meetings(square, outgoing, incoming, (other_player,))
    return added_coincidences
