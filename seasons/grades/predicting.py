"""What is expected of an evening before it is played, and how far scores may lie from it."""

from copy import deepcopy
from dataclasses import dataclass
from math import sqrt

from seasons.grades.evenings import GradedEvening, Unit, counted, equations
from seasons.grades.matrices import dot, times
from seasons.grades.running import Club, make_ready


@dataclass(frozen=True, slots=True)
class Expected:
    """A unit's plus over an evening: what was expected, how far it spreads, what was made."""

    unit: Unit
    mean: float
    sd: float
    made: float


def expected(club: Club, evening: GradedEvening) -> list[Expected]:
    """Say what was expected of each unit's plus, from what was known before the evening."""
    boards = counted(evening.plays)
    if not boards:
        return []
    found = equations(boards)
    known = deepcopy(club)
    make_ready(known, evening.day, {person for each in found.units for person in each})
    places = {person: place for place, person in enumerate(known.people)}
    seats = [(places[one], places[other]) for one, other in found.units]
    rows = known.covariance
    spread = [
        [(rows[a][c] + rows[a][d] + rows[b][c] + rows[b][d]) / 4 for c, d in seats]
        for a, b in seats
    ]
    for place, row in enumerate(spread):
        row[place] += known.constants.tau**2
    strengths = [(known.mean[one] + known.mean[other]) / 2 for one, other in seats]
    means = times(found.matrix, strengths)
    return [
        Expected(unit, means[place], sqrt(variance), found.right[place])
        for place, unit in enumerate(found.units)
        for own in [found.matrix[place]]
        for variance in [dot(own, times(spread, own)) + known.noise * own[place]]
    ]
