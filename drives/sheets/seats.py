"""Where everybody sits: the list by names, and one player's own page."""

from dataclasses import dataclass
from fractions import Fraction

from drives.held import HeldDrive, HeldRound
from drives.reckoning import reckon
from drives.secrecy import Namer, standing_is_open
from drives.sheets.desk import trumps_words
from drives.sheets.people import Person, person


@dataclass(frozen=True, slots=True)
class SeatOnList:
    """Where somebody goes in a round: a table and a seat, or neither, which is a rest."""

    person: Person
    table: int | None
    seat: int | None
    partner: Person | None


@dataclass(frozen=True, slots=True)
class WhoSitsWhere:
    """A round's list, in the order of the names, then of the numbers."""

    number: int
    trumps_words: str
    seats: tuple[SeatOnList, ...]


def who_sits_where(held: HeldDrive, number: int, names: Namer) -> WhoSitsWhere:
    """Everybody of a round, house players too; KeyError where there is no such round."""
    round_ = held.rounds[number]
    found = [
        SeatOnList(
            person(held, who, names),
            table,
            at + 1,
            person(held, four[(at + 2) % 4], names),
        )
        for table, four in round_.tables.items()
        for at, who in enumerate(four)
    ]
    found += [SeatOnList(person(held, who, names), None, None, None) for who in round_.rest]
    found.sort(key=lambda each: each.person.order)
    return WhoSitsWhere(number, trumps_words(held.drive, round_.row.trumps), tuple(found))


@dataclass(frozen=True, slots=True)
class RoundOnCard:
    """A line of a player's own page: where he sits, with whom, and what he made there."""

    number: int
    trumps: str
    is_now: bool
    table: int | None
    seat: int | None
    partner: Person | None
    against: tuple[Person, ...]
    made: Fraction | None


@dataclass(frozen=True, kw_only=True)
class OwnPage:
    """What a player's own page shows: nothing of what others made before the close."""

    person: Person
    number: int
    of: int | None
    rounds: tuple[RoundOnCard, ...]
    total: Fraction
    rests: int
    rank: int | None
    is_over: bool

    @property
    def now(self) -> RoundOnCard | None:
        """The round in play."""
        return next((each for each in self.rounds if each.is_now), None)


def own_page(held: HeldDrive, number: int, names: Namer) -> OwnPage:
    """A player's own page; of rounds not drawn yet there is nothing."""
    reckoned = reckon(held)
    tally = reckoned.tallies.get(number)
    placed = next((each for each in reckoned.placed if each.number == number), None)
    drive = held.drive
    return OwnPage(
        person=person(held, number, names),
        number=drive.at_round,
        of=drive.rounds,
        rounds=tuple(
            line
            for round_ in held.rounds.values()
            if (line := _line(held, round_, number, names)) is not None
        ),
        total=tally.total if tally else Fraction(0),
        rests=tally.rests if tally else 0,
        rank=placed.rank if placed and standing_is_open(held) else None,
        is_over=drive.is_closed,
    )


def _line(held: HeldDrive, round_: HeldRound, number: int, names: Namer) -> RoundOnCard | None:
    place = round_.seat_of(number)
    is_now = round_.number == held.drive.at_round and not held.drive.is_closed
    trumps = round_.row.trumps
    if place is None:
        if number not in round_.rest:
            return None
        return RoundOnCard(round_.number, trumps, is_now, None, None, None, (), None)
    table, seat = place
    four = round_.tables[table]
    score, extras = round_.figures_at(table)
    at = seat - 1
    made = None
    if score:
        more = extras or (0,) * len(score)
        made = Fraction(score[at % len(score)] + more[at % len(score)])
    return RoundOnCard(
        round_.number,
        trumps,
        is_now,
        table,
        seat,
        person(held, four[(at + 2) % 4], names),
        (person(held, four[(at + 1) % 4], names), person(held, four[(at + 3) % 4], names)),
        made,
    )
