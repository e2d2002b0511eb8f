"""What a worker does for a club's year: figures, zips asked for, and what is to be sent."""

from datetime import timedelta

from django.utils.translation import gettext_lazy

from clubs.evenings.services import fill_ahead
from clubs.evenings.services.series import coming_days
from clubs.models import Club, Series
from clubs.today import today_at
from seasons.booking_fetches import BOOKINGS
from seasons.grade_stamps import is_behind
from seasons.mailing.ordering import LETTERS
from seasons.models import GradeBook, Season
from seasons.sending.ordering import SEND
from seasons.services.figures import events_behind, keep_figures
from seasons.services.grade_fits import fit_constants, is_wanted
from seasons.services.grading import work_grades_out
from seasons.services.handicaps import freeze_handicaps, seasons_to_freeze
from seasons.services.tables import keep_tables
from seasons.site.ordering import FILE
from server.jobs.kinds import Kind, Lane
from tournaments.models import Event

ELEVEN_MONTHS = timedelta(days=335)


def work_figures_out(event_id: int) -> None:
    """Work out what an evening was to each of its entries, and make its tables."""
    for event in Event.objects.filter(pk=event_id):
        keep_figures(event)
        keep_tables(event)


def lacking_figures() -> list[int]:
    """List the events whose figures are behind their standings."""
    return list(events_behind().values_list("pk", flat=True))


def name_of_event(event_id: int) -> str:
    """Name an event for people."""
    return Event.objects.filter(pk=event_id).values_list("name", flat=True).first() or ""


def club_of_event(event_id: int) -> int | None:
    """Whose event it is."""
    return Event.objects.filter(pk=event_id).values_list("club", flat=True).first()


def work_clubs_grades_out(club_id: int) -> bool:
    """Do a slice for the grades of a club: first the figures, then a fit of the constants."""
    club = Club.objects.filter(pk=club_id).first()
    if club is None:
        return False
    if work_grades_out(club) or fit_constants(club):
        return True
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    return book is not None and is_behind(book)  # by the constants that were just fitted


def clubs_behind() -> list[int]:
    """List the clubs whose grades are not those of their standings, or are to be fitted."""
    books = GradeBook.objects.filter(is_on=True).select_related("club")
    return [book.club_id for book in books if is_behind(book) or is_wanted(book)]


def name_of_club(club_id: int) -> str:
    """Name a club for people."""
    return Club.objects.filter(pk=club_id).values_list("name", flat=True).first() or ""


def fill_calendar(series_id: int) -> None:
    """Add the evenings of a series that have come within a year."""
    for series in Series.objects.filter(pk=series_id, ended_at=None, club__moved_to=""):
        fill_ahead(series=series, by=None)


def series_behind() -> list[int]:
    """List the series that lack an evening of the next eleven months."""
    found = []
    for series in Series.objects.filter(ended_at=None, club__moved_to="").select_related(
        "club"
    ):
        today = today_at(series.club)
        days = {day for day in coming_days(series, today).days if day < today + ELEVEN_MONTHS}
        if days - set(series.fixtures.values_list("series_day", flat=True)):
            found.append(series.pk)
    return found


def name_of_series(series_id: int) -> str:
    """Name a series for people."""
    return Series.objects.filter(pk=series_id).values_list("title", flat=True).first() or ""


def club_of_series(series_id: int) -> int | None:
    """Whose series it is."""
    return Series.objects.filter(pk=series_id).values_list("club", flat=True).first()


def keep_handicaps(season_id: int) -> None:
    """Keep the handicaps of the evenings of a season whose play has opened."""
    for season in Season.objects.filter(pk=season_id):
        freeze_handicaps(season)


def name_of_season(season_id: int) -> str:
    """Name a season for people."""
    return Season.objects.filter(pk=season_id).values_list("name", flat=True).first() or ""


def club_of_season(season_id: int) -> int | None:
    """Whose season it is."""
    return Season.objects.filter(pk=season_id).values_list("club", flat=True).first()


FIGURES = Kind(
    "figures",
    title=gettext_lazy("players' figures of an evening to be worked out"),
    lane=Lane.LATER,
    time_limit=60,
    run=work_figures_out,
    find_missing=lacking_figures,
    describe=name_of_event,
    club_of=club_of_event,
)
GRADES = Kind(
    "grades",
    title=gettext_lazy("grades of a club to be worked out"),
    lane=Lane.LATER,
    time_limit=120,
    run=work_clubs_grades_out,
    find_missing=clubs_behind,
    describe=name_of_club,
    club_of=lambda club_id: club_id,
)
CALENDAR = Kind(
    "calendar",
    title=gettext_lazy("evenings of a series for the year to come"),
    lane=Lane.LATER,
    time_limit=60,
    run=fill_calendar,
    find_missing=series_behind,
    describe=name_of_series,
    club_of=club_of_series,
)
HANDICAPS = Kind(
    "handicaps",
    title=gettext_lazy("handicaps to be kept, for play has opened"),
    lane=Lane.LATER,
    time_limit=60,
    run=keep_handicaps,
    find_missing=seasons_to_freeze,
    describe=name_of_season,
    club_of=club_of_season,
)
KINDS = (BOOKINGS, CALENDAR, FIGURES, GRADES, HANDICAPS, FILE, LETTERS, SEND)
