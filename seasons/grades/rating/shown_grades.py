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
    total_boards = sum(boards)
    weights = [count / total_boards for count in boards]
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
    club_mean = compute_club_mean(club)
    own_grades = {
        person: own_grade
        for person in club.people
        if (own_grade := compute_own_grade(club, person, club_mean))
    }
    pair_grades = [
        own_grade
        for pair in pairs
        if not all(person in own_grades for person in pair)
        and (own_grade := compute_pair_grade(club, pair, club_mean))
    ]
    return [*own_grades.values(), *pair_grades]


def compute_own_grade(club: ClubState, person: str, club_mean: ClubMean) -> ShownGrade | None:
    """Return a person's own grade; None if it is not precise enough to be shown."""
    place = club_mean.places.get(person)
    if place is None:
        return None
    variance = (
        club.covariance[place][place] - 2 * club_mean.with_all[place] + club_mean.variance
    )
    return _build_shown_grade(
        club, (person,), club.mean[place] - club_mean.mean, variance, MAX_OWN_GRADE_DEVIATION
    )


def compute_pair_grade(
    club: ClubState, pair: Partnership, club_mean: ClubMean
) -> ShownGrade | None:
    """Return the grade of a pair; None if it is not precise enough to be shown."""
    one, other = (club_mean.places.get(person) for person in pair)
    if one is None or other is None:
        return None
    rows = club.covariance
    pair_variance = (rows[one][one] + 2 * rows[one][other] + rows[other][other]) / 4
    variance = (
        pair_variance - club_mean.with_all[one] - club_mean.with_all[other] + club_mean.variance
    )
    mean = (club.mean[one] + club.mean[other]) / 2 - club_mean.mean
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
    club: ClubState, people: tuple[str, ...], mean: float, variance: float, max_deviation: float
) -> ShownGrade | None:
    word = get_reliability_word(min(club.boards(person) for person in people))
    spread = sqrt(max(variance, 0.0))
    if not word or spread > max_deviation * club.constants.s0:
        return None
    return ShownGrade(
        people,
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
    club: ClubState, evening_input: EveningInput, expected: Iterable[PartnershipResult]
) -> list[GradeChange]:
    """Return the effect of an evening on the grade of each person who played.

    Call it directly after updating the state by this evening.
    """
    club_mean = compute_club_mean(club)
    boards = dict(zip(evening_input.units, evening_input.boards(), strict=True))
    results_by_person: dict[str, list[PartnershipResult]] = defaultdict(list)
    for result in expected:
        for person in result.unit:
            results_by_person[person].append(result)
    return [
        _build_grade_change(
            club, club_mean, person, rows, sum(boards[row.unit] for row in rows)
        )
        for person, rows in sorted(results_by_person.items())
    ]


def _build_grade_change(
    club: ClubState,
    club_mean: ClubMean,
    person: str,
    person_results: list[PartnershipResult],
    boards: int,
) -> GradeChange:
    mean, variance = club.get_strength(person)
    shown_grade = compute_own_grade(club, person, club_mean)
    if shown_grade is None and len(person_results) == 1:
        shown_grade = compute_pair_grade(club, person_results[0].unit, club_mean)
    return GradeChange(
        person=person,
        partners=tuple(
            other
            for person_result in person_results
            for other in person_result.unit
            if other != person
        ),
        boards=boards,
        expected=sum(person_result.mean for person_result in person_results),
        expected_sd=person_results[0].sd if len(person_results) == 1 else None,
        made=sum(person_result.actual_result for person_result in person_results),
        mean=mean,
        sd=sqrt(max(variance, 0.0)),
        all_boards=club.boards(person),
        column=club.column[person],
        shown=shown_grade,
    )
