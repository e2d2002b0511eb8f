"""The estimation of players' strength, updated evening by evening (a Kalman filter).

A `column` is a second grade, on a percentage scale similar to the National Grading Scheme.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from math import inf, sqrt
from operator import mul

from seasons.grades.rating.evenings import (
    Equations,
    EveningInput,
    GradedEvening,
    Matrix,
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
PERCENTAGE_WINDOW_DAYS = 1095
PRIOR_PLAYS, PRIOR_NOISE = 300, 1.69
"""The prior variance of a single result, with the weight of 300 results."""
DAYS_PER_YEAR = 365
MAX_ABSENCE_DAYS = 730
"""The number of days of absence after which a person is removed from the covariance matrix.

The person's mean and variance are stored until the person returns.
"""


def compute_percentage_grade_changes(
    evening_input: EveningInput, grades: Mapping[str, float], played: Callable[[str, int], int]
) -> dict[str, float]:
    """Return the change of each person's percentage-scale grade by one evening.

    `grades` are these grades before the evening. `played` returns the number of boards that a
    person has played after a given day, including this evening.
    """
    unit_grades = [(grades[one] + grades[other]) / 2 for one, other in evening_input.units]
    against = [0.0] * len(unit_grades)  # sums of the grades of the compared partnerships
    compared = [0] * len(unit_grades)
    for group in evening_input.groups:
        group_total = sum(unit_grades[place] for place in group)
        for place in group:
            against[place] += group_total - unit_grades[place]
            compared[place] += len(group) - 1
    changes: dict[str, float] = defaultdict(float)
    for place, (unit, boards) in enumerate(
        zip(evening_input.units, evening_input.boards(), strict=True)
    ):
        expected = (
            PERCENTAGE_GRADE_START + unit_grades[place] - against[place] / compared[place]
        )
        percentage = 100 * evening_input.points[place] / (2 * compared[place])
        for person in unit:
            board_count = min(
                MAX_BOARDS, played(person, evening_input.day - PERCENTAGE_WINDOW_DAYS)
            )
            changes[person] += (
                PERCENTAGE_GRADE_GAIN
                * boards
                / max(board_count, MIN_BOARDS)
                * (percentage - expected)
            )
    return dict(changes)


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of the model, as standard deviations in tricks per board.

    `s0` is the spread of strength between people and `tau` that of a partnership between
    evenings. `q` is the drift of a person's strength in a year.
    """

    s0: float = 0.25
    tau: float = 0.05
    q: float = 0.07


@dataclass(frozen=True, slots=True)
class PartnershipResult:
    """The expected and the actual result of a partnership over an evening.

    `sd` is the standard deviation of the expected result `mean`; `actual_result` is the actual
    result.
    """

    unit: Partnership
    mean: float
    sd: float
    actual_result: float


@dataclass(slots=True)
class ClubState:
    """The state of all grades of a club after an evening."""

    constants: Constants
    people: list[str] = field(default_factory=list)  # in the order of the covariance matrix
    mean: Vector = field(default_factory=list)
    covariance: Matrix = field(default_factory=list)
    inactive_people: dict[str, tuple[float, float]] = field(
        default_factory=dict
    )  # mean and variance
    played: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """The days on which each person played in the last three years.

    Each item is a day and the total number of boards up to that day.
    """
    together: dict[Partnership, int] = field(
        default_factory=dict
    )  # the number of boards that two people played together
    column: dict[str, float] = field(default_factory=dict)  # grades on the percentage scale
    last: int | None = None  # the day of the last graded evening
    residual: float = 0.0
    freedom: int = 0
    likelihood: float = 0.0

    @property
    def noise(self) -> float:
        """The estimated variance of a single result, in tricks squared."""
        weight = PRIOR_PLAYS + self.freedom
        return (PRIOR_PLAYS * PRIOR_NOISE + self.residual) / weight

    def get_strength(self, person: str) -> tuple[float, float]:
        """Return the mean and the variance of a person's estimated strength."""
        if person in self.inactive_people:
            return self.inactive_people[person]
        place = self.people.index(person)
        return self.mean[place], self.covariance[place][place]

    def boards(self, person: str, since: int | None = None) -> int:
        """Return the number of a person's compared boards, in total or after a given day."""
        days = self.played[person]
        total = days[-1][1] if days else 0
        if since is None:
            return total
        place = bisect_right(days, (since, inf))
        return total - (days[place - 1][1] if place else 0)


def grade_evening(club: ClubState, evening: GradedEvening) -> list[PartnershipResult]:
    """Update the state by the results of an evening, and return the expected results.

    Evenings must be processed in the order of day and key. An evening without a board that was
    played twice changes nothing.
    """
    evening_input = compute_evening_input(evening)
    return [] if evening_input is None else update_by_input(club, evening_input)


def update_by_input(club: ClubState, evening_input: EveningInput) -> list[PartnershipResult]:
    """Update all grades by an evening, and return the expected result of each partnership."""
    results = update_strengths(club, evening_input)
    for unit, boards in zip(evening_input.units, evening_input.boards(), strict=True):
        club.together[unit] = club.together.get(unit, 0) + boards
    for person, change in compute_percentage_grade_changes(
        evening_input, club.column, club.boards
    ).items():
        club.column[person] += change
    return results


def update_strengths(club: ClubState, evening_input: EveningInput) -> list[PartnershipResult]:
    """Update the estimates of strength by an evening, without the percentage-scale grades."""
    advance_to_day(
        club, evening_input.day, {person for unit in evening_input.units for person in unit}
    )
    before = club.noise
    club.residual += evening_input.equations.residual
    club.freedom += evening_input.equations.freedom
    results = _update_moments(club, evening_input, before)
    _count_boards(club, evening_input)
    club.last = evening_input.day
    return results


def advance_to_day(club: ClubState, today: int, tonight: Collection[str]) -> None:
    """Advance the state to a day, and add the people who play on that day."""
    _remove_absent(club, today)
    _add_drift(club, today)
    _add_people(club, sorted(tonight))


def _remove_absent(club: ClubState, today: int) -> None:
    """Remove people who were absent for two years from the covariance matrix."""
    kept_places = []
    for place, person in enumerate(club.people):
        if today - club.played[person][-1][0] > MAX_ABSENCE_DAYS:
            club.inactive_people[person] = club.mean[place], club.covariance[place][place]
        else:
            kept_places.append(place)
    if len(kept_places) < len(club.people):
        club.people = [club.people[place] for place in kept_places]
        club.mean = [club.mean[place] for place in kept_places]
        club.covariance = [[club.covariance[a][b] for b in kept_places] for a in kept_places]


def _add_drift(club: ClubState, today: int) -> None:
    """Increase the variances by the possible drift of strength since the last evening."""
    if club.last is None:
        return
    added = club.constants.q**2 * (today - club.last) / DAYS_PER_YEAR
    for place, row in enumerate(club.covariance):
        row[place] += added


def _add_people(club: ClubState, tonight: Sequence[str]) -> None:
    """Add new people and people who return after an absence."""
    for person in tonight:
        if person in club.column and person not in club.inactive_people:
            continue
        mean, variance = club.inactive_people.pop(person, (0.0, club.constants.s0**2))
        for row in club.covariance:
            row.append(0.0)
        club.covariance.append([0.0] * len(club.people) + [variance])
        club.mean.append(mean)
        club.people.append(person)
        club.column.setdefault(person, PERCENTAGE_GRADE_START)
        club.played.setdefault(person, [])


def _update_moments(
    club: ClubState, evening_input: EveningInput, noise: float
) -> list[PartnershipResult]:
    """Update the means and the covariance matrix by the results of the partnerships.

    `noise` is the variance of a result as estimated before the evening.
    """
    equations = evening_input.equations
    places = {person: place for place, person in enumerate(club.people)}
    seats = [(places[one], places[other]) for one, other in equations.units]
    sigma2 = club.noise
    matrix = [[value / sigma2 for value in row] for row in equations.matrix]
    right = [value / sigma2 for value in equations.right]
    gain = [  # P Hᵀ, one row per person
        [(row[one] + row[other]) / 2 for one, other in seats] for row in club.covariance
    ]
    spread = [
        [(a + b) / 2 for a, b in zip(gain[one], gain[other], strict=True)]
        for one, other in seats
    ]
    for place, row in enumerate(spread):
        row[place] += club.constants.tau**2
    before = [(club.mean[one] + club.mean[other]) / 2 for one, other in seats]
    innovation = [
        g - predicted
        for g, predicted in zip(right, multiply_vector(matrix, before), strict=True)
    ]
    system = _compute_system_matrix(matrix, spread)
    expected = _compute_expected_results(equations, before, system, sigma2, noise)
    weights, precision, logarithm = _compute_weights(system, matrix, innovation)
    club.likelihood += (
        -logarithm / 2
        + compute_dot_product(innovation, multiply_vector(spread, weights)) / 2
        + compute_dot_product(right, before)
        - compute_dot_product(before, multiply_vector(matrix, before)) / 2
    )
    club.mean = [
        mean + compute_dot_product(row, weights)
        for mean, row in zip(club.mean, gain, strict=True)
    ]
    _reduce_covariance(club.covariance, gain, precision)
    return expected


def _compute_expected_results(
    equations: Equations, before: Sequence[float], system: Matrix, sigma2: float, noise: float
) -> list[PartnershipResult]:
    """Return the expected and the actual result of each partnership.

    Expected results are computed from the means before the evening.
    """
    lines = []
    expected = multiply_vector(equations.matrix, before)
    for place, (unit, row, actual) in enumerate(
        zip(equations.units, equations.matrix, equations.right, strict=True)
    ):
        system_product, own_value = compute_dot_product(system[place], row), row[place]
        variance = sigma2 * (system_product - own_value) + noise * own_value
        lines.append(PartnershipResult(unit, expected[place], sqrt(variance), actual))
    return lines


def _compute_system_matrix(matrix: Matrix, spread: Matrix) -> Matrix:
    """Return A = I + GS. S is symmetric, so its rows are used as columns."""
    system = [[compute_dot_product(row, column) for column in spread] for row in matrix]
    for place, row in enumerate(system):
        row[place] += 1.0
    return system


def _compute_weights(
    system: Matrix, matrix: Matrix, innovation: Vector
) -> tuple[Vector, Matrix, float]:
    """Return w = A⁻¹(g − GHμ), the symmetrized V = A⁻¹G, and ln det A."""
    size = len(matrix)
    right = [[value, *row] for value, row in zip(innovation, matrix, strict=True)]
    solution, logarithm = solve_system(system, right)
    precision = [row[1:] for row in solution]
    symmetric = [
        [(precision[a][b] + precision[b][a]) / 2 for b in range(size)] for a in range(size)
    ]
    return [row[0] for row in solution], symmetric, logarithm


def _reduce_covariance(covariance: Matrix, gain: Matrix, precision: Matrix) -> None:
    """Subtract PHᵀVHP from the covariance matrix, so that it remains exactly symmetric."""
    for place, row in enumerate(gain):
        weighted = multiply_vector(precision, row)
        row_ = covariance[place]
        lower = zip(row_[: place + 1], gain[: place + 1], strict=True)
        row_[: place + 1] = [
            old_value - sum(map(mul, weighted, other)) for old_value, other in lower
        ]
    for place, row_ in enumerate(covariance):
        row_[place + 1 :] = [row[place] for row in covariance[place + 1 :]]


def _count_boards(club: ClubState, evening_input: EveningInput) -> None:
    boards: dict[str, int] = defaultdict(int)
    for unit, played in zip(evening_input.units, evening_input.boards(), strict=True):
        for person in unit:
            boards[person] += played
    for person, count in boards.items():
        days = club.played[person]
        days.append((evening_input.day, club.boards(person) + count))
        while days[1:] and days[1][0] <= evening_input.day - PERCENTAGE_WINDOW_DAYS:
            del days[0]  # the total of the first remaining day includes deleted days


def predict_results(club: ClubState, evening: GradedEvening) -> list[PartnershipResult]:
    """Return the expected results of an evening without changing the state."""
    return grade_evening(deepcopy(club), evening)
