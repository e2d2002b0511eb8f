"""The constants that a club's own evenings speak for: the best likelihood on a grid."""

from collections.abc import Iterable, Sequence
from itertools import product

from seasons.grades.evenings import GradedEvening
from seasons.grades.running import Club, Constants, grade_evening

SPREADS = (0.10, 0.15, 0.2, 0.25, 0.35, 0.5)
FORMS = (0.0, 0.05, 0.1, 0.15, 0.2)
DRIFTS = (0.0, 0.05, 0.1, 0.2)
LEAST_EVENINGS = 20


def run(evenings: Iterable[GradedEvening], constants: Constants) -> Club:
    """Grade evenings one after the other, in the order of days and keys."""
    club = Club(constants)
    for evening in sorted(evenings, key=lambda each: (each.day, each.key)):
        grade_evening(club, evening)
    return club


def fitted(evenings: Sequence[GradedEvening]) -> Constants:
    """Return the constants of the best likelihood; the usual ones below twenty evenings."""
    if len(evenings) < LEAST_EVENINGS:
        return Constants()
    tried = [Constants(*each) for each in product(SPREADS, FORMS, DRIFTS)]
    return max(tried, key=lambda each: run(evenings, each).likelihood)
