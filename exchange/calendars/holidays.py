"""Reads the holidays in a calendar file: named days without club play."""

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

from boards.whist.board_file import decode_text
from exchange.calendars.errors import UnusableCalendar
from exchange.calendars.event_blocks import EventBlock, split_events
from exchange.calendars.recurrence import (
    Exclusions,
    Moment,
    Timing,
    WorkLimit,
    expand_rule,
)

MAX_CALENDAR_BYTES = 1_000_000
MAX_HOLIDAY_DAYS = 366
"""The maximum length of a holiday in days; a longer event is an error."""
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Holiday:
    """One event of a calendar file, with its first occurrence and its duration."""

    block: EventBlock
    component: Any
    timing: Timing
    duration: timedelta
    name: str
    is_cancelled: bool
    replaced_occurrence: Moment | None
    """The occurrence of a recurring event that this event replaces (its RECURRENCE-ID)."""

    @property
    def uid(self) -> str:
        """The UID, which a recurring event shares with its replaced occurrences."""
        return str(self.component.get("UID", ""))


@dataclass(frozen=True, slots=True)
class HolidaySpan:
    """A span of consecutive holidays with the same name."""

    first: Date
    last: Date
    name: str


def read_holidays(
    content: bytes, *, zone: ZoneInfo, first_day: Date, last_day: Date
) -> dict[Date, str]:
    """Return the holidays between two dates in a calendar file, as names by date.

    Times are converted to the club's time zone. Recurrence rules, extra dates, exceptions, and
    changed or cancelled occurrences are supported. Raises UnusableCalendar, which names the
    line of the error.
    """
    if len(content) > MAX_CALENDAR_BYTES:
        raise UnusableCalendar(_("The file is over 1 MB. Export only the holidays."))
    limit = WorkLimit()
    events = []
    for block in split_events(decode_text(content)):
        limit.spend()
        events.append(_read_holiday(block, zone))
    replaced = _find_replacements(events)
    names_by_date: dict[Date, str] = {}
    for event in events:
        if not event.is_cancelled:
            for day in _iter_days(event, replaced, zone, first_day, last_day, limit):
                names_by_date.setdefault(day, event.name)
    return dict(sorted(names_by_date.items()))


def group_holiday_spans(days: Mapping[Date, str]) -> list[HolidaySpan]:
    """Return the spans of consecutive holidays with the same name, in order of date."""
    spans: list[HolidaySpan] = []
    for day, name in sorted(days.items()):
        last = spans[-1] if spans else None
        if last and last.name == name and last.last + ONE_DAY == day:
            spans[-1] = HolidaySpan(last.first, day, name)
        else:
            spans.append(HolidaySpan(day, day, name))
    return spans


def _read_holiday(block: EventBlock, zone: ZoneInfo) -> Holiday:
    from icalendar import (
        Event,  # the library is large, so it is imported only when a calendar is read
    )

    with _convert_errors(block, ""):
        component: Any = Event.from_ical(block.text)
    for name, _error in component.errors:
        raise _unreadable_error(block, name or "")
    with _convert_errors(block, "DTSTART"):
        timing = Timing.of(_to_moment(component["DTSTART"]), zone)
    name = "DTEND" if "DTEND" in component else "DURATION"
    with _convert_errors(block, name):
        length = _read_duration(component, timing)
    if length > MAX_HOLIDAY_DAYS * ONE_DAY:
        words = _("Line %(line)s: this event lasts over %(days)s days. Shorten it.")
        raise UnusableCalendar(words % {"line": block.line, "days": MAX_HOLIDAY_DAYS})
    with _convert_errors(block, "RECURRENCE-ID"):
        replaces = _read_recurrence_id(component)
    summary, status = (
        _list_values(component, property_name) for property_name in ("SUMMARY", "STATUS")
    )
    words = "".join(
        character if character.isprintable() else " " for character in str([*summary, ""][0])
    )
    return Holiday(
        block,
        component,
        timing,
        length,
        name=" ".join(words.split())[:80],
        is_cancelled=any(str(value).upper() == "CANCELLED" for value in status),
        replaced_occurrence=replaces,
    )


def _find_replacements(events: Sequence[Holiday]) -> Mapping[str, Sequence[Moment]]:
    """Return the occurrences replaced by other events, by the UID of their recurring event."""
    replaced: dict[str, list[Moment]] = defaultdict(list)
    for event in events:
        if event.replaced_occurrence is not None:
            replaced[event.uid].append(event.replaced_occurrence)
    return replaced


def _iter_days(
    event: Holiday,
    replaced: Mapping[str, Sequence[Moment]],
    zone: ZoneInfo,
    first_day: Date,
    last_day: Date,
    limit: WorkLimit,
) -> Iterator[Date]:
    """Yield the days between two dates on which an event takes place."""
    # more than the difference between any two time zones
    last = datetime.combine(last_day, Time.max) + 2 * ONE_DAY
    replaced_moments = (
        replaced.get(event.uid, ()) if event.replaced_occurrence is None and event.uid else ()
    )
    with _convert_errors(event.block, "EXDATE"):
        excluded_moments = [*_read_moments(event.component, "EXDATE"), *replaced_moments]
        excluded = Exclusions.of(excluded_moments, event.timing, limit)
    for start, length in _iter_occurrences(event, last, limit):
        with _convert_errors(event.block, "DTSTART"):
            first, final = event.timing.days_of_occurrence(start, length, zone)
        if excluded.is_excluded(start):
            continue
        for number in range(
            max(first, first_day).toordinal(), min(final, last_day).toordinal() + 1
        ):
            limit.spend()
            yield Date.fromordinal(number)


def _iter_occurrences(
    event: Holiday, last: datetime, limit: WorkLimit
) -> Iterator[tuple[datetime, timedelta]]:
    timing = event.timing
    yield timing.start, event.duration
    with _convert_errors(event.block, "RRULE"):
        starts = {
            start
            for rule in _list_values(event.component, "RRULE")
            for start in expand_rule(rule, timing, last, limit)
        }
    with _convert_errors(event.block, "EXRULE"):
        for rule in _list_values(event.component, "EXRULE"):
            starts -= set(expand_rule(rule, timing, last, limit))
    for start in starts:
        yield start, event.duration
    with _convert_errors(event.block, "RDATE"):
        for extra_date in _read_moments(event.component, "RDATE"):
            limit.spend()
            start, end = (
                extra_date if isinstance(extra_date, tuple) else (extra_date, event.duration)
            )
            begins = timing.to_wall_time(start)
            yield (
                begins,
                end if isinstance(end, timedelta) else timing.to_wall_time(end) - begins,
            )


def _read_duration(component: Any, timing: Timing) -> timedelta:
    """Return the duration of an event; the default is one day."""
    if "DTEND" in component:
        length = timing.to_wall_time(_to_moment(component["DTEND"])) - timing.start
    elif "DURATION" in component:
        length = component["DURATION"].dt
    else:
        length = timedelta()
    if length < timedelta():
        raise ValueError("ends before it begins")
    return max(length, ONE_DAY) if timing.is_whole_day else length


def _read_recurrence_id(component: Any) -> Moment | None:
    value = component.get("RECURRENCE-ID")
    if value is None:
        return None
    if "RANGE" in value.params:
        raise ValueError("a change of all later occurrences")
    return _to_moment(value)


def _to_moment(value: Any) -> Moment:
    moment = value.dt
    if not isinstance(moment, Date):
        raise TypeError("neither a day nor a moment")
    return moment


def _list_values(component: Any, name: str) -> list[Any]:
    """Return all values of a property, which may occur more than once."""
    value = component.get(name, [])
    return value if isinstance(value, list) else [value]


def _read_moments(component: Any, name: str) -> Iterator[Any]:
    """Yield each date, time or period in the EXDATE or RDATE lines."""
    for line in _list_values(component, name):
        for each in line.dts:
            yield each.dt


@contextmanager
def _convert_errors(block: EventBlock, name: str) -> Iterator[None]:
    """Convert any exception while a property is read to UnusableCalendar with the line number.

    The libraries raise many kinds of exceptions for malformed files.
    """
    try:
        yield
    except UnusableCalendar:
        raise
    except Exception as error:
        raise _unreadable_error(block, name) from error


def _unreadable_error(block: EventBlock, name: str) -> UnusableCalendar:
    line = block.line_of.get(name, block.line)
    if not name:
        message = _("Line %(line)s: this event can't be read. Correct or delete it.")
    elif name not in block.line_of:
        message = _("Line %(line)s: this event has no %(name)s. Correct or delete it.")
    else:
        message = _("Line %(line)s: %(name)s can't be read. Correct or delete this event.")
    return UnusableCalendar(message % {"line": line, "name": name})
