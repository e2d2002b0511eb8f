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
    FirstOccurrence,
    Moment,
    ReadingBudget,
    build_too_many_events_error,
    expand_rule,
)

MAX_CALENDAR_BYTES = 1_000_000
MAX_EVENTS = 1_000
"""The maximum number of events; a calendar of holidays for ten years has a few hundred."""
MAX_HOLIDAY_DAYS = 366
"""The maximum length of a holiday in days; a longer event is an error."""
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Holiday:
    """One event of a calendar file, with its first occurrence and its duration."""

    block: EventBlock
    component: Any
    first_occurrence: FirstOccurrence
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

    first_day: Date
    last_day: Date
    name: str


def read_holidays(
    content: bytes, *, zone: ZoneInfo, first_day: Date, last_day: Date
) -> dict[Date, str]:
    """Return the name of the holiday on each date in a calendar file, from first to last day.

    Times are converted to the club's time zone. Recurrence rules, extra dates, exceptions, and
    changed or cancelled occurrences are supported. Raises UnusableCalendar, which names the
    line of the error.
    """
    if len(content) > MAX_CALENDAR_BYTES:
        raise UnusableCalendar(_("The file is over 1 MB. Export only the holidays."))
    blocks, reading_budget = split_events(decode_text(content)), ReadingBudget()
    if len(blocks) > MAX_EVENTS:
        raise build_too_many_events_error()
    events = []
    for block in blocks:
        reading_budget.count_occurrence(block.value_count)
        events.append(_read_holiday(block, zone))
    replaced_moments_by_uid = _group_replaced_moments(events)
    names_by_date: dict[Date, str] = {}
    for event in events:
        if not event.is_cancelled:
            for day in _iter_holiday_days(
                event, replaced_moments_by_uid, zone, first_day, last_day, reading_budget
            ):
                names_by_date.setdefault(day, event.name)
    return dict(sorted(names_by_date.items()))


def group_holiday_spans(names_by_date: Mapping[Date, str]) -> list[HolidaySpan]:
    """Return the spans of consecutive holidays with the same name, in order of date."""
    spans: list[HolidaySpan] = []
    for day, name in sorted(names_by_date.items()):
        last_span = spans[-1] if spans else None
        if last_span and last_span.name == name and last_span.last_day + ONE_DAY == day:
            spans[-1] = HolidaySpan(last_span.first_day, day, name)
        else:
            spans.append(HolidaySpan(day, day, name))
    return spans


def _read_holiday(block: EventBlock, zone: ZoneInfo) -> Holiday:
    from icalendar import (
        Event,  # the library is large, so it is imported only when a calendar is read
    )

    with _convert_errors(block, ""):
        component: Any = Event.from_ical(block.text)
    for property_name, _error in component.errors:
        raise _build_unreadable_error(block, property_name or "")
    with _convert_errors(block, "DTSTART"):
        first_occurrence = FirstOccurrence.from_moment(
            _convert_to_moment(component["DTSTART"]), zone
        )
    end_property = "DTEND" if "DTEND" in component else "DURATION"
    with _convert_errors(block, end_property):
        duration = _read_duration(component, first_occurrence)
    if duration > MAX_HOLIDAY_DAYS * ONE_DAY:
        message = _("Line %(line)s: this event lasts over %(days)s days. Shorten it.")
        raise UnusableCalendar(message % {"line": block.line_number, "days": MAX_HOLIDAY_DAYS})
    with _convert_errors(block, "RECURRENCE-ID"):
        replaced_occurrence = _read_recurrence_id(component)
    summaries, statuses = (
        _list_property_values(component, property_name)
        for property_name in ("SUMMARY", "STATUS")
    )
    printable_summary = "".join(
        character if character.isprintable() else " " for character in str([*summaries, ""][0])
    )
    return Holiday(
        block,
        component,
        first_occurrence,
        duration,
        name=" ".join(printable_summary.split())[:80],
        is_cancelled=any(str(value).upper() == "CANCELLED" for value in statuses),
        replaced_occurrence=replaced_occurrence,
    )


def _group_replaced_moments(events: Sequence[Holiday]) -> Mapping[str, Sequence[Moment]]:
    """Return the occurrences that other events replace, by the UID of the recurring event."""
    replaced_moments_by_uid: dict[str, list[Moment]] = defaultdict(list)
    for event in events:
        if event.replaced_occurrence is not None:
            replaced_moments_by_uid[event.uid].append(event.replaced_occurrence)
    return replaced_moments_by_uid


def _iter_holiday_days(
    event: Holiday,
    replaced_moments_by_uid: Mapping[str, Sequence[Moment]],
    zone: ZoneInfo,
    first_day: Date,
    last_day: Date,
    reading_budget: ReadingBudget,
) -> Iterator[Date]:
    """Yield the days on which an event takes place, from `first_day` to `last_day`."""
    # two more days, because time zones can differ by more than one day
    last_moment = datetime.combine(last_day, Time.max) + 2 * ONE_DAY
    replaced_moments = (
        replaced_moments_by_uid.get(event.uid, ())
        if event.replaced_occurrence is None and event.uid
        else ()
    )
    with _convert_errors(event.block, "EXDATE"):
        excluded_moments = [*_read_moments(event.component, "EXDATE"), *replaced_moments]
        exclusions = Exclusions.from_moments(
            excluded_moments, event.first_occurrence, reading_budget
        )
    for occurrence_start, duration in _iter_occurrences(event, last_moment, reading_budget):
        with _convert_errors(event.block, "DTSTART"):
            start_day, end_day = event.first_occurrence.compute_occurrence_days(
                occurrence_start, duration, zone
            )
        if exclusions.is_excluded(occurrence_start):
            continue
        for ordinal in range(
            max(first_day, start_day).toordinal(), min(last_day, end_day).toordinal() + 1
        ):
            reading_budget.count_occurrence()
            yield Date.fromordinal(ordinal)


def _iter_occurrences(
    event: Holiday, last_moment: datetime, reading_budget: ReadingBudget
) -> Iterator[tuple[datetime, timedelta]]:
    first_occurrence = event.first_occurrence
    yield first_occurrence.start_time, event.duration
    with _convert_errors(event.block, "RRULE"):
        occurrence_starts = {
            occurrence_start
            for rule in _list_property_values(event.component, "RRULE")
            for occurrence_start in expand_rule(
                rule, first_occurrence, last_moment, reading_budget
            )
        }
    with _convert_errors(event.block, "EXRULE"):
        for rule in _list_property_values(event.component, "EXRULE"):
            occurrence_starts -= set(
                expand_rule(rule, first_occurrence, last_moment, reading_budget)
            )
    for occurrence_start in occurrence_starts:
        yield occurrence_start, event.duration
    with _convert_errors(event.block, "RDATE"):
        for extra_date in _read_moments(event.component, "RDATE"):
            reading_budget.count_occurrence()
            extra_start, end_or_duration = (
                extra_date if isinstance(extra_date, tuple) else (extra_date, event.duration)
            )
            start_time = first_occurrence.to_wall_time(extra_start)
            yield (
                start_time,
                end_or_duration
                if isinstance(end_or_duration, timedelta)
                else first_occurrence.to_wall_time(end_or_duration) - start_time,
            )


def _read_duration(component: Any, first_occurrence: FirstOccurrence) -> timedelta:
    """Return the duration of an event; the default is one day."""
    if "DTEND" in component:
        duration = (
            first_occurrence.to_wall_time(_convert_to_moment(component["DTEND"]))
            - first_occurrence.start_time
        )
    elif "DURATION" in component:
        duration = component["DURATION"].dt
    else:
        duration = timedelta()
    if duration < timedelta():
        raise ValueError("ends before it begins")
    return max(duration, ONE_DAY) if first_occurrence.is_whole_day else duration


def _read_recurrence_id(component: Any) -> Moment | None:
    property_value = component.get("RECURRENCE-ID")
    if property_value is None:
        return None
    if "RANGE" in property_value.params:
        raise ValueError("a change of all later occurrences")
    return _convert_to_moment(property_value)


def _convert_to_moment(icalendar_value: Any) -> Moment:
    moment = icalendar_value.dt
    if not isinstance(moment, Date):
        raise TypeError("neither a day nor a moment")
    return moment


def _list_property_values(component: Any, property_name: str) -> list[Any]:
    """Return all values of a property, which may occur more than once."""
    property_value = component.get(property_name, [])
    return property_value if isinstance(property_value, list) else [property_value]


def _read_moments(component: Any, property_name: str) -> Iterator[Any]:
    """Yield each date, time or period in the EXDATE or RDATE lines."""
    for date_list in _list_property_values(component, property_name):
        for date_value in date_list.dts:
            yield date_value.dt


@contextmanager
def _convert_errors(block: EventBlock, property_name: str) -> Iterator[None]:
    """Convert any exception in the `with` body to UnusableCalendar.

    The error names the line of the property in the calendar file.

    The libraries raise many kinds of exceptions for malformed files.
    """
    try:
        yield
    except UnusableCalendar:
        raise
    except Exception as error:
        raise _build_unreadable_error(block, property_name) from error


def _build_unreadable_error(block: EventBlock, property_name: str) -> UnusableCalendar:
    line_number = block.line_numbers_by_property.get(property_name, block.line_number)
    if not property_name:
        message = _("Line %(line)s: this event can’t be read. Correct or delete it.")
    elif property_name not in block.line_numbers_by_property:
        message = _("Line %(line)s: this event has no %(name)s. Correct or delete it.")
    else:
        message = _("Line %(line)s: %(name)s can’t be read. Correct or delete this event.")
    return UnusableCalendar(message % {"line": line_number, "name": property_name})
