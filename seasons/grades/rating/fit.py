"""The constants that fit a club's own evenings: the best likelihood on a grid."""

from collections.abc import Iterable, Sequence
from itertools import product

from seasons.grades.rating.evenings import EveningInput, GradedEvening, compute_evening_input
from seasons.grades.rating.filter import ClubState, Constants, update_by_input, update_strengths

S0_GRID = (0.10, 0.15, 0.2, 0.25, 0.35, 0.5)
TAU_GRID = (0.0, 0.05, 0.1, 0.15, 0.2)
Q_GRID = (0.0, 0.05, 0.1, 0.2)
MIN_EVENINGS = 20
GRID = tuple(Constants(*each) for each in product(S0_GRID, TAU_GRID, Q_GRID))


def grade_evenings(evenings: Iterable[GradedEvening], constants: Constants) -> ClubState:
    """Grade evenings in the order of (day, key), and return the club's state."""
    club = ClubState(constants)
    for facts in list_evening_inputs(evenings):
        update_by_input(club, facts)
    return club


def list_evening_inputs(evenings: Iterable[GradedEvening]) -> list[EveningInput]:
    """Return the input of evenings by day and key; evenings without any are left out."""
    rows = sorted(evenings, key=lambda each: (each.day, each.key))
    return [facts for each in rows if (facts := compute_evening_input(each))]


def compute_log_likelihood(evenings: Iterable[EveningInput], constants: Constants) -> float:
    """Return the log-likelihood of the evenings with these constants."""
    club = ClubState(constants)
    for facts in evenings:
        update_strengths(club, facts)
    return club.likelihood


def fit_best_constants(evenings: Sequence[GradedEvening]) -> Constants:
    """Return the constants with the highest likelihood.

    With fewer than twenty evenings, returns the default constants.
    """
    told = list_evening_inputs(evenings)
    if len(told) < MIN_EVENINGS:
        return Constants()
    return max(GRID, key=lambda each: compute_log_likelihood(told, each))
