"""The constants that fit a club's own evenings: the best likelihood on a grid."""

from collections.abc import Iterable, Sequence
from itertools import product

from seasons.grades.rating.evenings import Facts, GradedEvening, facts_of
from seasons.grades.rating.running import Club, Constants, learn, take_in

SPREADS = (0.10, 0.15, 0.2, 0.25, 0.35, 0.5)
FORMS = (0.0, 0.05, 0.1, 0.15, 0.2)
DRIFTS = (0.0, 0.05, 0.1, 0.2)
LEAST_EVENINGS = 20
GRID = tuple(Constants(*each) for each in product(SPREADS, FORMS, DRIFTS))


def run(evenings: Iterable[GradedEvening], constants: Constants) -> Club:
    """Grade evenings in the order of (day, key), and return the club's state."""
    club = Club(constants)
    for facts in facts_in_order(evenings):
        take_in(club, facts)
    return club


def facts_in_order(evenings: Iterable[GradedEvening]) -> list[Facts]:
    """Return the input of evenings by day and key; evenings without any are left out."""
    rows = sorted(evenings, key=lambda each: (each.day, each.key))
    return [facts for each in rows if (facts := facts_of(each))]


def likelihood(evenings: Iterable[Facts], constants: Constants) -> float:
    """Return the log-likelihood of the evenings with these constants."""
    club = Club(constants)
    for facts in evenings:
        learn(club, facts)
    return club.likelihood


def fitted(evenings: Sequence[GradedEvening]) -> Constants:
    """Return the constants with the highest likelihood.

    With fewer than twenty evenings, returns the default constants.
    """
    told = facts_in_order(evenings)
    if len(told) < LEAST_EVENINGS:
        return Constants()
    return max(GRID, key=lambda each: likelihood(told, each))
