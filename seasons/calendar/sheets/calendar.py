"""The data of a club's calendar for pages, for the API and for iCalendar files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from datetime import date as Date
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.activities.models import ActivityQuerySet
from clubs.evenings.queue import PEOPLE_PER_PLACE
from clubs.evenings.recurrence import LAST_SUPPORTED_DAY
from clubs.models import Act, Club, Evening, Fixture, Series
from clubs.today import get_club_date
from drives.models import Drive
from exchange.calendars import CalendarEvent, build_calendar
from rubbers.models import RubberNight
from tournaments.models import Event, Session

DATE_CHANGE_ACTIONS = (
    *("event.created", "event.changed", "session.dated", "session.added"),
    *("drive.created", "drive.changed", "rubbers.created"),
)
"""The audit actions that change the date or text of an evening in a calendar."""
DEFAULT_EVENING_MINUTES = 180
"""The length in minutes of an evening for which no length is set."""
PAST_EVENINGS_PERIOD = timedelta(days=90)
"""The period for which a calendar file still lists past evenings and recent cancellations."""
UPCOMING_PERIOD = timedelta(days=366)
"""The period for which pages list upcoming evenings."""


@dataclass(frozen=True, slots=True)
class StandaloneEvening:
    """An evening without a fixture: a session of an event, a drive or a rubber night."""

    uid: str
    session_number: int  # 0 unless the event has several sessions
    audit_key: str
    title: str
    evening: Evening
    path: str
    desk_path: str
    """The path of the director's page for the evening."""
    is_over: bool = False


def list_standalone_evenings(
    club: Club, first_day: Date, last_day: Date | None = None
) -> list[StandaloneEvening]:
    """List a club's evenings without a fixture, sorted by date, in three queries."""
    date_filter = {"evening__date__gte": first_day} | (
        {"evening__date__lte": last_day} if last_day else {}
    )
    return sorted(
        [*_iter_event_evenings(club, date_filter), *_iter_activity_evenings(club, date_filter)],
        key=lambda standalone_evening: (
            standalone_evening.evening.date,
            standalone_evening.evening.start or time.min,
            standalone_evening.uid,
        ),
    )


def list_standalone_calendar_events(
    club: Club, first_day: Date, base_url: str
) -> list[CalendarEvent]:
    """Return a club's evenings without a fixture as days of an iCalendar file.

    Each move of an evening increases the day's `sequence`, so that calendars update it.
    """
    standalone_evenings = list_standalone_evenings(club, first_day, LAST_SUPPORTED_DAY)
    change_stats_by_key = _count_date_changes(club, standalone_evenings)
    calendar_events = []
    for standalone_evening in standalone_evenings:
        change_count, last_change_time = change_stats_by_key.get(
            standalone_evening.audit_key, (0, None)
        )
        calendar_events.append(
            _build_standalone_calendar_event(
                standalone_evening, change_count, last_change_time, base_url
            )
        )
    return calendar_events


def _iter_event_evenings(
    club: Club, date_filter: Mapping[str, Date]
) -> Iterator[StandaloneEvening]:
    listed_events = Event.objects.filter(club=club).exclude_hidden()
    sessions = Session.objects.filter(
        event__in=listed_events, evening__fixture=None, **date_filter
    )
    annotated_sessions = sessions.select_related("event", "evening").annotate(
        session_count=Count("event__sessions")
    )
    for session in annotated_sessions:
        yield StandaloneEvening(
            uid=str(session.event.uid),
            session_number=session.number if session.session_count > 1 else 0,
            audit_key=session.event.audit_key,
            title=session.event.name,
            evening=session.evening,
            path=reverse("event", args=[session.event.slug]),
            desk_path=reverse("event_desk", args=[session.event.slug]),
            is_over=session.state == Session.State.CLOSED,
        )


def _iter_activity_evenings(
    club: Club, date_filter: Mapping[str, Date]
) -> Iterator[StandaloneEvening]:
    activities_and_desk_views: Sequence[tuple[ActivityQuerySet[Drive | RubberNight], str]] = (
        (Drive.objects.exclude_hidden(), "drive_desk"),
        (RubberNight.objects.exclude_hidden(), "rubber_desk"),
    )
    for activities, desk_url_name in activities_and_desk_views:
        dated_activities = activities.filter(club=club, evening__fixture=None, **date_filter)
        for activity in dated_activities.select_related("evening"):
            yield StandaloneEvening(
                uid=str(activity.uid),
                session_number=0,
                audit_key=activity.audit_key,
                title=activity.name,
                evening=activity.evening,
                path=activity.get_absolute_url(),
                desk_path=reverse(desk_url_name, args=[activity.slug]),
                is_over=activity.is_closed,
            )


def _count_date_changes(
    club: Club, standalone_evenings: Sequence[StandaloneEvening]
) -> dict[str, tuple[int, datetime]]:
    """Return (number of changes, time of the last change) of each evening, by its audit key.

    Only the actions in DATE_CHANGE_ACTIONS count.
    """
    audit_keys = {standalone_evening.audit_key for standalone_evening in standalone_evenings}
    date_change_acts = Act.objects.filter(
        club=club.slug, about__in=audit_keys, action__in=DATE_CHANGE_ACTIONS
    ).order_by()
    change_counts = date_change_acts.values_list("about").annotate(
        count=Count("pk"), last=Max("at")
    )
    return {
        audit_key: (change_count, last_change_time)
        for audit_key, change_count, last_change_time in change_counts
    }


def _build_standalone_calendar_event(
    standalone_evening: StandaloneEvening,
    change_count: int,
    last_change_time: datetime | None,
    base_url: str,
) -> CalendarEvent:
    evening = standalone_evening.evening
    uid_suffix = (
        f"-{standalone_evening.session_number}" if standalone_evening.session_number else ""
    )
    return CalendarEvent(
        uid=f"{standalone_evening.uid}{uid_suffix}@overplay",
        sequence=max(change_count - 1, 0),
        changed_at=last_change_time or datetime.combine(evening.date, time.min, UTC),
        day=evening.date,
        start_time=evening.start,
        duration_minutes=DEFAULT_EVENING_MINUTES,
        title=standalone_evening.title,
        location=evening.place,
        url=f"{base_url}{standalone_evening.path}" if base_url else "",
    )


@dataclass(frozen=True, slots=True)
class EveningSummary:
    """One evening in a list of evenings."""

    uid: str
    day: Date
    start: time | None
    title: str
    place: str
    address: str
    series: str = ""
    is_cancelled: bool = False
    can_book: bool = False
    opens_at: datetime | None = None
    """The time at which booking opens; None if it has opened or there is no booking."""
    places_left: int | None = None
    """The number of free places; None if places are unlimited or there is no booking."""
    booked_count: int = 0
    """The number of people who have a place."""

    @property
    def is_full(self) -> bool:
        """Whether the evening has no free place."""
        return self.places_left == 0


def query_fixtures(club: Club, series: Series | None = None) -> QuerySet[Fixture]:
    """Return the fixtures of a club, or of one of its series, sorted by date."""
    fixtures = Fixture.objects.filter(evening__club=club).select_related(
        "evening__club", "series"
    )
    fixtures = fixtures.filter(series=series) if series else fixtures
    return fixtures.order_by("evening__date", "evening__start", "pk")


def list_upcoming_summaries(
    club: Club, *, max_lines: int | None = None
) -> list[EveningSummary]:
    """List a club's upcoming evenings by date, including cancelled ones.

    The number of queries is fixed.
    """
    today = get_club_date(club)
    last_day = today + UPCOMING_PERIOD
    fixtures = query_fixtures(club).filter(evening__date__range=(today, last_day))
    calendar_lines = [
        build_evening_summary(fixture) for fixture in annotate_head_counts(fixtures)[:max_lines]
    ]
    standalone_evenings = list_standalone_evenings(club, today, last_day)
    calendar_lines += [
        _build_standalone_summary(standalone_evening)
        for standalone_evening in standalone_evenings
        if not standalone_evening.is_over
    ]
    calendar_lines.sort(key=lambda line: (line.day, line.start or time.min))
    return calendar_lines[:max_lines]


def list_director_summaries(club: Club, first_day: Date) -> list[tuple[EveningSummary, str]]:
    """List a club's evenings since a date, each with the path of its director's page."""
    fixtures = annotate_head_counts(query_fixtures(club).filter(evening__date__gte=first_day))
    lines_and_paths = [
        (build_evening_summary(fixture), reverse("fixture_desk", args=[fixture.uid]))
        for fixture in fixtures
    ]
    lines_and_paths += [
        (_build_standalone_summary(standalone_evening), standalone_evening.desk_path)
        for standalone_evening in list_standalone_evenings(club, first_day)
    ]
    return sorted(
        lines_and_paths,
        key=lambda line_and_path: (
            line_and_path[0].day,
            line_and_path[0].start or time.min,
        ),
    )


def _build_standalone_summary(standalone_evening: StandaloneEvening) -> EveningSummary:
    return EveningSummary(
        uid=standalone_evening.uid,
        day=standalone_evening.evening.date,
        start=standalone_evening.evening.start,
        title=standalone_evening.title,
        place=standalone_evening.evening.place,
        address=standalone_evening.path,
    )


def annotate_head_counts(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Annotate fixtures with the number of people with a place, and of people waiting.

    Hosts are not counted.
    """
    has_place_condition = Q(booked__booking__has_place=True, booked__booking__is_host=False)
    waits_condition = Q(booked__booking__has_place=False)
    return fixtures.annotate(
        inside=Count("booked", filter=has_place_condition),
        waiting=Count("booked", filter=waits_condition),
    )


def build_evening_summary(fixture: Fixture) -> EveningSummary:
    """Build the calendar line of a fixture that `annotate_head_counts` has annotated."""
    booked_count: int = fixture.inside  # type: ignore[attr-defined]  # by `annotate_head_counts`
    free_unit_count = None
    if fixture.books and fixture.places is not None:
        people_per_unit = PEOPLE_PER_PLACE[fixture.unit]
        free_unit_count = (
            max(0, fixture.places * people_per_unit - booked_count) // people_per_unit
        )
    opening_time = fixture.opens_at if fixture.books else None
    return EveningSummary(
        uid=str(fixture.uid),
        day=fixture.evening.date,
        start=fixture.evening.start,
        title=fixture.evening.title,
        place=fixture.evening.place,
        series=fixture.series.title if fixture.series else "",
        is_cancelled=fixture.cancelled_at is not None,
        can_book=fixture.can_book,
        opens_at=opening_time if opening_time and opening_time > timezone.now() else None,
        places_left=free_unit_count,
        booked_count=booked_count,
        address=reverse("fixture", args=[fixture.club.slug, fixture.uid]),
    )


def format_free_places(free_unit_count: int | None, place_unit: str) -> str:
    """Return the number of free places as text; "" if places are unlimited."""
    if free_unit_count is None:
        return ""
    if free_unit_count == 0:
        return _("full, waiting list open")
    texts_by_unit = {
        "pairs": ngettext("room for %(n)s pair", "room for %(n)s pairs", free_unit_count),
        "players": ngettext("room for %(n)s player", "room for %(n)s players", free_unit_count),
        "tables": ngettext("room for %(n)s table", "room for %(n)s tables", free_unit_count),
    }
    return texts_by_unit[place_unit] % {"n": free_unit_count}


def build_calendar_file(club: Club, base_url: str, series: Series | None = None) -> bytes:
    """Return a club's evenings, or those of one series, as an iCalendar file.

    `base_url` is this site's URL without a slash at its end. With an empty `base_url` the
    evenings have no links.
    """
    calendar_name = f"{club.name}: {series.title}" if series else club.name
    return build_calendar(
        calendar_name, club.zone, list_calendar_events(club, base_url, series)
    )


def list_calendar_events(
    club: Club, base_url: str, series: Series | None = None
) -> list[CalendarEvent]:
    """Return the days of a calendar file: fixtures, and evenings without a fixture.

    With a series, only the fixtures of the series are returned.
    """
    calendar_events = [
        build_calendar_event(fixture, base_url)
        for fixture in list_exported_fixtures(club, series)
    ]
    if series is None:
        today = get_club_date(club)
        calendar_events += list_standalone_calendar_events(
            club, today - PAST_EVENINGS_PERIOD, base_url
        )
    return sorted(
        calendar_events,
        key=lambda calendar_event: (
            calendar_event.day,
            calendar_event.start_time or time.min,
            calendar_event.uid,
        ),
    )


def build_calendar_event(fixture: Fixture, base_url: str) -> CalendarEvent:
    """Convert a fixture to a day of a calendar file."""
    evening = fixture.evening
    return CalendarEvent(
        uid=f"{fixture.uid}@overplay",
        sequence=fixture.sequence,
        changed_at=fixture.changed_at,
        day=evening.date,
        start_time=evening.start,
        duration_minutes=fixture.minutes,
        title=evening.title or fixture.club.name,
        location=evening.place,
        url=f"{base_url}{reverse('fixture', args=[fixture.club.slug, fixture.uid])}"
        if base_url
        else "",
        is_cancelled=fixture.cancelled_at is not None,
    )


def list_exported_fixtures(club: Club, series: Series | None = None) -> list[Fixture]:
    """Return the upcoming fixtures and those of the last 90 days, for a calendar file."""
    today = get_club_date(club)
    fixtures = query_fixtures(club, series).filter(
        evening__date__range=(today - PAST_EVENINGS_PERIOD, LAST_SUPPORTED_DAY)
    )
    return list(
        fixtures.filter(
            Q(cancelled_at=None) | Q(cancelled_at__gte=timezone.now() - PAST_EVENINGS_PERIOD)
        )
    )


def build_calendar_data(club: Club) -> dict[str, object]:
    """Return the calendar as data for the API."""
    today = get_club_date(club)
    evenings = [
        _build_evening_data(f"{fixture.uid}", fixture.evening, fixture.evening.title)
        | {
            "minutes": fixture.minutes,
            "series": fixture.series.slug if fixture.series else None,
            "cancelled": fixture.cancelled_at is not None,
            "sequence": fixture.sequence,
        }
        for fixture in list_exported_fixtures(club)
    ]
    evenings += [
        _build_evening_data(
            standalone_evening.uid, standalone_evening.evening, standalone_evening.title
        )
        for standalone_evening in list_standalone_evenings(club, today - PAST_EVENINGS_PERIOD)
    ]
    return {"club": club.slug, "timezone": club.timezone, "evenings": evenings}


def _build_evening_data(uid: str, evening: Evening, title: str) -> dict[str, Any]:
    return {
        "uid": uid,
        "date": evening.date.isoformat(),
        "start": evening.start.strftime("%H:%M") if evening.start else None,
        "minutes": DEFAULT_EVENING_MINUTES,
        "title": title,
        "place": evening.place,
        "series": None,
        "cancelled": False,
        "sequence": 0,
    }
