"""Finds the constants for grades that make a club's results most likely.

The constants are chosen from a fixed grid.
"""

from collections.abc import Iterable, Sequence
from itertools import product

from seasons.grades.rating.evenings import EveningInput, GradedEvening, compute_evening_input
from seasons.grades.rating.filter import (
    ClubRatings,
    GradeModelConstants,
    update_ratings_from_input,
    update_strengths,
)

INITIAL_SPREAD_GRID = (0.10, 0.15, 0.2, 0.25, 0.35, 0.5)
EVENING_VARIATION_GRID = (0.0, 0.05, 0.1, 0.15, 0.2)
DRIFT_GRID = (0.0, 0.05, 0.1, 0.2)
MIN_EVENINGS_FOR_FIT = 20
"""The minimum number of usable evenings for a fit; with fewer, the defaults are used."""
CONSTANTS_GRID = tuple(
    GradeModelConstants(*values)
    for values in product(INITIAL_SPREAD_GRID, EVENING_VARIATION_GRID, DRIFT_GRID)
)


def grade_evenings(
    evenings: Iterable[GradedEvening], constants: GradeModelConstants
) -> ClubRatings:
    """Compute grades from evenings in the order of day and key; return the final state."""
    club_ratings = ClubRatings(constants)
    for evening_input in list_evening_inputs(evenings):
        update_ratings_from_input(club_ratings, evening_input)
    return club_ratings


def list_evening_inputs(evenings: Iterable[GradedEvening]) -> list[EveningInput]:
    """Return the input of each evening in the order of day and key.

    Evenings without a board that was played twice are left out.
    """
    sorted_evenings = sorted(
        evenings, key=lambda evening: (evening.day_number, evening.evening_key)
    )
    return [
        evening_input
        for evening in sorted_evenings
        if (evening_input := compute_evening_input(evening))
    ]


def compute_log_likelihood(
    evenings: Iterable[EveningInput], constants: GradeModelConstants
) -> float:
    """Return the log-likelihood of the evenings' results with the given constants."""
    club_ratings = ClubRatings(constants)
    for evening_input in evenings:
        update_strengths(club_ratings, evening_input)
    return club_ratings.log_likelihood


def fit_best_constants(evenings: Sequence[GradedEvening]) -> GradeModelConstants:
    """Return the constants with the highest likelihood.

    If there are fewer than twenty evenings, return the default constants.
    """
    evening_inputs = list_evening_inputs(evenings)
    if len(evening_inputs) < MIN_EVENINGS_FOR_FIT:
        return GradeModelConstants()
    return max(
        CONSTANTS_GRID, key=lambda constants: compute_log_likelihood(evening_inputs, constants)
    )
