"""Evenings that a director made by hand: they stand in the calendar without a series."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from datetime import date as Date

from django.db.models import Count, Max
from django.urls import reverse

from clubs.evenings.recurrence import LAST_DAY
from clubs.models import Act, Club, Evening
from drives.models import Drive
from exchange.calendars import CalendarDay
from rubbers.models import RubberNight
from tournaments.models import Event, Session

MOVES = (
    *("event.created", "event.changed", "session.dated", "session.added"),
    *("drive.created", "drive.changed", "rubbers.created"),
)
"""Acts after which an evening may stand otherwise in a calendar."""
MINUTES = 180
"""How long an evening is taken to be where nobody has said it."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """One such evening: an event's session, a drive or a rubber night."""

    uid: str
    part: int  # of an event of several sessions; 0 is the whole
    key: str
    title: str
    evening: Evening
    path: str
    desk: str
    """Where its director runs it."""
    is_over: bool = False


def made_by_hand(club: Club, first: Date, last: Date | None = None) -> list[ByHand]:
    """List them by their days; three questions."""
    days = {"evening__date__gte": first} | ({"evening__date__lte": last} if last else {})
    return sorted(
        [*_events(club, days), *_drives(club, days)],
        key=lambda each: (each.evening.date, each.evening.start or time.min, each.uid),
    )


def days_by_hand(club: Club, first: Date, base: str) -> list[CalendarDay]:
    """The same as an iCalendar tells of them; what was moved has a higher number."""
    rows = made_by_hand(club, first, LAST_DAY)
    moved = _moved(club, rows)
    found = []
    for each in rows:
        count, last = moved.get(each.key, (0, None))
        found.append(_day(each, count, last, base))
    return found


def _events(club: Club, days: Mapping[str, Date]) -> Iterator[ByHand]:
    listed = Event.objects.filter(club=club).listed()
    sessions = Session.objects.filter(event__in=listed, evening__fixture=None, **days)
    rows = sessions.select_related("event", "evening").annotate(of=Count("event__sessions"))
    for row in rows:
        yield ByHand(
            uid=str(row.event.uid),
            part=row.number if row.of > 1 else 0,
            key=row.event.audit_key,
            title=row.event.name,
            evening=row.evening,
            path=reverse("event", args=[row.event.slug]),
            desk=reverse("event_desk", args=[row.event.slug]),
            is_over=row.state == Session.State.CLOSED,
        )


def _drives(club: Club, days: Mapping[str, Date]) -> Iterator[ByHand]:
    asked = {"club": club, "evening__fixture": None, **days}
    for drive in Drive.objects.listed().filter(**asked).select_related("evening"):
        yield _made(("drive", "drive_desk"), drive, drive.evening)
    nights = RubberNight.objects.listed().filter(**asked, drive=None)
    for night in nights.select_related("evening"):
        if night.evening is not None:
            yield _made(("rubber_night", "rubber_desk"), night, night.evening)


def _made(pages: tuple[str, str], of: Drive | RubberNight, evening: Evening) -> ByHand:
    page, desk = (reverse(name, args=[of.slug]) for name in pages)
    return ByHand(str(of.uid), 0, of.audit_key, of.name, evening, page, desk, of.is_closed)


def _moved(club: Club, rows: Sequence[ByHand]) -> dict[str, tuple[int, datetime]]:
    keys = {each.key for each in rows}
    acts = Act.objects.filter(club=club.slug, about__in=keys, action__in=MOVES).order_by()
    found = acts.values_list("about").annotate(count=Count("pk"), last=Max("at"))
    return {about: (count, last) for about, count, last in found}


def _day(each: ByHand, count: int, last: datetime | None, base: str) -> CalendarDay:
    evening = each.evening
    part = f"-{each.part}" if each.part else ""
    return CalendarDay(
        uid=f"{each.uid}{part}@overplay",
        sequence=max(count - 1, 0),
        changed_at=last or datetime.combine(evening.date, time.min, UTC),
        day=evening.date,
        start=evening.start,
        minutes=MINUTES,
        title=each.title,
        place=evening.place,
        url=f"{base}{each.path}" if base else "",
    )
