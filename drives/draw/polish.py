"""The polish: a joint search of all rounds after they were drawn one by one, from a low warmth.

A change exchanges the seats of two players in one round, the partners of a table's four, or two
players' rounds of rest. Played rounds are in the memory and never change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drives.draw.annealing import turning_tables
from drives.draw.chance import Chance
from drives.draw.memory import Memory, Square

PARTNERS, OPPONENTS = 40, 10
"""The cost of a coincidence of partners, and of one of opponents."""

A_STEP = 2000
"""The number of tries in each step of a polish; a step searches one round."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """The length of a polish, and its warmth in hundredths of the unit of costs."""

    tries: int
    warm: int
    cool: int
    rests: int


@dataclass(kw_only=True)
class Course:
    """The rounds of an evening by places: seats four by four, and players who rest.

    `rested` are the rests of each player before the first of these rounds. `kept` are the
    players who stay seated and the house players, whose rests do not change. `movable` are the
    places of each round that may change: all but theirs.
    """

    seats: list[list[int]]
    rests: list[list[int]]
    rested: Sequence[int]
    ledger: Sequence[int]
    kept: frozenset[int]
    movable: Sequence[Sequence[int]]

    def copied(self) -> "tuple[list[list[int]], list[list[int]]]":
        """Return a copy of the present rounds, to restore later."""
        return [row[:] for row in self.seats], [row[:] for row in self.rests]


def polish(course: Course, memory: Memory, chance: Chance, *, gain: int, effort: Effort) -> int:
    """Improve a course in place, by at most `gain`; return the number of tries.

    The memory contains the course's rounds; its content is undefined afterwards.
    """
    search = _Search(course, memory, gain)
    steps = max(2, effort.tries // A_STEP)
    for step in range(steps):
        warmth = effort.warm + (effort.cool - effort.warm) * step // (steps - 1)
        at = step % len(course.seats)
        search.change_seats(at, chance, warmth)
        search.turn_tables(at, chance, warmth)
        search.change_rests(at, chance, warmth, effort.rests)
        if search.done:
            break
    course.seats, course.rests = search.best_course
    return (step + 1) * A_STEP


class _Search:
    """A course during the search; `cost` is relative to the initial course."""

    def __init__(self, course: Course, memory: Memory, gain: int) -> None:
        self.course, self.gain = course, gain
        self.partners, self.opponents = memory.partners, memory.opponents
        self.cost = self.best = 0
        self.best_course = course.copied()
        self.movable = course.movable
        size = len(course.seats[0])
        self.turning = [turning_tables(size, places) for places in course.movable]
        self.turns: list[list[int]] = [[] for _ in course.ledger]
        for number, resting in enumerate(course.rests):
            for player in resting:
                self.turns[player].append(number)

    @property
    def done(self) -> bool:
        """Whether no improvement is possible."""
        return self.best <= -self.gain

    def keep_best(self) -> None:
        """Store the course if it is the best so far."""
        if self.cost < self.best:
            self.best, self.best_course = self.cost, self.course.copied()

    def change_seats(self, number: int, chance: Chance, warmth: int) -> None:
        """Try exchanges of two seats at different tables of one round."""
        seats, partners, opponents = self.course.seats[number], self.partners, self.opponents
        if len(seats) < 8:
            return
        movable = self.movable[number]
        places = [movable[k] for k in chance.below(len(movable), 2 * A_STEP)]
        limits = chance.limits(warmth, A_STEP)
        for i, j, limit in zip(places[:A_STEP], places[A_STEP:], limits, strict=True):
            if i ^ j < 4:
                continue
            x, y = seats[i], seats[j]
            a, b, c = seats[i ^ 2], seats[i ^ 1], seats[i ^ 3]
            d, e, f = seats[j ^ 2], seats[j ^ 1], seats[j ^ 3]
            px, py, ox, oy = partners[x], partners[y], opponents[x], opponents[y]
            dearer = oy[b] + oy[c] - oy[e] - oy[f] + ox[e] + ox[f] - ox[b] - ox[c] + 4
            dearer = OPPONENTS * dearer + PARTNERS * (py[a] + px[d] - px[a] - py[d] + 2)
            if dearer <= limit:
                seats[i], seats[j] = y, x
                _meet(partners, x, y, (a,))
                _meet(partners, y, x, (d,))
                _meet(opponents, x, y, (b, c))
                _meet(opponents, y, x, (e, f))
                self.cost += dearer
                if self.cost < self.best:
                    self.keep_best()

    def turn_tables(self, number: int, chance: Chance, warmth: int) -> None:
        """Try other partners within each table by exchanging its second and third players."""
        seats, partners, opponents = self.course.seats[number], self.partners, self.opponents
        turning = self.turning[number]
        for at, limit in enumerate(chance.limits(warmth, 2 * len(turning))):
            first = turning[at >> 1]
            one, two, three, four = seats[first : first + 4]
            if at & 1:
                two, four = four, two
            dearer = PARTNERS * (
                partners[one][two] + partners[three][four] + 2
                - partners[one][three] - partners[two][four]
            ) + OPPONENTS * (
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
                self.keep_best()

    def change_rests(self, number: int, chance: Chance, warmth: int, tries: int) -> None:
        """Try exchanges between a player who rests in a round and one who plays in it."""
        resting, seats = self.course.rests[number], self.course.seats[number]
        if not resting or not tries:
            return
        outs = chance.below(len(resting), tries)
        movable = self.movable[number]
        places = [movable[k] for k in chance.below(len(movable), tries)]
        for out, place, limit in zip(outs, places, chance.limits(warmth, tries), strict=True):
            change = self._rest_change(number, resting[out], seats[place])
            if change is None:
                continue
            dearer = self._take(*change)
            if dearer <= limit:
                self.cost += dearer
                self._note_rests(*change)
                self.keep_best()
            else:
                self._take(change[1], change[0], *change[2:])

    def _rest_change(
        self, number: int, rester: int, other: int
    ) -> tuple[int, int, int, int | None] | None:
        """Return an exchange of rests, or None where it would not be fair.

        The result is who plays and who rests in the round afterwards, the round, and the round
        of the reverse exchange. A player's rests are numbered in order, and only rests of equal
        number are exchanged. So no player rests a second time before all have rested once.
        """
        course, turns = self.course, self.turns
        if {rester, other} & course.kept or not self._alike(rester, other):
            return None
        count = turns[rester].index(number)
        if len(turns[other]) > count:
            back = turns[other][count]
            fits = rester in course.seats[back]
            return (rester, other, number, back) if fits else None
        fits = len(turns[other]) == count and len(turns[rester]) == count + 1
        return (rester, other, number, None) if fits else None

    def _alike(self, one: int, other: int) -> bool:
        """Return whether two players rested equally often, earlier tonight and this season."""
        rested, ledger = self.course.rested, self.course.ledger
        return rested[one] == rested[other] and ledger[one] == ledger[other]

    def _take(self, comes: int, goes: int, number: int, back: int | None) -> int:
        """Exchange two players in a round, and back in the other; return the extra cost."""
        dearer = self._replace(number, goes, comes)
        return dearer + (0 if back is None else self._replace(back, comes, goes))

    def _replace(self, number: int, goes: int, comes: int) -> int:
        seats = self.course.seats[number]
        at = seats.index(goes)
        seats[at] = comes
        return PARTNERS * _changed(self.partners, goes, comes, [seats[at ^ 2]]) + (
            OPPONENTS * _changed(self.opponents, goes, comes, [seats[at ^ 1], seats[at ^ 3]])
        )

    def _note_rests(self, comes: int, goes: int, number: int, back: int | None) -> None:
        rests, turns = self.course.rests, self.turns
        rests[number][rests[number].index(comes)] = goes
        count = turns[comes].index(number)
        if back is None:
            turns[comes].pop()
            turns[goes].append(number)
        else:
            rests[back][rests[back].index(goes)] = comes
            turns[comes][count], turns[goes][count] = back, number


def _meet(square: Square, goes: int, comes: int, others: tuple[int, ...]) -> None:
    """Replace one player by another in the counts of meetings with some others."""
    went, came = square[goes], square[comes]
    for other in others:
        row = square[other]
        row[goes] = went[other] = went[other] - 1
        row[comes] = came[other] = came[other] + 1


def _changed(square: Square, goes: int, comes: int, others: Sequence[int]) -> int:
    """Replace a player as `_meet` does; return the number of additional coincidences."""
    more = 0
    for other in others:
        more += square[comes][other] - square[goes][other] + 1
        _meet(square, goes, comes, (other,))
    return more
