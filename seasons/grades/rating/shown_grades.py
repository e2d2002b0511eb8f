"""The grades as pages show them: in tricks over 24 boards, relative to the club's mean."""

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
"""The half width of an 80 % interval, in standard deviations."""
MIN_BOARDS_TENTATIVE, MIN_BOARDS_EVOLVING, MIN_BOARDS_MATURE = 150, 300, 1000
MAX_OWN_GRADE_DEVIATION, MAX_PAIR_GRADE_DEVIATION = 0.6, 0.45
"""The maximum standard deviations of shown own and pair grades, as fractions of s0."""


@dataclass(frozen=True, slots=True)
class ShownGrade:
    """The grade of a person, in the units that pages show.

    If the strengths of two partners cannot be separated, it is the grade of the pair.
    """

    who: tuple[str, ...]
    grade: float
    range: float
    word: str


@dataclass(frozen=True, slots=True)
class ClubMean:
    """The mean strength of the club's people, weighted by their boards in the last 365 days.

    Shown grades are relative to it. `with_all` is the covariance of each person's strength
    with the mean.
    """

    places: dict[str, int]
    mean: float
    variance: float
    with_all: Vector


def compute_club_mean(club: ClubState) -> ClubMean:
    """Return the club's mean strength, with its variance, on the day of the latest evening."""
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
    """Return the shown grades of people and of pairs.

    A pair's grade is included only if at least one of the two people has no own grade.
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
    """Return a person's own grade; None if it is not precise enough to be shown."""
    place = middle.places.get(person)
    if place is None:
        return None
    variance = club.covariance[place][place] - 2 * middle.with_all[place] + middle.variance
    return _build_shown_grade(
        club, (person,), club.mean[place] - middle.mean, variance, MAX_OWN_GRADE_DEVIATION
    )


def compute_pair_grade(
    club: ClubState, pair: Partnership, middle: ClubMean
) -> ShownGrade | None:
    """Return the grade of a pair; None if it is not precise enough to be shown."""
    one, other = (middle.places.get(person) for person in pair)
    if one is None or other is None:
        return None
    rows = club.covariance
    own = (rows[one][one] + 2 * rows[one][other] + rows[other][other]) / 4
    variance = own - middle.with_all[one] - middle.with_all[other] + middle.variance
    mean = (club.mean[one] + club.mean[other]) / 2 - middle.mean
    return _build_shown_grade(club, pair, mean, variance, MAX_PAIR_GRADE_DEVIATION)


def get_reliability_word(boards: int) -> str:
    """Return the reliability of a grade by its number of boards: tentative, evolving or mature.

    The result is "" if there are too few boards for a grade.
    """
    if boards < MIN_BOARDS_TENTATIVE:
        return ""
    if boards < MIN_BOARDS_EVOLVING:
        return "tentative"
    return "evolving" if boards < MIN_BOARDS_MATURE else "mature"


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
    """The effect of one evening on a person's grade, with the expected and actual results.

    `expected_sd` is None if the person had several partners.
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
    """Return the effect of an evening on the grade of each person who played.

    Call it directly after updating the state by this evening.
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
    mean, variance = club.get_strength(person)
    shown = compute_own_grade(club, person, middle)
    if shown is None and len(sat) == 1:
        shown = compute_pair_grade(club, sat[0].unit, middle)
    return GradeChange(
        person=person,
        partners=tuple(other for each in sat for other in each.unit if other != person),
        boards=boards,
        expected=sum(each.mean for each in sat),
        expected_sd=sat[0].sd if len(sat) == 1 else None,
        made=sum(each.actual_result for each in sat),
        mean=mean,
        sd=sqrt(max(variance, 0.0)),
        all_boards=club.boards(person),
        column=club.column[person],
        shown=shown,
    )
