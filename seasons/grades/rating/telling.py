"""What an evening was to each of its people: expected, made, and the grade after it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from seasons.grades.rating.evenings import Facts
from seasons.grades.rating.running import Club, Expected
from seasons.grades.rating.showing import Middle, Shown, middle_of, own_grade, pair_grade


@dataclass(frozen=True, slots=True)
class Told:
    """One person's evening; how far what was expected spreads is known with one partner."""

    person: str
    partners: tuple[str, ...]
    boards: int
    expected: float
    expected_sd: float | None
    made: float
    mean: float
    sd: float
    all_boards: int
    column: float
    shown: Shown | None


def tell(club: Club, facts: Facts, expected: Iterable[Expected]) -> list[Told]:
    """Tell everybody's evening, right after the club has taken it in."""
    middle = middle_of(club)
    boards = dict(zip(facts.units, facts.boards(), strict=True))
    sat: dict[str, list[Expected]] = defaultdict(list)
    for each in expected:
        for person in each.unit:
            sat[person].append(each)
    return [
        _told(club, middle, person, rows, sum(boards[each.unit] for each in rows))
        for person, rows in sorted(sat.items())
    ]


def _told(club: Club, middle: Middle, person: str, sat: list[Expected], boards: int) -> Told:
    mean, variance = club.of(person)
    shown = own_grade(club, person, middle)
    if shown is None and len(sat) == 1:
        shown = pair_grade(club, sat[0].unit, middle)
    return Told(
        person=person,
        partners=tuple(other for each in sat for other in each.unit if other != person),
        boards=boards,
        expected=sum(each.mean for each in sat),
        expected_sd=sat[0].sd if len(sat) == 1 else None,
        made=sum(each.made for each in sat),
        mean=mean,
        sd=sqrt(max(variance, 0.0)),
        all_boards=club.boards(person),
        column=club.column[person],
        shown=shown,
    )
