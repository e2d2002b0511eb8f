"""The lossless serialization of evenings' results and of a club's grades as JSON data.

Only the lower half of a symmetric matrix is stored. Floats are stored with `repr` precision,
so that they do not change when they are read.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from seasons.grades.rating.evenings import EveningInput, Matrix, NormalEquations
from seasons.grades.rating.filter import ClubRatings, GradeModelConstants

JsonObject = dict[str, Any]


def serialize_evening_input(evening_input: EveningInput) -> JsonObject:
    """Serialize the data of an evening from which grades are computed."""
    equations = evening_input.equations
    return {
        "key": evening_input.evening_key,
        "day": evening_input.day_number,
        "units": [list(partnership) for partnership in equations.partnerships],
        "matrix": _extract_lower_half(equations.matrix),
        "right": equations.right_hand_side,
        "residual": equations.residual,
        "freedom": equations.degrees_of_freedom,
        "groups": [
            list(partnership_indexes)
            for partnership_indexes in evening_input.partnership_groups
        ],
        "points": list(evening_input.matchpoints),
    }


def deserialize_evening_input(data: Mapping[str, Any]) -> EveningInput:
    """Deserialize the data that `serialize_evening_input` returned."""
    return EveningInput(
        evening_key=data["key"],
        day_number=data["day"],
        equations=NormalEquations(
            partnerships=tuple(
                (first_person_key, second_person_key)
                for first_person_key, second_person_key in data["units"]
            ),
            matrix=_expand_lower_half(data["matrix"]),
            right_hand_side=list(map(float, data["right"])),
            residual=float(data["residual"]),
            degrees_of_freedom=data["freedom"],
        ),
        partnership_groups=tuple(map(tuple, data["groups"])),
        matchpoints=tuple(data["points"]),
    )


def serialize_club_ratings(club_ratings: ClubRatings) -> JsonObject:
    """Serialize the state of a club's grades."""
    return {
        "constants": [
            club_ratings.constants.s0,
            club_ratings.constants.tau,
            club_ratings.constants.q,
        ],
        "people": list(club_ratings.person_keys),
        "mean": list(club_ratings.mean),
        "covariance": _extract_lower_half(club_ratings.covariance),
        "away": {
            person_key: list(mean_and_variance)
            for person_key, mean_and_variance in club_ratings.inactive_person_strengths.items()
        },
        "played": {
            person_key: [list(day_and_board_count) for day_and_board_count in board_counts]
            for person_key, board_counts in club_ratings.days_and_board_counts_by_person.items()
        },
        "together": [
            [*partnership, board_count]
            for partnership, board_count in club_ratings.board_counts_by_partnership.items()
        ],
        "column": dict(club_ratings.percentage_grades_by_person),
        "last": club_ratings.last_day_number,
        "residual": club_ratings.residual,
        "freedom": club_ratings.degrees_of_freedom,
        "likelihood": club_ratings.log_likelihood,
    }


def deserialize_club_ratings(data: Mapping[str, Any]) -> ClubRatings:
    """Deserialize the data that `serialize_club_ratings` returned."""
    return ClubRatings(
        constants=GradeModelConstants(*map(float, data["constants"])),
        person_keys=list(data["people"]),
        mean=list(map(float, data["mean"])),
        covariance=_expand_lower_half(data["covariance"]),
        inactive_person_strengths={
            person_key: (float(mean), float(variance))
            for person_key, (mean, variance) in data["away"].items()
        },
        days_and_board_counts_by_person={
            person_key: [
                (day_number, board_count) for day_number, board_count in days_and_board_counts
            ]
            for person_key, days_and_board_counts in data["played"].items()
        },
        board_counts_by_partnership={
            (first_person_key, second_person_key): board_count
            for first_person_key, second_person_key, board_count in data["together"]
        },
        percentage_grades_by_person={
            person_key: float(grade) for person_key, grade in data["column"].items()
        },
        last_day_number=data["last"],
        residual=float(data["residual"]),
        degrees_of_freedom=data["freedom"],
        log_likelihood=float(data["likelihood"]),
    )


def _extract_lower_half(matrix: Sequence[Sequence[float]]) -> Matrix:
    return [list(row[: index + 1]) for index, row in enumerate(matrix)]


def _expand_lower_half(lower_half: Sequence[Sequence[float]]) -> Matrix:
    rows = [list(map(float, row)) for row in lower_half]
    for index, row in enumerate(rows):
        row += [lower_row[index] for lower_row in rows[index + 1 :]]
    return rows
