"""Computes the occurrences of an event from its first date, recurrence rule and extra dates."""

import time
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from datetime import date as Date
from datetime import time as Time
from typing import Any

from dateutil.rrule import rrulestr
from django.utils.translation import gettext as _

from exchange.calendars.errors import UnusableCalendar

MAX_OCCURRENCES = 20_000
MAX_READING_SECONDS = 3.0
LEAP_YEAR = 2024
SUPPORTED_FREQUENCIES = {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}

Moment = Date | datetime


def build_too_many_events_error() -> UnusableCalendar:
    """Return the error for a calendar file that would take too long to read."""
    return UnusableCalendar(_("This file has too many events. Export only the holidays."))


@dataclass(slots=True)
class ReadingBudget:
    """The number of occurrences and the time that are left for reading a calendar file.

    The values of an event's lines count as occurrences too.
    """

    remaining_occurrence_count: int = MAX_OCCURRENCES
    deadline: float = field(default_factory=lambda: time.monotonic() + MAX_READING_SECONDS)

    def count_occurrence(self, count: int = 1) -> None:
        """Count one or more occurrences; raise UnusableCalendar if a limit is exceeded."""
        self.remaining_occurrence_count -= count
        if self.remaining_occurrence_count < 0 or time.monotonic() > self.deadline:
            raise build_too_many_events_error()


@dataclass(frozen=True, slots=True)
class FirstOccurrence:
    """The first occurrence of an event, in the wall-clock time of the event's time zone."""

    start_time: datetime
    zone: tzinfo
    is_whole_day: bool

    @classmethod
    def from_moment(cls, moment: Moment, club_zone: tzinfo) -> "FirstOccurrence":
        """Return the first_occurrence for a DTSTART; the default time zone is the club's."""
        if not isinstance(moment, datetime):
            return cls(datetime.combine(moment, Time.min), club_zone, True)
        return cls(moment.replace(tzinfo=None), moment.tzinfo or club_zone, False)

    def to_wall_time(self, moment: Moment) -> datetime:
        """Return a date or time as naive wall-clock time in the event's time zone.

        A date becomes midnight. In a whole-day event, a time is not converted.
        """
        if not isinstance(moment, datetime):
            return datetime.combine(moment, Time.min)
        if moment.tzinfo and not self.is_whole_day:
            moment = moment.astimezone(self.zone)
        return moment.replace(tzinfo=None)

    def compute_occurrence_days(
        self, occurrence_start: datetime, duration: timedelta, zone: tzinfo
    ) -> tuple[Date, Date]:
        """Return the first and the last day of an occurrence, in the given time zone."""
        occurrence_end = occurrence_start + duration
        if not self.is_whole_day:
            occurrence_start, occurrence_end = (
                moment.replace(tzinfo=self.zone).astimezone(zone).replace(tzinfo=None)
                for moment in (occurrence_start, occurrence_end)
            )
        return occurrence_start.date(), max(
            occurrence_start, occurrence_end - timedelta(microseconds=1)
        ).date()


def expand_rule(
    rule: Any,
    first_occurrence: FirstOccurrence,
    last_moment: datetime,
    reading_budget: ReadingBudget,
) -> Iterator[datetime]:
    """Yield the start times of a recurring event (RRULE) up to `last_moment`.

    Raises ValueError or KeyError for an invalid rule.
    """
    if str(rule["FREQ"][0]).upper() not in SUPPORTED_FREQUENCIES:
        raise ValueError("too frequent for days")
    if any(int(interval) < 1 for interval in rule.get("INTERVAL", [])):
        raise ValueError("an interval below 1 never ends")
    end_moments = [
        _read_until(until_moment, first_occurrence) for until_moment in rule.get("UNTIL", [])
    ]
    rule_without_end = type(rule)(
        {key: value for key, value in rule.items() if key.upper() != "UNTIL"}
    )
    occurrences: Iterable[datetime] = rrulestr(
        rule_without_end.to_ical().decode(), dtstart=first_occurrence.start_time
    )
    reading_budget.count_occurrence()
    if not _can_occur(rule):
        return
    for occurrence_start in occurrences:
        if occurrence_start > min([last_moment, *end_moments]):
            return
        reading_budget.count_occurrence()
        yield occurrence_start


def _can_occur(rule: Any) -> bool:
    """Return whether a rule's months have its days, unlike 30 February.

    For a day that never comes, the library would search until the year 9999, for seconds.
    """
    months = {int(month) for month in rule.get("BYMONTH", range(1, 13))}
    month_days = {int(day) for day in rule.get("BYMONTHDAY", [1])}
    return any(
        0 < abs(day) <= monthrange(LEAP_YEAR, month)[1]
        for month in months
        if 1 <= month <= 12
        for day in month_days
    )


def _read_until(until_moment: Moment, first_occurrence: FirstOccurrence) -> datetime:
    """Return the latest time at which a rule allows an occurrence (its UNTIL).

    For whole-day events, some programs write midnight in UTC, others in local time. The later
    of the two days is used.
    """
    if not isinstance(until_moment, datetime):
        return datetime.combine(until_moment, Time.max)
    if first_occurrence.is_whole_day and until_moment.tzinfo:
        days = (
            until_moment.astimezone(UTC).date(),
            until_moment.astimezone(first_occurrence.zone).date(),
        )
        return datetime.combine(max(days), Time.max)
    return first_occurrence.to_wall_time(until_moment)


@dataclass(frozen=True, slots=True)
class Exclusions:
    """The occurrences that are removed from a recurring event by EXDATE or a replacement."""

    excluded_days: frozenset[Date]
    excluded_starts: frozenset[datetime]

    @classmethod
    def from_moments(
        cls,
        moments: Iterable[Moment],
        first_occurrence: FirstOccurrence,
        reading_budget: ReadingBudget,
    ) -> "Exclusions":
        """Return the exclusions for the given times; a date excludes all starts on that day."""
        days, excluded_starts = set(), set()
        for moment in moments:
            reading_budget.count_occurrence()
            if first_occurrence.is_whole_day or not isinstance(moment, datetime):
                days.add(first_occurrence.to_wall_time(moment).date())
            else:
                excluded_starts.add(first_occurrence.to_wall_time(moment))
        return cls(frozenset(days), frozenset(excluded_starts))

    def is_excluded(self, occurrence_start: datetime) -> bool:
        """Return whether an occurrence is excluded."""
        return (
            occurrence_start in self.excluded_starts
            or occurrence_start.date() in self.excluded_days
        )
