"""Fits the grade constants to a club's results in the background, in short time slices."""

from datetime import timedelta
from time import monotonic

from django.db import transaction
from django.utils import timezone

from clubs.models import Club
from clubs.today import get_club_date
from seasons.grades.club_plays import compute_input_hashes, list_graded_events
from seasons.grades.models import GradeBook, GradeConstants
from seasons.grades.rating import GradeModelConstants
from seasons.grades.rating.evenings import EveningInput
from seasons.grades.rating.fit import (
    CONSTANTS_GRID,
    MIN_EVENINGS_FOR_FIT,
    compute_log_likelihood,
)
from seasons.grades.services.computation import SLICE_SECONDS, iter_evening_inputs
from seasons.grades.services.settings import set_constants

MIN_FIT_INTERVAL = timedelta(days=80)
"""The minimum time between two automatic fits, for clubs with short seasons."""
ONE_YEAR = timedelta(days=365)
TRIED_CONSTANTS = (*CONSTANTS_GRID, GradeModelConstants())
"""The constants whose likelihood a fit computes: the points of the grid, then the defaults.

The defaults are used to compute the gain of the best point of the grid.
"""
FitCause = GradeConstants.FitCause


def find_fit_cause(book: GradeBook) -> str:
    """Return the reason for which a fit of the constants is due; "" if none is due.

    A fit is due after the club's first twenty events and after each season. For a club without
    seasons it is due once a year.
    """
    if book.evenings < MIN_EVENINGS_FOR_FIT or book.made_at is None:
        return ""
    last_fit = book.constants.exclude(done_at=None).last()
    if last_fit is None or last_fit.done_at is None:
        return FitCause.FIRST
    fit_age = timezone.now() - last_fit.done_at
    if fit_age < MIN_FIT_INTERVAL:
        return ""
    today = get_club_date(book.club)
    last_fit_day = timezone.localdate(last_fit.done_at, timezone=book.club.zone)
    seasons = book.club.seasons.all()
    has_finished_season = seasons.filter(
        last_day__lt=today, last_day__gte=last_fit_day
    ).exists()
    return (
        FitCause.SEASON
        if has_finished_season or (fit_age >= ONE_YEAR and not seasons.exists())
        else ""
    )


def is_fit_due(book: GradeBook) -> bool:
    """Return whether a fit of the constants is due or in progress."""
    return book.constants.filter(done_at=None).exists() or bool(find_fit_cause(book))


def fit_constants(club: Club, *, seconds: float = SLICE_SECONDS) -> bool:
    """Fit a club's grade constants for one time slice; return True if more slices are needed.

    The likelihoods computed in a slice are stored. If an event was added or corrected, the fit
    restarts. With fewer than twenty usable events, the default constants are used.
    """
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    fit = _get_fit_in_progress(book) if book else None
    if book is None or fit is None:
        return False
    events = list_graded_events(club)
    input_hash = compute_input_hashes(GradeBook(), events)[-1]
    evening_inputs = [
        evening_input
        for _event, evening_input, _is_new in iter_evening_inputs(events)
        if evening_input is not None
    ]
    log_likelihoods = list(fit.tried) if fit.stamp == input_hash else []
    if len(evening_inputs) >= MIN_EVENINGS_FOR_FIT:
        _compute_log_likelihoods(evening_inputs, log_likelihoods, seconds)
    return _store_fit(fit, evening_inputs, input_hash, log_likelihoods)


def _get_fit_in_progress(book: GradeBook) -> GradeConstants | None:
    """Return the fit in progress, after starting one if it is due; None if no fit is due."""
    with transaction.atomic():
        GradeBook.objects.select_for_update().get(pk=book.pk)
        fit = book.constants.filter(done_at=None).first()
        if fit is None and (cause := find_fit_cause(book)):
            fit = GradeConstants.objects.create(book=book, cause=cause)
        return fit


def _compute_log_likelihoods(
    evening_inputs: list[EveningInput], log_likelihoods: list[float], seconds: float
) -> None:
    """Compute log-likelihoods until the time slice ends; at least one is computed."""
    end_time = monotonic() + seconds
    while len(log_likelihoods) < len(TRIED_CONSTANTS):
        log_likelihoods.append(
            compute_log_likelihood(evening_inputs, TRIED_CONSTANTS[len(log_likelihoods)])
        )
        if monotonic() > end_time:
            return


@transaction.atomic
def _store_fit(
    fit: GradeConstants,
    evening_inputs: list[EveningInput],
    input_hash: str,
    log_likelihoods: list[float],
) -> bool:
    book = GradeBook.objects.select_for_update().get(pk=fit.book_id)
    current_fit = book.constants.select_for_update().filter(pk=fit.pk, done_at=None).first()
    if current_fit is None or not book.is_on:  # the fit was cancelled or grades were turned off
        return False
    current_fit.stamp, current_fit.tried, current_fit.evenings = (
        input_hash,
        log_likelihoods,
        len(evening_inputs),
    )
    if evening_inputs[MIN_EVENINGS_FOR_FIT - 1 :] and len(log_likelihoods) < len(
        TRIED_CONSTANTS
    ):
        current_fit.save()
        return True
    best_constants = GradeModelConstants()
    if log_likelihoods:
        best_index = max(range(len(CONSTANTS_GRID)), key=lambda index: log_likelihoods[index])
        best_constants, current_fit.gain = (
            CONSTANTS_GRID[best_index],
            log_likelihoods[best_index] - log_likelihoods[-1],
        )
    current_fit.tried = []
    set_constants(book, current_fit, best_constants)
    return False
