"""The shown form of a grade: tricks above the club in 24 boards, evening by evening."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from seasons.grades.rating.evenings import (
    EveningInput,
    Partnership,
    Vector,
    compute_dot_product,
    multiply_vector,
)
from seasons.grades.rating.filter import DAYS_PER_YEAR, ClubState, PartnershipResult

BOARDS_PER_EVENING = 24
RANGE_STANDARD_DEVIATIONS = 1.2816
"""The half width, in standard deviations, of an interval that covers 80 %."""
TENTATIVE, EVOLVING, MATURE = 150, 300, 1000
OWN, PAIR = 0.6, 0.45
"""Limits of the standard deviation of own and pair grades, as fractions of s0."""


@dataclass(frozen=True, slots=True)
class ShownGrade:
    """A grade as shown: of one person, or of a pair whose strengths cannot be separated."""

    who: tuple[str, ...]
    grade: float
    range: float
    word: str


@dataclass(frozen=True, slots=True)
class ClubMean:
    """The mean of the club's players of the last 365 days, weighted by boards.

    Shown grades are relative to it; `with_all` is each person's covariance with it.
    """

    places: dict[str, int]
    mean: float
    variance: float
    with_all: Vector


def compute_club_mean(club: ClubState) -> ClubMean:
    """Compute the club's mean on the day of its last evening, with its variance."""
    assert club.last is not None
    boards = [club.boards(person, club.last - DAYS_PER_YEAR) for person in club.people]
    whole = sum(boards)
    weights = [count / whole for count in boards]
    with_all = multiply_vector(club.covariance, weights)
    return ClubMean(
        places={person: place for place, person in enumerate(club.people)},
        mean=compute_dot_product(weights, club.mean),
        variance=compute_dot_product(weights, with_all),
        with_all=with_all,
    )


def list_shown_grades(club: ClubState, pairs: Iterable[Partnership] = ()) -> list[ShownGrade]:
    """Return the shown grades of people, and of some of the given pairs.

    A pair's grade is shown for a partner who has no own grade.
    """
    if club.last is None:
        return []
    middle = compute_club_mean(club)
    found = {
        person: each
        for person in club.people
        if (each := compute_own_grade(club, person, middle))
    }
    both = [
        each
        for pair in pairs
        if not all(person in found for person in pair)
        and (each := compute_pair_grade(club, pair, middle))
    ]
    return [*found.values(), *both]


def compute_own_grade(club: ClubState, person: str, middle: ClubMean) -> ShownGrade | None:
    """Return a person's own grade, or None if it is not precise enough."""
    place = middle.places.get(person)
    if place is None:
        return None
    variance = club.covariance[place][place] - 2 * middle.with_all[place] + middle.variance
    return _build_shown_grade(club, (person,), club.mean[place] - middle.mean, variance, OWN)


def compute_pair_grade(
    club: ClubState, pair: Partnership, middle: ClubMean
) -> ShownGrade | None:
    """Return the grade of a pair, or None if it is not precise enough."""
    one, other = (middle.places.get(person) for person in pair)
    if one is None or other is None:
        return None
    rows = club.covariance
    own = (rows[one][one] + 2 * rows[one][other] + rows[other][other]) / 4
    variance = own - middle.with_all[one] - middle.with_all[other] + middle.variance
    mean = (club.mean[one] + club.mean[other]) / 2 - middle.mean
    return _build_shown_grade(club, pair, mean, variance, PAIR)


def get_reliability_word(boards: int) -> str:
    """Return the word for a number of boards: tentative, evolving or mature; "" if too few."""
    if boards < TENTATIVE:
        return ""
    if boards < EVOLVING:
        return "tentative"
    return "evolving" if boards < MATURE else "mature"


def _build_shown_grade(
    club: ClubState, who: tuple[str, ...], mean: float, variance: float, part: float
) -> ShownGrade | None:
    word = get_reliability_word(min(club.boards(person) for person in who))
    spread = sqrt(max(variance, 0.0))
    if not word or spread > part * club.constants.s0:
        return None
    return ShownGrade(
        who,
        BOARDS_PER_EVENING * mean,
        BOARDS_PER_EVENING * RANGE_STANDARD_DEVIATIONS * spread,
        word,
    )


@dataclass(frozen=True, slots=True)
class GradeChange:
    """The effect of one evening on one person's grade: partners, expected and actual results.

    The deviation of the expected result is only known for people with one partner.
    """

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
    shown: ShownGrade | None


def list_grade_changes(
    club: ClubState, facts: EveningInput, expected: Iterable[PartnershipResult]
) -> list[GradeChange]:
    """Return the effect of an evening on each person's grade.

    Call it directly after the club was updated by the evening.
    """
    middle = compute_club_mean(club)
    boards = dict(zip(facts.units, facts.boards(), strict=True))
    sat: dict[str, list[PartnershipResult]] = defaultdict(list)
    for each in expected:
        for person in each.unit:
            sat[person].append(each)
    return [
        _build_grade_change(club, middle, person, rows, sum(boards[each.unit] for each in rows))
        for person, rows in sorted(sat.items())
    ]


def _build_grade_change(
    club: ClubState, middle: ClubMean, person: str, sat: list[PartnershipResult], boards: int
) -> GradeChange:
    mean, variance = club.of(person)
    shown = compute_own_grade(club, person, middle)
    if shown is None and len(sat) == 1:
        shown = compute_pair_grade(club, sat[0].unit, middle)
    return GradeChange(
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
