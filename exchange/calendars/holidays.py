"""Holidays of a calendar file: days with their names, on which a club does not play."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date as Date
from datetime import datetime, timedelta
from datetime import time as Time
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.whist.reading import text_of
from exchange.calendars.errors import UnusableCalendar
from exchange.calendars.event_blocks import EventBlock, event_blocks
from exchange.calendars.recurrence import (
    Exclusions,
    Moment,
    Timing,
    WorkLimit,
    by_rule,
)

MAX_BYTES = 1_000_000
MAX_DAYS = 366
"""The maximum length of one break in days; longer events are errors in the calendar."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Holiday:
    """One event of a file: its first occurrence and its duration."""

    block: EventBlock
    component: Any
    timing: Timing
    length: timedelta
    name: str
    is_cancelled: bool
    replaces: Moment | None
    """The occurrence of a series that this event replaces (its RECURRENCE-ID)."""

    @property
    def uid(self) -> str:
        """The UID of the event; events that replace its occurrences have the same UID."""
        return str(self.component.get("UID", ""))


@dataclass(frozen=True, slots=True)
class HolidaySpan:
    """Consecutive days with one name."""

    first: Date
    last: Date
    name: str


def read_holidays(
    content: bytes, *, zone: ZoneInfo, since: Date, until: Date
) -> dict[Date, str]:
    """Return the holidays of a range of days, each with its name.

    Times are converted to the club's zone. Rules, extra days, exceptions, and changed or
    cancelled occurrences are applied. Raises UnusableCalendar with the line.
    """
    if len(content) > MAX_BYTES:
        raise UnusableCalendar(_("The file is over 1 MB. Export only the holidays."))
    limit = WorkLimit()
    events = []
    for block in event_blocks(text_of(content)):
        limit.spend()
        events.append(_read(block, zone))
    replaced = _find_replacements(events)
    found: dict[Date, str] = {}
    for event in events:
        if not event.is_cancelled:
            for day in _days(event, replaced, zone, since, until, limit):
                found.setdefault(day, event.name)
    return dict(sorted(found.items()))


def spans_of(days: Mapping[Date, str]) -> list[HolidaySpan]:
    """Group consecutive days with the same name, in order."""
    spans: list[HolidaySpan] = []
    for day, name in sorted(days.items()):
        last = spans[-1] if spans else None
        if last and last.name == name and last.last + DAY == day:
            spans[-1] = HolidaySpan(last.first, day, name)
        else:
            spans.append(HolidaySpan(day, day, name))
    return spans


def _read(block: EventBlock, zone: ZoneInfo) -> Holiday:
    from icalendar import Event  # large, so imported only when a calendar is read

    with _place(block, ""):
        component: Any = Event.from_ical(block.text)
    for name, _error in component.errors:
        raise _unreadable(block, name or "")
    with _place(block, "DTSTART"):
        timing = Timing.of(_moment(component["DTSTART"]), zone)
    name = "DTEND" if "DTEND" in component else "DURATION"
    with _place(block, name):
        length = _length(component, timing)
    if length > MAX_DAYS * DAY:
        words = _("Line %(line)s: this event lasts over %(days)s days. Shorten it.")
        raise UnusableCalendar(words % {"line": block.line, "days": MAX_DAYS})
    with _place(block, "RECURRENCE-ID"):
        replaces = _recurrence_id(component)
    summary, status = (_several(component, each) for each in ("SUMMARY", "STATUS"))
    words = "".join(each if each.isprintable() else " " for each in str([*summary, ""][0]))
    return Holiday(
        block,
        component,
        timing,
        length,
        name=" ".join(words.split())[:80],
        is_cancelled=any(str(each).upper() == "CANCELLED" for each in status),
        replaces=replaces,
    )


def _find_replacements(events: Sequence[Holiday]) -> Mapping[str, Sequence[Moment]]:
    """Collect the occurrences replaced by separate events, by the UID of their series."""
    replaced: dict[str, list[Moment]] = defaultdict(list)
    for event in events:
        if event.replaces is not None:
            replaced[event.uid].append(event.replaces)
    return replaced


def _days(
    event: Holiday,
    replaced: Mapping[str, Sequence[Moment]],
    zone: ZoneInfo,
    since: Date,
    until: Date,
    limit: WorkLimit,
) -> Iterator[Date]:
    """Yield the days of an event within the range."""
    last = (
        datetime.combine(until, Time.max) + 2 * DAY
    )  # more than the difference of any two zones
    moved = replaced.get(event.uid, ()) if event.replaces is None and event.uid else ()
    with _place(event.block, "EXDATE"):
        named = [*_read_moments(event.component, "EXDATE"), *moved]
        excluded = Exclusions.of(named, event.timing, limit)
    for start, length in _occurrences(event, last, limit):
        with _place(event.block, "DTSTART"):
            first, final = event.timing.days(start, length, zone)
        if excluded.has(start):
            continue
        for number in range(max(first, since).toordinal(), min(final, until).toordinal() + 1):
            limit.spend()
            yield Date.fromordinal(number)


def _occurrences(
    event: Holiday, last: datetime, limit: WorkLimit
) -> Iterator[tuple[datetime, timedelta]]:
    timing = event.timing
    yield timing.start, event.length
    with _place(event.block, "RRULE"):
        starts = {
            start
            for rule in _several(event.component, "RRULE")
            for start in by_rule(rule, timing, last, limit)
        }
    with _place(event.block, "EXRULE"):
        for rule in _several(event.component, "EXRULE"):
            starts -= set(by_rule(rule, timing, last, limit))
    for start in starts:
        yield start, event.length
    with _place(event.block, "RDATE"):
        for extra in _read_moments(event.component, "RDATE"):
            limit.spend()
            start, end = extra if isinstance(extra, tuple) else (extra, event.length)
            begins = timing.wall(start)
            yield begins, end if isinstance(end, timedelta) else timing.wall(end) - begins


def _length(component: Any, timing: Timing) -> timedelta:
    """Return the duration of an event; a whole day if the event has none."""
    if "DTEND" in component:
        length = timing.wall(_moment(component["DTEND"])) - timing.start
    elif "DURATION" in component:
        length = component["DURATION"].dt
    else:
        length = timedelta()
    if length < timedelta():
        raise ValueError("ends before it begins")
    return max(length, DAY) if timing.is_whole_day else length


def _recurrence_id(component: Any) -> Moment | None:
    value = component.get("RECURRENCE-ID")
    if value is None:
        return None
    if "RANGE" in value.params:
        raise ValueError("a change of all later occurrences")
    return _moment(value)


def _moment(value: Any) -> Moment:
    moment = value.dt
    if not isinstance(moment, Date):
        raise TypeError("neither a day nor a moment")
    return moment


def _several(component: Any, name: str) -> list[Any]:
    """Return all values of a property that may occur once or several times."""
    value = component.get(name, [])
    return value if isinstance(value, list) else [value]


def _read_moments(component: Any, name: str) -> Iterator[Any]:
    """Yield each time or period of the EXDATE or RDATE lines."""
    for line in _several(component, name):
        for each in line.dts:
            yield each.dt


@contextmanager
def _place(block: EventBlock, name: str) -> Iterator[None]:
    """Convert any error while reading a property into UnusableCalendar with its line.

    The libraries raise many kinds of errors for malformed files, so all are caught here.
    """
    try:
        yield
    except UnusableCalendar:
        raise
    except Exception as error:
        raise _unreadable(block, name) from error


def _unreadable(block: EventBlock, name: str) -> UnusableCalendar:
    line = block.line_of.get(name, block.line)
    if not name:
        words = _("Line %(line)s: this event can't be read. Correct or delete it.")
    elif name not in block.line_of:
        words = _("Line %(line)s: this event has no %(name)s. Correct or delete it.")
    else:
        words = _("Line %(line)s: %(name)s can't be read. Correct or delete this event.")
    return UnusableCalendar(words % {"line": line, "name": name})
