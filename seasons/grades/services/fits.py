"""The constants of a club's grades, fitted to its own evenings: some of the grid at a time."""

from datetime import timedelta
from time import monotonic

from django.db import transaction
from django.utils import timezone

from clubs.models import Club
from clubs.today import today_at
from seasons.grades.club_plays import graded_events
from seasons.grades.models import GradeBook, GradeConstants
from seasons.grades.rating import Constants
from seasons.grades.rating.evenings import Facts
from seasons.grades.rating.fitting import GRID, LEAST_EVENINGS, likelihood
from seasons.grades.services.grading import SLICE, facts_in_order
from seasons.grades.services.settings import put_constants
from seasons.grades.stamps import stamps_of

SELDOM = timedelta(days=80)
"""A club whose seasons are short is fitted no more often by itself than this."""
A_YEAR = timedelta(days=365)
TRIES = (*GRID, Constants())
"""The usual constants come last: no grid has them, and the best is held against them."""
Cause = GradeConstants.Cause


def cause_now(book: GradeBook) -> str:
    """Why constants are to be fitted now: the first evenings are there, or a season is over.

    A club without seasons is fitted once a year. "" is for no reason.
    """
    if book.evenings < LEAST_EVENINGS or book.made_at is None:
        return ""
    last = book.constants.exclude(done_at=None).last()
    if last is None or last.done_at is None:
        return Cause.FIRST
    age = timezone.now() - last.done_at
    if age < SELDOM:
        return ""
    today = today_at(book.club)
    since = timezone.localdate(last.done_at, timezone=book.club.zone)
    seasons = book.club.seasons.all()
    over = seasons.filter(last_day__lt=today, last_day__gte=since).exists()
    return Cause.SEASON if over or (age >= A_YEAR and not seasons.exists()) else ""


def is_wanted(book: GradeBook) -> bool:
    """Whether a fit is under way or due."""
    return book.constants.filter(done_at=None).exists() or bool(cause_now(book))


def fit_constants(club: Club, *, seconds: float = SLICE) -> bool:
    """Try some of the grid's constants on all evenings; True when there is more to do.

    What was tried is stored with the fit; where an evening has changed or come meanwhile it
    begins again. Below twenty evenings that tell something, the usual constants stay.
    """
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    fit = _under_way(book) if book else None
    if book is None or fit is None:
        return False
    rows = graded_events(club)
    stamp = stamps_of(GradeBook(), rows)[-1]
    found = [facts for _row, facts, _is_new in facts_in_order(rows) if facts is not None]
    tried = list(fit.tried) if fit.stamp == stamp else []
    if len(found) >= LEAST_EVENINGS:
        _try(found, tried, seconds)
    return _store(fit, found, stamp, tried)


def _under_way(book: GradeBook) -> GradeConstants | None:
    """The fit that is under way; one that is due begins."""
    with transaction.atomic():
        GradeBook.objects.select_for_update().get(pk=book.pk)
        fit = book.constants.filter(done_at=None).first()
        if fit is None and (cause := cause_now(book)):
            fit = GradeConstants.objects.create(book=book, cause=cause)
        return fit


def _try(found: list[Facts], tried: list[float], seconds: float) -> None:
    """Try constants, at least one, until the time is over or the grid is."""
    end = monotonic() + seconds
    while len(tried) < len(TRIES):
        tried.append(likelihood(found, TRIES[len(tried)]))
        if monotonic() > end:
            return


@transaction.atomic
def _store(fit: GradeConstants, found: list[Facts], stamp: str, tried: list[float]) -> bool:
    book = GradeBook.objects.select_for_update().get(pk=fit.book_id)
    now = book.constants.select_for_update().filter(pk=fit.pk, done_at=None).first()
    if now is None or not book.is_on:  # it was ended meanwhile
        return False
    now.stamp, now.tried, now.evenings = stamp, tried, len(found)
    if found[LEAST_EVENINGS - 1 :] and len(tried) < len(TRIES):
        now.save()
        return True
    best = Constants()
    if tried:
        place = max(range(len(GRID)), key=lambda each: tried[each])
        best, now.gain = GRID[place], tried[place] - tried[-1]
    now.tried = []
    put_constants(book, now, best)
    return False
