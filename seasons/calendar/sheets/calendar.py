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
from clubs.evenings.recurrence import LAST_DAY
from clubs.models import Act, Club, Evening, Fixture, Series
from clubs.today import get_club_date
from drives.models import Drive
from exchange.calendars import CalendarDay, build_calendar
from rubbers.models import RubberNight
from tournaments.models import Event, Session

MOVE_ACTIONS = (
    *("event.created", "event.changed", "session.dated", "session.added"),
    *("drive.created", "drive.changed", "rubbers.created"),
)
"""The audit actions that change the date or text of an evening in a calendar."""
DEFAULT_EVENING_MINUTES = 180
"""The length in minutes of an evening for which no length is set."""
PAST_LISTED_PERIOD = timedelta(days=90)
"""The period for which a calendar file still lists past and cancelled evenings."""
FUTURE_LISTED_PERIOD = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class StandaloneEvening:
    """An evening that has no fixture in the calendar: an event's session, a drive, a rubber
    night.
    """

    uid: str
    part: int  # of an event of several sessions; 0 is the whole
    key: str
    title: str
    evening: Evening
    path: str
    desk: str
    """The path of the director's page for the evening."""
    is_over: bool = False


def list_standalone_evenings(
    club: Club, first: Date, last: Date | None = None
) -> list[StandaloneEvening]:
    """List a club's evenings without a fixture, sorted by date; three queries."""
    days = {"evening__date__gte": first} | ({"evening__date__lte": last} if last else {})
    return sorted(
        [*_iter_event_evenings(club, days), *_iter_drive_evenings(club, days)],
        key=lambda evening: (
            evening.evening.date,
            evening.evening.start or time.min,
            evening.uid,
        ),
    )


def list_standalone_days(club: Club, first: Date, base: str) -> list[CalendarDay]:
    """Return a club's evenings without a fixture as days of an iCalendar file.

    Each move of an evening increases its sequence number.
    """
    rows = list_standalone_evenings(club, first, LAST_DAY)
    moves_by_key = _count_moves(club, rows)
    days = []
    for row in rows:
        count, last = moves_by_key.get(row.key, (0, None))
        days.append(_build_standalone_day(row, count, last, base))
    return days


def _iter_event_evenings(club: Club, days: Mapping[str, Date]) -> Iterator[StandaloneEvening]:
    listed_events = Event.objects.filter(club=club).exclude_hidden()
    sessions = Session.objects.filter(event__in=listed_events, evening__fixture=None, **days)
    rows = sessions.select_related("event", "evening").annotate(of=Count("event__sessions"))
    for row in rows:
        yield StandaloneEvening(
            uid=str(row.event.uid),
            part=row.number if row.of > 1 else 0,
            key=row.event.audit_key,
            title=row.event.name,
            evening=row.evening,
            path=reverse("event", args=[row.event.slug]),
            desk=reverse("event_desk", args=[row.event.slug]),
            is_over=row.state == Session.State.CLOSED,
        )


def _iter_drive_evenings(club: Club, days: Mapping[str, Date]) -> Iterator[StandaloneEvening]:
    kinds: Sequence[tuple[ActivityQuerySet[Drive | RubberNight], str]] = (
        (Drive.objects.exclude_hidden(), "drive_desk"),
        (RubberNight.objects.exclude_hidden(), "rubber_desk"),
    )
    for listed_rows, desk in kinds:
        rows = listed_rows.filter(club=club, evening__fixture=None, **days)
        for row in rows.select_related("evening"):
            yield StandaloneEvening(
                uid=str(row.uid),
                part=0,
                key=row.audit_key,
                title=row.name,
                evening=row.evening,
                path=row.get_absolute_url(),
                desk=reverse(desk, args=[row.slug]),
                is_over=row.is_closed,
            )


def _count_moves(
    club: Club, rows: Sequence[StandaloneEvening]
) -> dict[str, tuple[int, datetime]]:
    keys = {row.key for row in rows}
    acts = Act.objects.filter(
        club=club.slug, about__in=keys, action__in=MOVE_ACTIONS
    ).order_by()
    move_counts = acts.values_list("about").annotate(count=Count("pk"), last=Max("at"))
    return {about: (count, last) for about, count, last in move_counts}


def _build_standalone_day(
    standalone_evening: StandaloneEvening, count: int, last: datetime | None, base: str
) -> CalendarDay:
    evening = standalone_evening.evening
    uid_suffix = f"-{standalone_evening.part}" if standalone_evening.part else ""
    return CalendarDay(
        uid=f"{standalone_evening.uid}{uid_suffix}@overplay",
        sequence=max(count - 1, 0),
        changed_at=last or datetime.combine(evening.date, time.min, UTC),
        day=evening.date,
        start=evening.start,
        minutes=DEFAULT_EVENING_MINUTES,
        title=standalone_evening.title,
        place=evening.place,
        url=f"{base}{standalone_evening.path}" if base else "",
    )


@dataclass(frozen=True, slots=True)
class CalendarLine:
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
    left: int | None = None
    """The number of free places; None if places are unlimited or there is no booking."""
    booked: int = 0

    @property
    def is_full(self) -> bool:
        """Whether the evening has no free place."""
        return self.left == 0


def query_fixtures(club: Club, series: Series | None = None) -> QuerySet[Fixture]:
    """Return the fixtures of a club, or of one of its series, sorted by date."""
    rows = Fixture.objects.filter(evening__club=club).select_related("evening__club", "series")
    rows = rows.filter(series=series) if series else rows
    return rows.order_by("evening__date", "evening__start", "pk")


def list_upcoming(club: Club, *, most: int | None = None) -> list[CalendarLine]:
    """List a club's upcoming evenings by date, including cancelled ones.

    The number of queries is fixed.
    """
    today = get_club_date(club)
    last_day = today + FUTURE_LISTED_PERIOD
    rows = query_fixtures(club).filter(evening__date__range=(today, last_day))
    lines = [build_calendar_line(fixture) for fixture in annotate_head_counts(rows)[:most]]
    standalone_evenings = list_standalone_evenings(club, today, last_day)
    lines += [
        _build_standalone_line(standalone_evening)
        for standalone_evening in standalone_evenings
        if not standalone_evening.is_over
    ]
    lines.sort(key=lambda line: (line.day, line.start or time.min))
    return lines[:most]


def list_director_calendar_lines(club: Club, first: Date) -> list[tuple[CalendarLine, str]]:
    """List a club's evenings since a date, each with the path of its director's page."""
    rows = annotate_head_counts(query_fixtures(club).filter(evening__date__gte=first))
    lines = [
        (build_calendar_line(row), reverse("fixture_desk", args=[row.uid])) for row in rows
    ]
    lines += [
        (_build_standalone_line(standalone_evening), standalone_evening.desk)
        for standalone_evening in list_standalone_evenings(club, first)
    ]
    return sorted(lines, key=lambda line: (line[0].day, line[0].start or time.min))


def _build_standalone_line(evening: StandaloneEvening) -> CalendarLine:
    return CalendarLine(
        uid=evening.uid,
        day=evening.evening.date,
        start=evening.evening.start,
        title=evening.title,
        place=evening.evening.place,
        address=evening.path,
    )


def annotate_head_counts(rows: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Annotate fixtures with the number of people with a place, and of people waiting.

    Hosts are not counted.
    """
    has_place = Q(booked__booking__has_place=True, booked__booking__is_host=False)
    waits = Q(booked__booking__has_place=False)
    return rows.annotate(
        inside=Count("booked", filter=has_place), waiting=Count("booked", filter=waits)
    )


def build_calendar_line(fixture: Fixture) -> CalendarLine:
    """Return the list line of a fixture that has the counts of `annotate_head_counts`."""
    booked_count: int = fixture.inside  # type: ignore[attr-defined]  # by `annotate_head_counts`
    free_units = None
    if fixture.books and fixture.places is not None:
        heads = PEOPLE_PER_PLACE[fixture.unit]
        free_units = max(0, fixture.places * heads - booked_count) // heads
    opens = fixture.opens_at if fixture.books else None
    return CalendarLine(
        uid=str(fixture.uid),
        day=fixture.evening.date,
        start=fixture.evening.start,
        title=fixture.evening.title,
        place=fixture.evening.place,
        series=fixture.series.title if fixture.series else "",
        is_cancelled=fixture.cancelled_at is not None,
        can_book=fixture.can_book,
        opens_at=opens if opens and opens > timezone.now() else None,
        left=free_units,
        booked=booked_count,
        address=reverse("fixture", args=[fixture.club.slug, fixture.uid]),
    )


def format_free_places(free_units: int | None, unit: str) -> str:
    """Return the number of free places as text; "" if places are unlimited."""
    if free_units is None:
        return ""
    if free_units == 0:
        return _("full, waiting list open")
    words = {
        "pairs": ngettext("room for %(n)s pair", "room for %(n)s pairs", free_units),
        "players": ngettext("room for %(n)s player", "room for %(n)s players", free_units),
        "tables": ngettext("room for %(n)s table", "room for %(n)s tables", free_units),
    }
    return words[unit] % {"n": free_units}


def build_calendar_file(club: Club, base: str, series: Series | None = None) -> bytes:
    """Return a club's evenings, or those of one series, as an iCalendar file.

    `base` is this site's URL without a slash at its end. With an empty `base` the evenings
    have no links.
    """
    name = f"{club.name}: {series.title}" if series else club.name
    return build_calendar(name, club.zone, list_calendar_days(club, base, series))


def list_calendar_days(
    club: Club, base: str, series: Series | None = None
) -> list[CalendarDay]:
    """Return the days of a calendar file: fixtures, and evenings without a fixture.

    With a series, only the fixtures of the series are returned.
    """
    days = [
        build_calendar_day(exported_fixture, base)
        for exported_fixture in list_exported_fixtures(club, series)
    ]
    if series is None:
        today = get_club_date(club)
        days += list_standalone_days(club, today - PAST_LISTED_PERIOD, base)
    return sorted(days, key=lambda day: (day.day, day.start or time.min, day.uid))


def build_calendar_day(fixture: Fixture, base: str) -> CalendarDay:
    """Convert a fixture to a day of a calendar file."""
    evening = fixture.evening
    return CalendarDay(
        uid=f"{fixture.uid}@overplay",
        sequence=fixture.sequence,
        changed_at=fixture.changed_at,
        day=evening.date,
        start=evening.start,
        minutes=fixture.minutes,
        title=evening.title or fixture.club.name,
        place=evening.place,
        url=f"{base}{reverse('fixture', args=[fixture.club.slug, fixture.uid])}"
        if base
        else "",
        is_cancelled=fixture.cancelled_at is not None,
    )


def list_exported_fixtures(club: Club, series: Series | None = None) -> list[Fixture]:
    """Return the fixtures in a calendar file: all upcoming ones, and those of the last ninety
    days.
    """
    today = get_club_date(club)
    rows = query_fixtures(club, series).filter(
        evening__date__range=(today - PAST_LISTED_PERIOD, LAST_DAY)
    )
    return list(
        rows.filter(
            Q(cancelled_at=None) | Q(cancelled_at__gte=timezone.now() - PAST_LISTED_PERIOD)
        )
    )


def build_calendar_data(club: Club) -> dict[str, object]:
    """Return the calendar as data for the API."""
    today = get_club_date(club)
    rows = [
        _build_evening_data(
            f"{exported_fixture.uid}", exported_fixture.evening, exported_fixture.evening.title
        )
        | {
            "minutes": exported_fixture.minutes,
            "series": exported_fixture.series.slug if exported_fixture.series else None,
            "cancelled": exported_fixture.cancelled_at is not None,
            "sequence": exported_fixture.sequence,
        }
        for exported_fixture in list_exported_fixtures(club)
    ]
    rows += [
        _build_evening_data(
            standalone_evening.uid, standalone_evening.evening, standalone_evening.title
        )
        for standalone_evening in list_standalone_evenings(club, today - PAST_LISTED_PERIOD)
    ]
    return {"club": club.slug, "timezone": club.timezone, "evenings": rows}


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
