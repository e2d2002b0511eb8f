"""The draw of a whole evening: by the rotation, from whole tournaments, or round by round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from drives.draw.annealing import draw_round
from drives.draw.chance import Chance
from drives.draw.company import Company, Drawn, Player, check_rounds
from drives.draw.figures import PlanFigures, figures
from drives.draw.finds import start_of
from drives.draw.memory import Memory
from drives.draw.polish import Course, Effort, polish
from drives.draw.resting import who_rests
from drives.draw.rotation import fits_rotation, rotation
from drives.draw.walking import numbered
from drives.draw.whole import whole_rounds

ROUND_TRIES, TRIES_A_PLAYER, MOST_TRIES = 60_000, 50, 1_900_000
"""The tries of a round, those for each player above 64, and the maximum of an evening."""

POLISH_TRIES = 1_300_000
SMALL_COMPANY = 18
"""The number of players below which a polish begins warmer and tries more changes of rests."""

SEARCHES_KEPT = 16
"""The size of the cache of searched evenings without wishes."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The drawn rounds, their statistics, and the number of tries."""

    rounds: tuple[Drawn, ...]
    figures: PlanFigures
    tries: int


def draw_evening(
    company: Company,
    rounds: int,
    secret: bytes,
    *,
    played: Sequence[Drawn] = (),
    polished: bool = True,
) -> Plan:
    """Draw the remaining rounds of an evening, with memory of those played.

    The same company, rounds and secret give the same seats. A whole evening without wishes is
    searched from a fixed start for its size. The secret then assigns the players to its
    numbers, with all assignments equally likely. The statistics include the rounds played.
    Raises UnplayableDrive where no such evening is possible.
    """
    check_rounds(rounds)
    if polished and not played and company.is_plain:
        names = Chance(secret, "names").shuffled(company.players)
        found = searched(len(names), rounds, start_of(len(names), rounds), company.house)
        return _dealt(found, names)
    return _drawn(company, rounds, secret, played=played, polished=polished)


@lru_cache(SEARCHES_KEPT)
def searched(players: int, rounds: int, start: int, house: tuple[Player, ...]) -> Plan:
    """Search an evening without wishes from a start; its players are numbered from 0.

    The result is the same for every evening of that size, so the last few are cached.
    """
    company = Company(players=tuple(range(players)), house=house)
    return _drawn(company, rounds, f"start {start}".encode())


def _dealt(plan: Plan, names: Sequence[Player]) -> Plan:
    """Replace the numbers of a plan, from 0, by the players' names."""
    named: dict[Player, Player] = dict(enumerate(names))
    rounds = []
    for tables, rest in plan.rounds:
        called = tuple((named[a], named[b], named[c], named[d]) for a, b, c, d in tables)
        rounds.append(Drawn(called, tuple(sorted((named[who] for who in rest), key=str))))
    return replace(plan, rounds=tuple(rounds))


def _drawn(
    company: Company,
    rounds: int,
    secret: bytes,
    *,
    played: Sequence[Drawn] = (),
    polished: bool = True,
) -> Plan:
    drawing = _Drawing(company, rounds, secret, played, polished=polished)
    if not played and polished and drawing.rotate():
        return _plan(company, drawing.read(), drawing.tries)
    drawing.draw()
    if polished:
        drawing.polish()
    last = {
        player: number
        for drawn in played
        for number, table in enumerate(drawn.tables)
        for player in table
    }
    found = numbered(drawing.read(), company.seated, last, company.filling)
    return _plan(company, [*played, *found], drawing.tries, len(played))


def draw_next(company: Company, secret: bytes, *, played: Sequence[Drawn] = ()) -> Drawn:
    """Draw one more round after those played."""
    plan = draw_evening(company, 1, secret, played=played, polished=False)
    return plan.rounds[0]


def _plan(company: Company, rounds: Sequence[Drawn], tries: int, played: int = 0) -> Plan:
    return Plan(
        rounds=tuple(rounds[played:]),
        figures=figures(rounds, company.players),
        tries=tries,
    )


def _effort(players: int) -> Effort:
    """Return the parameters of a polish that gave the best results in measurements."""
    if players < SMALL_COMPANY:
        return Effort(tries=POLISH_TRIES, warm=400, cool=250, rests=100)
    return Effort(tries=POLISH_TRIES, warm=250, cool=150, rests=40)


class _Drawing:
    """The players of a company as numbers from 0, the memory of them, and the rounds drawn.

    A player outside the company (a house player, or one who left) has a new number in each
    round, so that repeated meetings cost nothing.
    """

    def __init__(
        self,
        company: Company,
        rounds: int,
        secret: bytes,
        played: Sequence[Drawn],
        *,
        polished: bool,
    ) -> None:
        self.company, self.rounds, self.secret = company, rounds, secret
        self.polished = polished
        self.first = len(played) + 1
        self.number = {player: place for place, player in enumerate(company.players)}
        self.names: list[Player] = list(company.players)
        self.ledger = [company.ledger.get(player, 0) for player in company.players]
        self.rested = [0] * len(company.players)
        past = [self._numbers(drawn) for drawn in played]
        self.house = [self._strangers() for _round in range(rounds)]
        self.memory = Memory(len(self.names))
        for one, other in sorted(
            sorted(self.number[player] for player in pair) for pair in company.apart
        ):
            self.memory.keep_apart(one, other)
        for seats in past:
            self.memory.add(seats)
        self.seats: list[list[int]] = []
        self.rests: list[list[int]] = []
        self.tries = 0

    def _numbers(self, drawn: Drawn) -> list[int]:
        for player in drawn.rest:
            if player in self.number:
                self.rested[self.number[player]] += 1
        return [
            self.number[player] if player in self.number else self._stranger(player)
            for table in drawn.tables
            for player in table
        ]

    def _stranger(self, player: Player) -> int:
        self.names.append(player)
        return len(self.names) - 1

    def _strangers(self) -> list[int]:
        return [self._stranger(player) for player in self.company.filling]

    def rotate(self) -> bool:
        """Use the rotation if it avoids all repeated meetings; return whether it did.

        Players who are kept apart or stay seated move alike, so they never meet; a single house
        player moves alike too, at the last table.
        """
        company, house = self.company, self.house[0]
        still = [self.number[player] for player in company.seated]
        together = sorted({self.number[p] for pair in company.apart for p in pair} - set(still))
        room = company.tables - len(still) - len(together) - len(house)
        if room < 0 or len(house) > 1 or not fits_rotation(company.tables, self.rounds):
            return False
        chance = Chance(self.secret, "rotation")
        streams = self._streams([*still, *together], house, chance)
        course = rotation(
            streams, self.rounds, ledger=self.ledger, seated=len(still), chance=chance
        )
        if course is None:
            return False
        self.seats, self.rests = ([row[at] for row in course] for at in (0, 1))
        return True

    def _streams(self, named: list[int], house: list[int], chance: Chance) -> list[list[int]]:
        """Return four streams of one player per table.

        The players with the fewest rests this season are left out.
        """
        size = self.company.tables
        others = [p for p in range(len(self.company.players)) if p not in set(named)]
        order = sorted(chance.shuffled(others), key=lambda player: -self.ledger[player])
        playing = [*named, *order]
        places = [*playing[: size - len(house)], *house, *playing[size - len(house) :]]
        return [places[at : at + size] for at in range(0, 4 * size, size)]

    def draw(self) -> None:
        """Draw round by round, after as many whole tournaments as the rounds allow."""
        for number, (seats, is_ready) in enumerate(self._starts(), start=self.first):
            if not is_ready:
                chance, movable = self._chance("round", number), self._movable(seats)
                seats, tries = draw_round(seats, movable, self.memory, chance, self._tries)
                self.tries += tries
            self.seats.append(seats)
            self.memory.add(seats)

    @property
    def _tries(self) -> int:
        wanted = ROUND_TRIES + TRIES_A_PLAYER * max(0, len(self.company.players) - 64)
        if not self.polished:  # as many tries for one round as for several
            return wanted
        return min(wanted, max(MOST_TRIES // self.rounds, wanted // 4))

    def _chance(self, *purpose: object) -> Chance:
        return Chance(self.secret, *purpose)

    def _starts(self) -> Iterator[tuple[list[int], bool]]:
        """Yield the initial seats of each round, and whether they are final.

        Rounds of a whole tournament come first, and are final.
        """
        company, rests = self.company, self.rests
        plain = (
            self.polished
            and self.first == 1
            and not (company.apart or company.seated or company.house)
        )
        ready = (
            whole_rounds(len(company.players), self.rounds, self._chance("whole"))
            if plain
            else []
        )
        for seats in ready:
            rests.append(sorted(set(range(len(company.players))) - set(seats)))
            self._count_rests()
            yield seats, True
        for number in range(self.first + len(ready), self.first + self.rounds):
            chance = self._chance("seats", number)
            rests.append(who_rests(company.resting, self.rested, self.ledger, chance))
            self._count_rests()
            yield self._order(number, chance), False

    def _count_rests(self) -> None:
        for player in self.rests[-1]:
            self.rested[player] += 1

    def _order(self, number: int, chance: Chance) -> list[int]:
        """Return the players of a round table by table, those who stay seated first at each."""
        resting = set(self.rests[-1])
        still = [
            p for p in map(self.number.__getitem__, self.company.seated) if p not in resting
        ]
        others = chance.shuffled(
            [p for p in range(len(self.company.players)) if p not in resting and p not in still]
        )
        others += self.house[number - self.first]
        seats: list[int] = []
        for table in range(self.company.tables):
            first = [still[table]] if table < len(still) else []
            seats += first + others[: 4 - len(first)]
            del others[: 4 - len(first)]
        return seats

    def _movable(self, seats: Sequence[int]) -> list[int]:
        """Return the places that may change: not those of stationary and house players."""
        return [at for at, player in enumerate(seats) if player not in self._kept]

    @cached_property
    def _kept(self) -> frozenset[int]:
        """The players who stay seated, and the house players."""
        seated = {self.number[player] for player in self.company.seated}
        return frozenset(seated.union(*self.house))

    def polish(self) -> None:
        """Reduce repeated partners and opponents in all rounds together.

        Does nothing if both numbers have reached their lower bounds.
        """
        found = figures(self.read(), self.company.players)
        gain = 40 * (found.partners.coincidences - found.partners.bound) + 10 * (
            found.opponents.coincidences - found.opponents.bound
        )
        if gain <= 0:
            return
        base = list(self.rested)
        for resting in self.rests:
            for player in resting:
                base[player] -= 1
        course = Course(
            seats=self.seats,
            rests=self.rests,
            rested=base,
            ledger=self.ledger,
            kept=self._kept,
            movable=[self._movable(seats) for seats in self.seats],
        )
        effort = _effort(len(self.company.players))
        self.tries += polish(
            course, self.memory, self._chance("polish"), gain=gain, effort=effort
        )
        self.seats, self.rests = course.seats, course.rests

    def read(self) -> list[Drawn]:
        """Return the rounds drawn, with the players' own names."""
        names = self.names
        found = []
        for seats, resting in zip(self.seats, self.rests, strict=True):
            named = [names[place] for place in seats]
            tables = tuple(
                (named[at], named[at + 1], named[at + 2], named[at + 3])
                for at in range(0, len(named), 4)
            )
            found.append(Drawn(tables, tuple(sorted((names[p] for p in resting), key=str))))
        return found
