"""What is expected of an evening before it is played, and how far scores may lie from it."""

from copy import deepcopy

from seasons.grades.rating.evenings import GradedEvening
from seasons.grades.rating.running import Club, Expected, grade_evening


def expected(club: Club, evening: GradedEvening) -> list[Expected]:
    """Say what was expected of each unit's plus, from what was known before the evening."""
    return grade_evening(deepcopy(club), evening)
