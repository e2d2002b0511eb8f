"""Background tasks of the calendar: creating the evenings of series, and fetching bookings."""

from datetime import timedelta

from django.utils.translation import gettext_lazy

from clubs.evenings.services import create_upcoming_evenings
from clubs.evenings.services.series import list_upcoming_days
from clubs.models import Series
from clubs.today import get_club_date
from seasons.calendar.booking_fetch import BOOKING_FETCH_JOB
from server.jobs.kinds import JobKind, Lane, build_club_finder, build_column_describer

MIN_FILLED_PERIOD = timedelta(days=335)
"""The period from today in which no evening of a series may be missing."""


def fill_calendar(series_id: int) -> None:
    """Create the evenings of a series for the next year."""
    for series in Series.objects.filter(pk=series_id, ended_at=None, club__moved_to=""):
        create_upcoming_evenings(series=series, by=None)


def list_series_pks_to_fill() -> list[int]:
    """Return the primary keys of series that lack an evening in the next eleven months."""
    series_pks = []
    for series in Series.objects.filter(ended_at=None, club__moved_to="").select_related(
        "club"
    ):
        today = get_club_date(series.club)
        expected_days = {
            day
            for day in list_upcoming_days(series, today).days
            if day < today + MIN_FILLED_PERIOD
        }
        if expected_days - set(series.fixtures.values_list("series_day", flat=True)):
            series_pks.append(series.pk)
    return series_pks


CALENDAR_JOB = JobKind(
    "calendar",
    title=gettext_lazy("evenings of a series for the next year"),
    lane=Lane.LATER,
    time_limit=60,
    run=fill_calendar,
    find_missing_job_keys=list_series_pks_to_fill,
    describe_subject=build_column_describer(Series.objects, "title"),
    find_club=build_club_finder(Series.objects),
)
KINDS = (BOOKING_FETCH_JOB, CALENDAR_JOB)
