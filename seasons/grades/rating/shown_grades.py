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
from seasons.grades.rating.filter import DAYS_PER_YEAR, ClubRatings, PartnershipResult

BOARDS_PER_EVENING = 24
RANGE_STANDARD_DEVIATIONS = 1.2816
"""The half width of an 80 % interval, in standard deviations."""
MIN_BOARDS_TENTATIVE, MIN_BOARDS_EVOLVING, MIN_BOARDS_MATURE = 150, 300, 1000
"""The minimum number of boards for each reliability word."""
MAX_OWN_GRADE_DEVIATION, MAX_PAIR_GRADE_DEVIATION = 0.6, 0.45
"""The maximum standard deviations of shown own and pair grades, as fractions of s0."""


@dataclass(frozen=True, slots=True)
class ShownGrade:
    """The grade of a person, in the units that pages show.

    If the strengths of two partners cannot be separated, the grade is that of the pair.
    """

    person_keys: tuple[str, ...]
    grade: float
    range: float  # half width of the 80 % interval
    reliability_word: str  # the reliability: tentative, evolving or mature


@dataclass(frozen=True, slots=True)
class ClubMeanStrength:
    """The mean strength of the club's people, weighted by their boards in the last 365 days.

    Shown grades are relative to this mean. `covariance_with_mean` has one value per person:
    the covariance of the person's strength with the mean.
    """

    index_by_person: dict[str, int]
    mean: float
    variance: float
    covariance_with_mean: Vector


def compute_club_mean(club_ratings: ClubRatings) -> ClubMeanStrength:
    """Return the club's mean strength, with its variance, on the day of the latest evening."""
    assert club_ratings.last_day_number is not None
    board_counts = [
        club_ratings.count_boards(person_key, club_ratings.last_day_number - DAYS_PER_YEAR)
        for person_key in club_ratings.person_keys
    ]
    total_board_count = sum(board_counts)
    weights = [board_count / total_board_count for board_count in board_counts]
    covariance_with_mean = multiply_vector(club_ratings.covariance, weights)
    return ClubMeanStrength(
        index_by_person={
            person_key: index for index, person_key in enumerate(club_ratings.person_keys)
        },
        mean=compute_dot_product(weights, club_ratings.mean),
        variance=compute_dot_product(weights, covariance_with_mean),
        covariance_with_mean=covariance_with_mean,
    )


def list_shown_grades(
    club_ratings: ClubRatings, pairs: Iterable[Partnership] = ()
) -> list[ShownGrade]:
    """Return the shown grades of people and of pairs.

    A pair's grade is included only if at least one of the two people has no own grade.
    """
    if club_ratings.last_day_number is None:
        return []
    club_mean = compute_club_mean(club_ratings)
    own_grades_by_person = {
        person_key: shown_grade
        for person_key in club_ratings.person_keys
        if (shown_grade := compute_own_grade(club_ratings, person_key, club_mean))
    }
    pair_grades = [
        shown_grade
        for pair in pairs
        if not all(person_key in own_grades_by_person for person_key in pair)
        and (shown_grade := compute_pair_grade(club_ratings, pair, club_mean))
    ]
    return [*own_grades_by_person.values(), *pair_grades]


def compute_own_grade(
    club_ratings: ClubRatings, person_key: str, club_mean: ClubMeanStrength
) -> ShownGrade | None:
    """Return a person's own grade; None if it is not precise enough to be shown."""
    index = club_mean.index_by_person.get(person_key)
    if index is None:
        return None
    variance = (
        club_ratings.covariance[index][index]
        - 2 * club_mean.covariance_with_mean[index]
        + club_mean.variance
    )
    return _build_shown_grade(
        club_ratings,
        (person_key,),
        club_ratings.mean[index] - club_mean.mean,
        variance,
        MAX_OWN_GRADE_DEVIATION,
    )


def compute_pair_grade(
    club_ratings: ClubRatings, pair: Partnership, club_mean: ClubMeanStrength
) -> ShownGrade | None:
    """Return the grade of a pair; None if it is not precise enough to be shown."""
    first_index, second_index = (
        club_mean.index_by_person.get(person_key) for person_key in pair
    )
    if first_index is None or second_index is None:
        return None
    covariance = club_ratings.covariance
    pair_variance = (
        covariance[first_index][first_index]
        + 2 * covariance[first_index][second_index]
        + covariance[second_index][second_index]
    ) / 4
    variance = (
        pair_variance
        - club_mean.covariance_with_mean[first_index]
        - club_mean.covariance_with_mean[second_index]
        + club_mean.variance
    )
    mean = (
        club_ratings.mean[first_index] + club_ratings.mean[second_index]
    ) / 2 - club_mean.mean
    return _build_shown_grade(club_ratings, pair, mean, variance, MAX_PAIR_GRADE_DEVIATION)


def get_reliability_word(board_count: int) -> str:
    """Return the reliability of a grade by its number of boards: tentative, evolving or mature.

    The result is "" if there are too few boards for a grade.
    """
    if board_count < MIN_BOARDS_TENTATIVE:
        return ""
    if board_count < MIN_BOARDS_EVOLVING:
        return "tentative"
    return "evolving" if board_count < MIN_BOARDS_MATURE else "mature"


def _build_shown_grade(
    club_ratings: ClubRatings,
    person_keys: tuple[str, ...],
    mean: float,
    variance: float,
    max_deviation: float,
) -> ShownGrade | None:
    reliability_word = get_reliability_word(
        min(club_ratings.count_boards(person_key) for person_key in person_keys)
    )
    deviation = sqrt(max(variance, 0.0))
    if not reliability_word or deviation > max_deviation * club_ratings.constants.s0:
        return None
    return ShownGrade(
        person_keys,
        BOARDS_PER_EVENING * mean,
        BOARDS_PER_EVENING * RANGE_STANDARD_DEVIATIONS * deviation,
        reliability_word,
    )


@dataclass(frozen=True, slots=True)
class GradeChange:
    """The effect of one evening on a person's grade.

    `expected_result` and `actual_result` are in tricks over the evening.
    `expected_sd` is None if the person had several partners.
    """

    person_key: str
    partner_keys: tuple[str, ...]
    board_count: int
    expected_result: float
    expected_sd: float | None
    actual_result: float
    mean: float
    sd: float
    total_board_count: int
    percentage_grade: float
    shown_grade: ShownGrade | None


def list_grade_changes(
    club_ratings: ClubRatings,
    evening_input: EveningInput,
    partnership_results: Iterable[PartnershipResult],
) -> list[GradeChange]:
    """Return the effect of an evening on the grade of each person who played.

    The caller must have updated the state by this evening, and by no later one.
    """
    club_mean = compute_club_mean(club_ratings)
    board_counts_by_partnership = dict(
        zip(evening_input.partnerships, evening_input.count_boards(), strict=True)
    )
    results_by_person: dict[str, list[PartnershipResult]] = defaultdict(list)
    for result in partnership_results:
        for person_key in result.partnership:
            results_by_person[person_key].append(result)
    return [
        _build_grade_change(
            club_ratings,
            club_mean,
            person_key,
            person_results,
            sum(
                board_counts_by_partnership[person_result.partnership]
                for person_result in person_results
            ),
        )
        for person_key, person_results in sorted(results_by_person.items())
    ]


def _build_grade_change(
    club_ratings: ClubRatings,
    club_mean: ClubMeanStrength,
    person_key: str,
    person_results: list[PartnershipResult],
    board_count: int,
) -> GradeChange:
    mean, variance = club_ratings.get_strength(person_key)
    shown_grade = compute_own_grade(club_ratings, person_key, club_mean)
    if shown_grade is None and len(person_results) == 1:
        shown_grade = compute_pair_grade(club_ratings, person_results[0].partnership, club_mean)
    return GradeChange(
        person_key=person_key,
        partner_keys=tuple(
            partner_key
            for person_result in person_results
            for partner_key in person_result.partnership
            if partner_key != person_key
        ),
        board_count=board_count,
        expected_result=sum(person_result.mean for person_result in person_results),
        expected_sd=person_results[0].sd if len(person_results) == 1 else None,
        actual_result=sum(person_result.actual_result for person_result in person_results),
        mean=mean,
        sd=sqrt(max(variance, 0.0)),
        total_board_count=club_ratings.count_boards(person_key),
        percentage_grade=club_ratings.percentage_grades_by_person[person_key],
        shown_grade=shown_grade,
    )
