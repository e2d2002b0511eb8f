"""The lossless serialization of an evening's input and a club's state as JSON data.

Only the lower half of a symmetric matrix is stored. Floats are stored with `repr` precision,
so that they do not change when they are read.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from seasons.grades.rating.evenings import Equations, EveningInput, Matrix
from seasons.grades.rating.filter import ClubState, Constants

Data = dict[str, Any]


def serialize_evening(evening_input: EveningInput) -> Data:
    """Serialize an evening's input to grades."""
    equations = evening_input.equations
    return {
        "key": evening_input.key,
        "day": evening_input.day,
        "units": [list(unit) for unit in equations.units],
        "matrix": _extract_lower_half(equations.matrix),
        "right": equations.right,
        "residual": equations.residual,
        "freedom": equations.freedom,
        "groups": [list(group) for group in evening_input.groups],
        "points": list(evening_input.points),
    }


def deserialize_evening(data: Mapping[str, Any]) -> EveningInput:
    """Deserialize the data that `serialize_evening` returned."""
    return EveningInput(
        key=data["key"],
        day=data["day"],
        equations=Equations(
            units=tuple((one, other) for one, other in data["units"]),
            matrix=_expand_lower_half(data["matrix"]),
            right=list(map(float, data["right"])),
            residual=float(data["residual"]),
            freedom=data["freedom"],
        ),
        groups=tuple(map(tuple, data["groups"])),
        points=tuple(data["points"]),
    )


def serialize_club(club: ClubState) -> Data:
    """Serialize the state of a club's grades."""
    return {
        "constants": [club.constants.s0, club.constants.tau, club.constants.q],
        "people": list(club.people),
        "mean": list(club.mean),
        "covariance": _extract_lower_half(club.covariance),
        "away": {person: list(moments) for person, moments in club.inactive_people.items()},
        "played": {person: [list(day) for day in days] for person, days in club.played.items()},
        "together": [[*unit, boards] for unit, boards in club.together.items()],
        "column": dict(club.column),
        "last": club.last,
        "residual": club.residual,
        "freedom": club.freedom,
        "likelihood": club.likelihood,
    }


def deserialize_club(data: Mapping[str, Any]) -> ClubState:
    """Deserialize the data that `serialize_club` returned."""
    return ClubState(
        constants=Constants(*map(float, data["constants"])),
        people=list(data["people"]),
        mean=list(map(float, data["mean"])),
        covariance=_expand_lower_half(data["covariance"]),
        inactive_people={
            person: (float(mean), float(v)) for person, (mean, v) in data["away"].items()
        },
        played={
            person: [(day, boards) for day, boards in days]
            for person, days in data["played"].items()
        },
        together={(one, other): boards for one, other, boards in data["together"]},
        column={person: float(value) for person, value in data["column"].items()},
        last=data["last"],
        residual=float(data["residual"]),
        freedom=data["freedom"],
        likelihood=float(data["likelihood"]),
    )


def _extract_lower_half(matrix: Sequence[Sequence[float]]) -> Matrix:
    return [list(row[: place + 1]) for place, row in enumerate(matrix)]


def _expand_lower_half(lower_half: Sequence[Sequence[float]]) -> Matrix:
    rows = [list(map(float, row)) for row in lower_half]
    for place, row in enumerate(rows):
        row += [below[place] for below in rows[place + 1 :]]
    return rows
