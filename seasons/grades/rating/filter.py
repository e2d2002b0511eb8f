"""The estimation of players' strength, updated evening by evening (a Kalman filter).

The percentage grades are a second kind of grade, similar to the National Grading Scheme. In
stored and exported data these grades are called `column` or `ngs`.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from math import inf, sqrt
from operator import mul

from seasons.grades.rating.evenings import (
    EveningInput,
    GradedEvening,
    Matrix,
    NormalEquations,
    Partnership,
    Vector,
    compute_dot_product,
    compute_evening_input,
    multiply_vector,
    solve_system,
)

PERCENTAGE_GRADE_START = 50.0
PERCENTAGE_GRADE_GAIN = 2.0
MIN_BOARDS, MAX_BOARDS = 300, 2000
"""The limits of the number of recent boards that divides a change of a percentage grade."""
RECENT_BOARD_DAYS = 1095
"""The number of days in which a board counts as recent: three years."""
PRIOR_PLAY_COUNT, PRIOR_NOISE_VARIANCE = 300, 1.69
"""The weight of a single result's prior variance, in results, and this variance."""
DAYS_PER_YEAR = 365
MAX_ABSENCE_DAYS = 730
"""The number of days of absence after which a person is removed from the covariance matrix.

The person's mean and variance are stored until the person returns.
"""


def compute_percentage_grade_changes(
    evening_input: EveningInput,
    grades_by_person: Mapping[str, float],
    count_boards: Callable[[str, int], int],
) -> dict[str, float]:
    """Return the change of each person's percentage-scale grade by one evening.

    `grades_by_person` are the grades before the evening. `count_boards` returns the number of
    boards that a person has played after a given day, including this evening.
    """
    partnership_grades = [
        (grades_by_person[first_person_key] + grades_by_person[second_person_key]) / 2
        for first_person_key, second_person_key in evening_input.partnerships
    ]
    # sums of the grades of the compared partnerships
    compared_grade_sums = [0.0] * len(partnership_grades)
    comparison_counts = [0] * len(partnership_grades)
    for partnership_indexes in evening_input.partnership_groups:
        grade_sum = sum(partnership_grades[index] for index in partnership_indexes)
        for index in partnership_indexes:
            compared_grade_sums[index] += grade_sum - partnership_grades[index]
            comparison_counts[index] += len(partnership_indexes) - 1
    changes_by_person: dict[str, float] = defaultdict(float)
    for index, (partnership, board_count) in enumerate(
        zip(evening_input.partnerships, evening_input.count_boards(), strict=True)
    ):
        expected_percentage = (
            PERCENTAGE_GRADE_START
            + partnership_grades[index]
            - compared_grade_sums[index] / comparison_counts[index]
        )
        percentage = 100 * evening_input.matchpoints[index] / (2 * comparison_counts[index])
        for person_key in partnership:
            recent_board_count = min(
                MAX_BOARDS,
                count_boards(person_key, evening_input.day_number - RECENT_BOARD_DAYS),
            )
            changes_by_person[person_key] += (
                PERCENTAGE_GRADE_GAIN
                * board_count
                / max(recent_board_count, MIN_BOARDS)
                * (percentage - expected_percentage)
            )
    return dict(changes_by_person)


@dataclass(frozen=True, slots=True)
class GradeModelConstants:
    """The constants of the model, as standard deviations in tricks per board.

    `s0` is the spread of strength between people. `tau` is the variation of a partnership's
    strength from evening to evening. `q` is the drift of a person's strength in a year.
    """

    s0: float = 0.25
    tau: float = 0.05
    q: float = 0.07


@dataclass(frozen=True, slots=True)
class PartnershipResult:
    """The expected and the actual result of a partnership over an evening.

    `mean` is the expected result, and `sd` is its standard deviation.
    """

    partnership: Partnership
    mean: float
    sd: float
    actual_result: float


@dataclass(slots=True)
class ClubRatings:
    """The state of all grades of a club after an evening."""

    constants: GradeModelConstants
    # the people in the order of the covariance matrix
    person_keys: list[str] = field(default_factory=list)
    mean: Vector = field(default_factory=list)  # the mean strength of each person
    covariance: Matrix = field(default_factory=list)
    # the mean and the variance of each person who was absent for a long time
    inactive_person_strengths: dict[str, tuple[float, float]] = field(default_factory=dict)
    days_and_board_counts_by_person: dict[str, list[tuple[int, int]]] = field(
        default_factory=dict
    )
    """The days on which each person played in the last three years.

    Each item is a day and the total number of boards up to that day.
    """
    # the number of boards that two people played together
    board_counts_by_partnership: dict[Partnership, int] = field(default_factory=dict)
    percentage_grades_by_person: dict[str, float] = field(default_factory=dict)
    last_day_number: int | None = None  # the day of the last graded evening
    residual: float = 0.0
    degrees_of_freedom: int = 0
    log_likelihood: float = 0.0

    @property
    def noise_variance(self) -> float:
        """The estimated variance of a single result, in tricks squared."""
        weight = PRIOR_PLAY_COUNT + self.degrees_of_freedom
        return (PRIOR_PLAY_COUNT * PRIOR_NOISE_VARIANCE + self.residual) / weight

    def get_strength(self, person_key: str) -> tuple[float, float]:
        """Return the mean and the variance of a person's estimated strength."""
        if person_key in self.inactive_person_strengths:
            return self.inactive_person_strengths[person_key]
        index = self.person_keys.index(person_key)
        return self.mean[index], self.covariance[index][index]

    def count_boards(self, person_key: str, since_day_number: int | None = None) -> int:
        """Return the number of a person's compared boards, in total or after a given day."""
        days_and_board_counts = self.days_and_board_counts_by_person[person_key]
        total_board_count = days_and_board_counts[-1][1] if days_and_board_counts else 0
        if since_day_number is None:
            return total_board_count
        index = bisect_right(days_and_board_counts, (since_day_number, inf))
        return total_board_count - (days_and_board_counts[index - 1][1] if index else 0)


def grade_evening(club_ratings: ClubRatings, evening: GradedEvening) -> list[PartnershipResult]:
    """Update the state by the results of an evening, and return the expected results.

    Evenings must be processed in the order of day and key. An evening without a board that was
    played twice changes nothing.
    """
    evening_input = compute_evening_input(evening)
    return (
        [] if evening_input is None else update_ratings_from_input(club_ratings, evening_input)
    )


def update_ratings_from_input(
    club_ratings: ClubRatings, evening_input: EveningInput
) -> list[PartnershipResult]:
    """Update all grades by an evening, and return the expected result of each partnership."""
    partnership_results = update_strengths(club_ratings, evening_input)
    for partnership, board_count in zip(
        evening_input.partnerships, evening_input.count_boards(), strict=True
    ):
        club_ratings.board_counts_by_partnership[partnership] = (
            club_ratings.board_counts_by_partnership.get(partnership, 0) + board_count
        )
    for person_key, change in compute_percentage_grade_changes(
        evening_input, club_ratings.percentage_grades_by_person, club_ratings.count_boards
    ).items():
        club_ratings.percentage_grades_by_person[person_key] += change
    return partnership_results


def update_strengths(
    club_ratings: ClubRatings, evening_input: EveningInput
) -> list[PartnershipResult]:
    """Update the estimates of strength by an evening, without the percentage-scale grades."""
    advance_ratings_to_day(
        club_ratings,
        evening_input.day_number,
        {
            person_key
            for partnership in evening_input.partnerships
            for person_key in partnership
        },
    )
    old_noise_variance = club_ratings.noise_variance
    club_ratings.residual += evening_input.equations.residual
    club_ratings.degrees_of_freedom += evening_input.equations.degrees_of_freedom
    partnership_results = _update_means_and_covariance(
        club_ratings, evening_input, old_noise_variance
    )
    _record_board_counts(club_ratings, evening_input)
    club_ratings.last_day_number = evening_input.day_number
    return partnership_results


def advance_ratings_to_day(
    club_ratings: ClubRatings, day_number: int, person_keys: Collection[str]
) -> None:
    """Advance the state to a day, and add the people who play on that day."""
    _remove_absent_people(club_ratings, day_number)
    _add_drift_variance(club_ratings, day_number)
    _add_new_and_returning_people(club_ratings, sorted(person_keys))


def _remove_absent_people(club_ratings: ClubRatings, day_number: int) -> None:
    """Remove people who were absent for two years from the covariance matrix."""
    active_indexes = []
    for index, person_key in enumerate(club_ratings.person_keys):
        if (
            day_number - club_ratings.days_and_board_counts_by_person[person_key][-1][0]
            > MAX_ABSENCE_DAYS
        ):
            club_ratings.inactive_person_strengths[person_key] = (
                club_ratings.mean[index],
                club_ratings.covariance[index][index],
            )
        else:
            active_indexes.append(index)
    if len(active_indexes) < len(club_ratings.person_keys):
        club_ratings.person_keys = [club_ratings.person_keys[index] for index in active_indexes]
        club_ratings.mean = [club_ratings.mean[index] for index in active_indexes]
        club_ratings.covariance = [
            [
                club_ratings.covariance[row_index][column_index]
                for column_index in active_indexes
            ]
            for row_index in active_indexes
        ]


def _add_drift_variance(club_ratings: ClubRatings, day_number: int) -> None:
    """Increase the variances by the possible drift of strength since the last evening."""
    if club_ratings.last_day_number is None:
        return
    added_variance = (
        club_ratings.constants.q**2
        * (day_number - club_ratings.last_day_number)
        / DAYS_PER_YEAR
    )
    for index, row in enumerate(club_ratings.covariance):
        row[index] += added_variance


def _add_new_and_returning_people(
    club_ratings: ClubRatings, person_keys: Sequence[str]
) -> None:
    """Add new people and people who return after an absence."""
    for person_key in person_keys:
        if (
            person_key in club_ratings.percentage_grades_by_person
            and person_key not in club_ratings.inactive_person_strengths
        ):
            continue
        mean, variance = club_ratings.inactive_person_strengths.pop(
            person_key, (0.0, club_ratings.constants.s0**2)
        )
        for row in club_ratings.covariance:
            row.append(0.0)
        club_ratings.covariance.append([0.0] * len(club_ratings.person_keys) + [variance])
        club_ratings.mean.append(mean)
        club_ratings.person_keys.append(person_key)
        club_ratings.percentage_grades_by_person.setdefault(person_key, PERCENTAGE_GRADE_START)
        club_ratings.days_and_board_counts_by_person.setdefault(person_key, [])


def _update_means_and_covariance(
    club_ratings: ClubRatings, evening_input: EveningInput, noise_variance: float
) -> list[PartnershipResult]:
    """Update the means and the covariance matrix by the results of the partnerships.

    `noise_variance` is the variance of a result as estimated before the evening.
    """
    equations = evening_input.equations
    index_by_person = {
        person_key: index for index, person_key in enumerate(club_ratings.person_keys)
    }
    partner_indexes = [
        (index_by_person[first_person_key], index_by_person[second_person_key])
        for first_person_key, second_person_key in equations.partnerships
    ]
    new_noise_variance = club_ratings.noise_variance
    matrix = [[value / new_noise_variance for value in row] for row in equations.matrix]
    right_hand_side = [value / new_noise_variance for value in equations.right_hand_side]
    # P Hᵀ: the covariance of each person (row) with each partnership's mean (column)
    cross_covariance = [
        [
            (row[first_index] + row[second_index]) / 2
            for first_index, second_index in partner_indexes
        ]
        for row in club_ratings.covariance
    ]
    partnership_covariance = [
        [
            (first_value + second_value) / 2
            for first_value, second_value in zip(
                cross_covariance[first_index], cross_covariance[second_index], strict=True
            )
        ]
        for first_index, second_index in partner_indexes
    ]
    for index, row in enumerate(partnership_covariance):
        row[index] += club_ratings.constants.tau**2
    prior_means = [
        (club_ratings.mean[first_index] + club_ratings.mean[second_index]) / 2
        for first_index, second_index in partner_indexes
    ]
    prediction_errors = [
        observed_value - predicted_value
        for observed_value, predicted_value in zip(
            right_hand_side, multiply_vector(matrix, prior_means), strict=True
        )
    ]
    system = _compute_system_matrix(matrix, partnership_covariance)
    expected_results = _compute_expected_results(
        equations, prior_means, system, new_noise_variance, noise_variance
    )
    weights, precision, log_determinant = _compute_weights(system, matrix, prediction_errors)
    club_ratings.log_likelihood += (
        -log_determinant / 2
        + compute_dot_product(
            prediction_errors, multiply_vector(partnership_covariance, weights)
        )
        / 2
        + compute_dot_product(right_hand_side, prior_means)
        - compute_dot_product(prior_means, multiply_vector(matrix, prior_means)) / 2
    )
    club_ratings.mean = [
        mean + compute_dot_product(row, weights)
        for mean, row in zip(club_ratings.mean, cross_covariance, strict=True)
    ]
    _reduce_covariance(club_ratings.covariance, cross_covariance, precision)
    return expected_results


def _compute_expected_results(
    equations: NormalEquations,
    prior_means: Sequence[float],
    system: Matrix,
    new_noise_variance: float,
    noise_variance: float,
) -> list[PartnershipResult]:
    """Return the expected and the actual result of each partnership.

    Expected results are computed from the means before the evening.
    """
    results = []
    expected = multiply_vector(equations.matrix, prior_means)
    for index, (partnership, row, actual_result) in enumerate(
        zip(equations.partnerships, equations.matrix, equations.right_hand_side, strict=True)
    ):
        system_product, diagonal_value = compute_dot_product(system[index], row), row[index]
        variance = (
            new_noise_variance * (system_product - diagonal_value)
            + noise_variance * diagonal_value
        )
        results.append(
            PartnershipResult(partnership, expected[index], sqrt(variance), actual_result)
        )
    return results


def _compute_system_matrix(matrix: Matrix, partnership_covariance: Matrix) -> Matrix:
    """Return A = I + GS, where G is `matrix` and S is `partnership_covariance`.

    S is symmetric, so its rows are used as columns.
    """
    system = [
        [compute_dot_product(row, column) for column in partnership_covariance]
        for row in matrix
    ]
    for index, row in enumerate(system):
        row[index] += 1.0
    return system


def _compute_weights(
    system: Matrix, matrix: Matrix, prediction_errors: Vector
) -> tuple[Vector, Matrix, float]:
    """Return A⁻¹v, the symmetrized matrix A⁻¹G, and ln det A.

    A is `system`, v is `prediction_errors`, and G is `matrix`.
    """
    dimension = len(matrix)
    right_hand_side = [
        [value, *row] for value, row in zip(prediction_errors, matrix, strict=True)
    ]
    solution, log_determinant = solve_system(system, right_hand_side)
    precision = [row[1:] for row in solution]
    symmetric_precision = [
        [
            (precision[row_index][column_index] + precision[column_index][row_index]) / 2
            for column_index in range(dimension)
        ]
        for row_index in range(dimension)
    ]
    return [row[0] for row in solution], symmetric_precision, log_determinant


def _reduce_covariance(covariance: Matrix, cross_covariance: Matrix, precision: Matrix) -> None:
    """Subtract KVKᵀ from the covariance matrix.

    K is `cross_covariance`, and V is `precision`. The covariance matrix is changed
    in place, and remains exactly symmetric.
    """
    for index, row in enumerate(cross_covariance):
        weighted_row = multiply_vector(precision, row)
        covariance_row = covariance[index]
        lower_rows = zip(
            covariance_row[: index + 1], cross_covariance[: index + 1], strict=True
        )
        covariance_row[: index + 1] = [
            old_value - sum(map(mul, weighted_row, other_row))
            for old_value, other_row in lower_rows
        ]
    for index, covariance_row in enumerate(covariance):
        covariance_row[index + 1 :] = [row[index] for row in covariance[index + 1 :]]


def _record_board_counts(club_ratings: ClubRatings, evening_input: EveningInput) -> None:
    board_counts_by_person: dict[str, int] = defaultdict(int)
    for partnership, board_count in zip(
        evening_input.partnerships, evening_input.count_boards(), strict=True
    ):
        for person_key in partnership:
            board_counts_by_person[person_key] += board_count
    for person_key, person_board_count in board_counts_by_person.items():
        days_and_board_counts = club_ratings.days_and_board_counts_by_person[person_key]
        days_and_board_counts.append(
            (
                evening_input.day_number,
                club_ratings.count_boards(person_key) + person_board_count,
            )
        )
        while (
            days_and_board_counts[1:]
            and days_and_board_counts[1][0] <= evening_input.day_number - RECENT_BOARD_DAYS
        ):
            del days_and_board_counts[
                0
            ]  # the total of the first remaining day includes deleted days


def predict_results(
    club_ratings: ClubRatings, evening: GradedEvening
) -> list[PartnershipResult]:
    """Return the expected results of an evening without changing the state."""
    return grade_evening(deepcopy(club_ratings), evening)
