"""A joint search that improves all rounds after they were drawn one by one.

A change exchanges the seats of two players in one round, the partners of a table's four, or two
players' rounds of rest. Played rounds are in the memory and never change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drives.draw.annealing import list_rearrangeable_tables
from drives.draw.memory import MeetingMemory, Square
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
    course: EveningSeats,
    memory: MeetingMemory,
    chance: RandomStream,
    *,
    gain: int,
    schedule: AnnealingSchedule,
) -> int:
    """Improve the seats of an evening in place, by at most `gain`; return the number of tries.

    The memory contains the meetings of these rounds; its content is undefined afterwards.
    """
    search = _Search(course, memory, gain)
    steps = max(2, schedule.tries // TRIES_PER_STEP)
    for step in range(steps):
        temperature = schedule.start_temperature + (
            schedule.end_temperature - schedule.start_temperature
        ) * step // (steps - 1)
        at = step % len(course.seats)
        search.try_seat_exchanges(at, chance, temperature)
        search.try_partner_exchanges(at, chance, temperature)
        search.try_rest_exchanges(at, chance, temperature, schedule.rest_tries)
        if search.is_done:
            break
    course.seats, course.rests = search.best_course
    return (step + 1) * TRIES_PER_STEP


class _Search:
    """The state of the search; `cost` is relative to the initial seats."""

    def __init__(self, course: EveningSeats, memory: MeetingMemory, gain: int) -> None:
        self.course, self.gain = course, gain
        self.partners, self.opponents = memory.partners, memory.opponents
        self.cost = self.best = 0
        self.best_course = course.copy_rounds()
        self.movable = course.movable
        size = len(course.seats[0])
        self.turning = [list_rearrangeable_tables(size, places) for places in course.movable]
        self.turns: list[list[int]] = [[] for _ in course.season_rests]
        for number, resting in enumerate(course.rests):
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

    def try_seat_exchanges(self, number: int, chance: RandomStream, temperature: int) -> None:
        """Try exchanges of two seats at different tables of one round."""
        seats, partners, opponents = self.course.seats[number], self.partners, self.opponents
        if len(seats) < 8:
            return
        movable = self.movable[number]
        places = [movable[k] for k in chance.draw_below(len(movable), 2 * TRIES_PER_STEP)]
        limits = chance.draw_cost_limits(temperature, TRIES_PER_STEP)
        for i, j, limit in zip(
            places[:TRIES_PER_STEP], places[TRIES_PER_STEP:], limits, strict=True
        ):
            if i ^ j < 4:
                continue
            x, y = seats[i], seats[j]
            a, b, c = seats[i ^ 2], seats[i ^ 1], seats[i ^ 3]
            d, e, f = seats[j ^ 2], seats[j ^ 1], seats[j ^ 3]
            px, py, ox, oy = partners[x], partners[y], opponents[x], opponents[y]
            dearer = oy[b] + oy[c] - oy[e] - oy[f] + ox[e] + ox[f] - ox[b] - ox[c] + 4
            dearer = OPPONENT_COST * dearer + PARTNER_COST * (py[a] + px[d] - px[a] - py[d] + 2)
            if dearer <= limit:
                seats[i], seats[j] = y, x
                _replace_meetings(partners, x, y, (a,))
                _replace_meetings(partners, y, x, (d,))
                _replace_meetings(opponents, x, y, (b, c))
                _replace_meetings(opponents, y, x, (e, f))
                self.cost += dearer
                if self.cost < self.best:
                    self.save_best()

    def try_partner_exchanges(
        self, number: int, chance: RandomStream, temperature: int
    ) -> None:
        """Try other partners within each table by exchanging its second and third players."""
        seats, partners, opponents = self.course.seats[number], self.partners, self.opponents
        turning = self.turning[number]
        for at, limit in enumerate(chance.draw_cost_limits(temperature, 2 * len(turning))):
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
                for square, way in ((partners, 1), (opponents, -1)):
                    for x, y, more in (
                        (one, two, 1),
                        (three, four, 1),
                        (one, three, -1),
                        (two, four, -1),
                    ):
                        square[x][y] += way * more
                        square[y][x] += way * more
                self.cost += dearer
                self.save_best()

    def try_rest_exchanges(
        self, number: int, chance: RandomStream, temperature: int, tries: int
    ) -> None:
        """Try exchanges between a player who rests in a round and one who plays in it."""
        resting, seats = self.course.rests[number], self.course.seats[number]
        if not resting or not tries:
            return
        outs = chance.draw_below(len(resting), tries)
        movable = self.movable[number]
        places = [movable[k] for k in chance.draw_below(len(movable), tries)]
        for out, place, limit in zip(
            outs, places, chance.draw_cost_limits(temperature, tries), strict=True
        ):
            change = self._find_rest_exchange(number, resting[out], seats[place])
            if change is None:
                continue
            dearer = self._exchange_players(*change)
            if dearer <= limit:
                self.cost += dearer
                self._update_rests(*change)
                self.save_best()
            else:
                self._exchange_players(change[1], change[0], *change[2:])

    def _find_rest_exchange(
        self, number: int, rester: int, other: int
    ) -> tuple[int, int, int, int | None] | None:
        """Return a fair exchange of rests between two players, or None.

        The result is the player who plays and the one who rests in the round afterwards, the
        round, and the round of the reverse exchange. A player's rests are numbered in order,
        and only rests of equal number are exchanged. So no player rests a second time before
        all have rested once.
        """
        course, turns = self.course, self.turns
        if {rester, other} & course.fixed_players or not self._have_rested_equally(
            rester, other
        ):
            return None
        count = turns[rester].index(number)
        if len(turns[other]) > count:
            back = turns[other][count]
            fits = rester in course.seats[back]
            return (rester, other, number, back) if fits else None
        fits = len(turns[other]) == count and len(turns[rester]) == count + 1
        return (rester, other, number, None) if fits else None

    def _have_rested_equally(self, one: int, other: int) -> bool:
        """Return whether two players rested equally often, earlier tonight and this season."""
        rested, ledger = self.course.earlier_rests, self.course.season_rests
        return rested[one] == rested[other] and ledger[one] == ledger[other]

    def _exchange_players(self, comes: int, goes: int, number: int, back: int | None) -> int:
        """Exchange two players in a round and in the `back` round; return the extra cost."""
        dearer = self._replace_player(number, goes, comes)
        return dearer + (0 if back is None else self._replace_player(back, comes, goes))

    def _replace_player(self, number: int, goes: int, comes: int) -> int:
        seats = self.course.seats[number]
        at = seats.index(goes)
        seats[at] = comes
        return PARTNER_COST * _replace_and_count(
            self.partners, goes, comes, [seats[at ^ 2]]
        ) + (
            OPPONENT_COST
            * _replace_and_count(self.opponents, goes, comes, [seats[at ^ 1], seats[at ^ 3]])
        )

    def _update_rests(self, comes: int, goes: int, number: int, back: int | None) -> None:
        rests, turns = self.course.rests, self.turns
        rests[number][rests[number].index(comes)] = goes
        count = turns[comes].index(number)
        if back is None:
            turns[comes].pop()
            turns[goes].append(number)
        else:
            rests[back][rests[back].index(goes)] = comes
            turns[comes][count], turns[goes][count] = back, number


def _replace_meetings(square: Square, goes: int, comes: int, others: tuple[int, ...]) -> None:
    """Replace one player by another in the counts of meetings with some others."""
    went, came = square[goes], square[comes]
    for other in others:
        row = square[other]
        row[goes] = went[other] = went[other] - 1
        row[comes] = came[other] = came[other] + 1


def _replace_and_count(square: Square, goes: int, comes: int, others: Sequence[int]) -> int:
    """Replace a player as `_replace_meetings` does; return the additional coincidences."""
    more = 0
    for other in others:
        more += square[comes][other] - square[goes][other] + 1
        _replace_meetings(square, goes, comes, (other,))
    return more
