"""The lossless serialization of evenings' results and of a club's grades as JSON data.

Only the lower half of a symmetric matrix is stored. Floats are stored with `repr` precision,
so that they do not change when they are read.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from seasons.grades.rating.evenings import Equations, EveningInput, Matrix
from seasons.grades.rating.filter import ClubRatings, GradeModelConstants

JsonObject = dict[str, Any]


def serialize_evening_input(evening_input: EveningInput) -> JsonObject:
    """Serialize the data of an evening from which grades are computed."""
    equations = evening_input.equations
    return {
        "key": evening_input.key,
        "day": evening_input.day,
        "units": [list(partnership) for partnership in equations.partnerships],
        "matrix": _extract_lower_half(equations.matrix),
        "right": equations.right_hand_side,
        "residual": equations.residual,
        "freedom": equations.degrees_of_freedom,
        "groups": [list(group) for group in evening_input.groups],
        "points": list(evening_input.points),
    }


def deserialize_evening_input(data: Mapping[str, Any]) -> EveningInput:
    """Deserialize the data that `serialize_evening_input` returned."""
    return EveningInput(
        key=data["key"],
        day=data["day"],
        equations=Equations(
            partnerships=tuple(
                (first_person, second_person) for first_person, second_person in data["units"]
            ),
            matrix=_expand_lower_half(data["matrix"]),
            right_hand_side=list(map(float, data["right"])),
            residual=float(data["residual"]),
            degrees_of_freedom=data["freedom"],
        ),
        groups=tuple(map(tuple, data["groups"])),
        points=tuple(data["points"]),
    )


def serialize_club_ratings(club_ratings: ClubRatings) -> JsonObject:
    """Serialize the state of a club's grades."""
    return {
        "constants": [
            club_ratings.constants.s0,
            club_ratings.constants.tau,
            club_ratings.constants.q,
        ],
        "people": list(club_ratings.people),
        "mean": list(club_ratings.mean),
        "covariance": _extract_lower_half(club_ratings.covariance),
        "away": {
            person: list(moments) for person, moments in club_ratings.inactive_people.items()
        },
        "played": {
            person: [list(day) for day in days]
            for person, days in club_ratings.played_days.items()
        },
        "together": [
            [*partnership, boards] for partnership, boards in club_ratings.joint_boards.items()
        ],
        "column": dict(club_ratings.percentage_grades),
        "last": club_ratings.last_day,
        "residual": club_ratings.residual,
        "freedom": club_ratings.degrees_of_freedom,
        "likelihood": club_ratings.log_likelihood,
    }


def deserialize_club_ratings(data: Mapping[str, Any]) -> ClubRatings:
    """Deserialize the data that `serialize_club_ratings` returned."""
    return ClubRatings(
        constants=GradeModelConstants(*map(float, data["constants"])),
        people=list(data["people"]),
        mean=list(map(float, data["mean"])),
        covariance=_expand_lower_half(data["covariance"]),
        inactive_people={
            person: (float(mean), float(variance))
            for person, (mean, variance) in data["away"].items()
        },
        played_days={
            person: [(day, boards) for day, boards in days]
            for person, days in data["played"].items()
        },
        joint_boards={
            (first_person, second_person): boards
            for first_person, second_person, boards in data["together"]
        },
        percentage_grades={person: float(grade) for person, grade in data["column"].items()},
        last_day=data["last"],
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
