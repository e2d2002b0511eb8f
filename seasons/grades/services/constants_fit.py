"""The fit of a club's constants in the background, in short time slices."""

from datetime import timedelta
from time import monotonic

from django.db import transaction
from django.utils import timezone

from clubs.models import Club
from clubs.today import get_club_date
from seasons.grades.club_plays import compute_stamps, list_graded_events
from seasons.grades.models import GradeBook, GradeConstants
from seasons.grades.rating import Constants
from seasons.grades.rating.evenings import EveningInput
from seasons.grades.rating.fit import GRID, MIN_EVENINGS, compute_log_likelihood
from seasons.grades.services.computation import SLICE_SECONDS, iter_evening_inputs
from seasons.grades.services.settings import set_constants

MIN_FIT_INTERVAL = timedelta(days=80)
"""The minimum time between two automatic fits, for clubs with short seasons."""
ONE_YEAR = timedelta(days=365)
TRIED_CONSTANTS = (*GRID, Constants())
"""The constants whose likelihood a fit computes: the points of the grid, then the defaults.

The defaults are used to compute the gain of the best point of the grid.
"""
Cause = GradeConstants.Cause


def find_fit_cause(book: GradeBook) -> str:
    """Return the reason for which a fit is due; "" if none is due.

    A fit is due after the club's first twenty events and after each season. For a club without
    seasons it is due once a year.
    """
    if book.evenings < MIN_EVENINGS or book.made_at is None:
        return ""
    last = book.constants.exclude(done_at=None).last()
    if last is None or last.done_at is None:
        return Cause.FIRST
    age = timezone.now() - last.done_at
    if age < MIN_FIT_INTERVAL:
        return ""
    today = get_club_date(book.club)
    last_fit_day = timezone.localdate(last.done_at, timezone=book.club.zone)
    seasons = book.club.seasons.all()
    has_finished_season = seasons.filter(
        last_day__lt=today, last_day__gte=last_fit_day
    ).exists()
    return (
        Cause.SEASON
        if has_finished_season or (age >= ONE_YEAR and not seasons.exists())
        else ""
    )


def is_fit_due(book: GradeBook) -> bool:
    """Return whether a fit of the constants is due or in progress."""
    return book.constants.filter(done_at=None).exists() or bool(find_fit_cause(book))


def fit_constants(club: Club, *, seconds: float = SLICE_SECONDS) -> bool:
    """Run a fit of a club's constants for one time slice; return True if more slices are
    needed.

    The likelihoods computed in a slice are stored. If an event was added or corrected, the fit
    restarts. With fewer than twenty usable events, the default constants are used.
    """
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    fit = _get_fit_in_progress(book) if book else None
    if book is None or fit is None:
        return False
    rows = list_graded_events(club)
    stamp = compute_stamps(GradeBook(), rows)[-1]
    inputs = [
        evening_input
        for _row, evening_input, _is_new in iter_evening_inputs(rows)
        if evening_input is not None
    ]
    likelihoods = list(fit.tried) if fit.stamp == stamp else []
    if len(inputs) >= MIN_EVENINGS:
        _try_constants(inputs, likelihoods, seconds)
    return _store_fit(fit, inputs, stamp, likelihoods)


def _get_fit_in_progress(book: GradeBook) -> GradeConstants | None:
    """Return the fit in progress, after starting one if it is due; None if no fit is due."""
    with transaction.atomic():
        GradeBook.objects.select_for_update().get(pk=book.pk)
        fit = book.constants.filter(done_at=None).first()
        if fit is None and (cause := find_fit_cause(book)):
            fit = GradeConstants.objects.create(book=book, cause=cause)
        return fit


def _try_constants(
    evenings: list[EveningInput], likelihoods: list[float], seconds: float
) -> None:
    """Compute likelihoods until the time slice ends; at least one is computed."""
    end = monotonic() + seconds
    while len(likelihoods) < len(TRIED_CONSTANTS):
        likelihoods.append(compute_log_likelihood(evenings, TRIED_CONSTANTS[len(likelihoods)]))
        if monotonic() > end:
            return


@transaction.atomic
def _store_fit(
    fit: GradeConstants, evenings: list[EveningInput], stamp: str, likelihoods: list[float]
) -> bool:
    book = GradeBook.objects.select_for_update().get(pk=fit.book_id)
    now = book.constants.select_for_update().filter(pk=fit.pk, done_at=None).first()
    if now is None or not book.is_on:  # the fit was cancelled or grades were turned off
        return False
    now.stamp, now.tried, now.evenings = stamp, likelihoods, len(evenings)
    if evenings[MIN_EVENINGS - 1 :] and len(likelihoods) < len(TRIED_CONSTANTS):
        now.save()
        return True
    best = Constants()
    if likelihoods:
        place = max(range(len(GRID)), key=lambda index: likelihoods[index])
        best, now.gain = GRID[place], likelihoods[place] - likelihoods[-1]
    now.tried = []
    set_constants(book, now, best)
    return False
