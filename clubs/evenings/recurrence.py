"""The rules for the days of a series: weekly, every few weeks, monthly, or listed days.

Excluded days, such as holidays, are returned with the reason. A month without the required day
(a fifth Monday, a 31st) is reported as skipped. This module does not read the current time.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as Date
from datetime import timedelta
from itertools import takewhile
from typing import Any

from django.utils.translation import gettext as _

WEEKLY, MONTHLY_BY_WEEKDAY, MONTHLY_BY_DATE, LISTED_DATES = (
    "weekly",
    "monthly",
    "month_day",
    "dates",
)
RECURRENCE_KINDS = (WEEKLY, MONTHLY_BY_WEEKDAY, MONTHLY_BY_DATE, LISTED_DATES)
LAST_IN_MONTH = -1
VALID_WEEKDAY_ORDINALS = (1, 2, 3, 4, 5, LAST_IN_MONTH)
"""The values of `RecurrenceRule.nth`: the first to the fifth weekday of a month, or the
last.
"""
MAX_INTERVAL_WEEKS = 52
MAX_LISTED_DATES = 400
ONE_WEEK = timedelta(days=7)
FIRST_SUPPORTED_DAY, LAST_SUPPORTED_DAY = Date(1900, 1, 1), Date(2200, 12, 31)
"""The range of supported dates.

It is smaller than that of `datetime.date`, because calendars also compute the days before and
after an evening.
"""


@dataclass(frozen=True, slots=True)
class RecurrenceRule:
    """A rule that determines the days of a series.

    `weekly` plays every `interval_weeks` weeks from `first_day`. `monthly` plays on the
    `weekday_ordinal` `weekday` of each month, where Monday is 0 and a `weekday_ordinal` of -1
    is the last. `month_day` plays on the day `day_of_month` of each month, and `dates` only on
    the listed days. No day is before `first_day`, after `last_day` or in `excluded_days`.
    """

    recurrence_kind: str
    first_day: Date
    last_day: Date | None = None
    interval_weeks: int = 1
    weekday: int = 0
    weekday_ordinal: int = 1
    day_of_month: int = 1
    dates: tuple[Date, ...] = ()
    excluded_days: frozenset[Date] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class SkippedDay:
    """A day without play in a series, with the reason: `holiday`, `exception` or `no_such`."""

    reason: str
    day: Date | None
    month: tuple[int, int] | None = None  # (year, month) without the required day
    name: str = ""  # the name of the holiday


@dataclass(frozen=True, slots=True)
class SeriesDays:
    """The days of a series in a period, and the skipped days."""

    days: tuple[Date, ...]
    skipped_days: tuple[SkippedDay, ...] = ()


class InvalidRecurrenceRule(ValueError):
    """An invalid rule of a series; `field_name` is the invalid form field."""

    def __init__(self, field_name: str, reason: str) -> None:
        super().__init__(reason)
        self.field_name = field_name


def list_series_days(
    rule: RecurrenceRule,
    *,
    first_day: Date,
    last_day: Date,
    holiday_names_by_day: Mapping[Date, str] | None = None,
) -> SeriesDays:
    """Return the days of a rule and the skipped days, from `first_day` to `last_day` inclusive.

    A rule of listed days (`dates`) also plays on holidays.
    """
    skipped_holiday_names_by_day = (
        {} if rule.recurrence_kind == LISTED_DATES else holiday_names_by_day or {}
    )
    days: list[Date] = []
    skipped_days: list[SkippedDay] = []
    for day in takewhile(
        lambda candidate_day: _get_sort_day(candidate_day) <= last_day,
        _iter_candidate_days(rule, last_day),
    ):
        if isinstance(day, SkippedDay):
            if _get_sort_day(day) >= first_day.replace(day=1):
                skipped_days.append(day)
        elif day < first_day:
            continue
        elif day in rule.excluded_days:
            skipped_days.append(SkippedDay("exception", day))
        elif day in skipped_holiday_names_by_day:
            skipped_days.append(
                SkippedDay("holiday", day, name=skipped_holiday_names_by_day[day])
            )
        else:
            days.append(day)
    return SeriesDays(tuple(days), tuple(skipped_days))


def _get_sort_day(day: Date | SkippedDay) -> Date:
    if isinstance(day, Date):
        return day
    assert day.month is not None
    return Date(*day.month, 1)


def _iter_candidate_days(rule: RecurrenceRule, last_day: Date) -> Iterator[Date | SkippedDay]:
    """Yield the days of a rule up to `last_day` in order, and the months without such a day."""
    end_day = min(last_day, rule.last_day) if rule.last_day else last_day
    for day in _iter_rule_days(rule, end_day):
        if isinstance(day, SkippedDay):
            yield day
        elif day > end_day:
            return
        elif day >= rule.first_day:
            yield day


def _iter_rule_days(rule: RecurrenceRule, end_day: Date) -> Iterator[Date | SkippedDay]:
    if rule.recurrence_kind == LISTED_DATES:
        yield from sorted(set(rule.dates))
    elif rule.recurrence_kind == WEEKLY:
        days_ahead = (rule.weekday - rule.first_day.weekday()) % 7
        day = rule.first_day + timedelta(days=days_ahead)
        while day <= end_day:
            yield day
            day += ONE_WEEK * rule.interval_weeks
    else:
        for year, month in _iter_months(rule.first_day, end_day):
            play_day = _find_day_in_month(rule, year, month)
            yield play_day if play_day else SkippedDay("no_such", None, (year, month))


def _iter_months(first_day: Date, last_day: Date) -> Iterator[tuple[int, int]]:
    month_index = first_day.year * 12 + first_day.month - 1
    while month_index <= last_day.year * 12 + last_day.month - 1:
        yield month_index // 12, month_index % 12 + 1
        month_index += 1


def _find_day_in_month(rule: RecurrenceRule, year: int, month: int) -> Date | None:
    if rule.recurrence_kind == MONTHLY_BY_DATE:
        return _make_date(year, month, rule.day_of_month)
    if rule.weekday_ordinal == LAST_IN_MONTH:
        month_end = Date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        return month_end - timedelta(days=(month_end.weekday() - rule.weekday) % 7)
    month_start = Date(year, month, 1)
    day = 1 + (rule.weekday - month_start.weekday()) % 7 + 7 * (rule.weekday_ordinal - 1)
    return _make_date(year, month, day)


def _make_date(year: int, month: int, day: int) -> Date | None:
    try:
        return Date(year, month, day)
    except ValueError:
        return None


def check_rule(rule: RecurrenceRule) -> RecurrenceRule:
    """Return the rule unchanged if it is valid.

    Raises InvalidRecurrenceRule with the invalid field for an invalid rule.
    """
    is_invalid_by_field = {
        "kind": rule.recurrence_kind not in RECURRENCE_KINDS,
        "last": rule.last_day is not None and rule.last_day < rule.first_day,
        "every": not 1 <= rule.interval_weeks <= MAX_INTERVAL_WEEKS,
        "nth": rule.weekday_ordinal not in VALID_WEEKDAY_ORDINALS,
        "weekday": not 0 <= rule.weekday <= 6,
        "day": not 1 <= rule.day_of_month <= 31,
        "dates": rule.recurrence_kind == LISTED_DATES
        and not 0 < len(rule.dates) <= MAX_LISTED_DATES,
    }
    message_by_field = {
        "kind": _("Choose weekly, monthly or single dates."),
        "last": _("The last day is before the first."),
        "every": _("Enter the number of weeks: 1 to 52."),
        "nth": _("Choose the first to the fifth, or the last."),
        "weekday": _("Choose a weekday."),
        "day": _("Enter a day from 1 to 31."),
        "dates": _("Enter 1 to %(most)s dates.") % {"most": MAX_LISTED_DATES},
    }
    invalid_field_name = next(
        (name for name, is_invalid in is_invalid_by_field.items() if is_invalid), ""
    )
    if invalid_field_name:
        raise InvalidRecurrenceRule(invalid_field_name, message_by_field[invalid_field_name])
    return rule


def is_outside_supported_dates(day: Date) -> bool:
    """Return whether a date is outside the range that clubs and calendar files support."""
    return not FIRST_SUPPORTED_DAY <= day <= LAST_SUPPORTED_DAY


def format_date_range_error() -> str:
    """Return the error message with the range of supported dates."""
    year_placeholders = {"first": FIRST_SUPPORTED_DAY.year, "last": LAST_SUPPORTED_DAY.year}
    return _("Enter a date from %(first)s to %(last)s.") % year_placeholders


def check_supported_dates(rule: RecurrenceRule) -> None:
    """Raise InvalidRecurrenceRule if a new rule contains a date outside the supported range.

    Stored rules are not checked: older versions used the year 9999 for a series without an
    end.
    """
    dates_by_field = {
        "first": (rule.first_day,),
        "last": (rule.last_day,) if rule.last_day else (),
        "dates": rule.dates,
        "but": rule.excluded_days,
    }
    for field_name, days in dates_by_field.items():
        if any(is_outside_supported_dates(day) for day in days):
            raise InvalidRecurrenceRule(field_name, format_date_range_error())


def serialize_recurrence(rule: RecurrenceRule) -> dict[str, Any]:
    """Return a rule as JSON data for the database."""
    rule_data: dict[str, Any] = {
        "kind": rule.recurrence_kind,
        "first": rule.first_day.isoformat(),
    }
    if rule.last_day:
        rule_data["last"] = rule.last_day.isoformat()
    if rule.recurrence_kind == WEEKLY:
        rule_data |= {"every": rule.interval_weeks, "weekday": rule.weekday}
    if rule.recurrence_kind == MONTHLY_BY_WEEKDAY:
        rule_data |= {"nth": rule.weekday_ordinal, "weekday": rule.weekday}
    if rule.recurrence_kind == MONTHLY_BY_DATE:
        rule_data["day"] = rule.day_of_month
    if rule.recurrence_kind == LISTED_DATES:
        rule_data["dates"] = _format_days(rule.dates)
    if rule.excluded_days:
        rule_data["but"] = _format_days(rule.excluded_days)
    return rule_data


def _format_days(days: Collection[Date]) -> list[str]:
    return [day.isoformat() for day in sorted(set(days))]


def parse_recurrence(rule_data: Mapping[str, Any]) -> RecurrenceRule:
    """Return the rule that `serialize_recurrence` has converted.

    Raises InvalidRecurrenceRule or KeyError if it is invalid.
    """
    days: Sequence[str] = rule_data.get("dates", ())
    return check_rule(
        RecurrenceRule(
            recurrence_kind=rule_data["kind"],
            first_day=Date.fromisoformat(rule_data["first"]),
            last_day=Date.fromisoformat(rule_data["last"]) if rule_data.get("last") else None,
            interval_weeks=rule_data.get("every", 1),
            weekday=rule_data.get("weekday", 0),
            weekday_ordinal=rule_data.get("nth", 1),
            day_of_month=rule_data.get("day", 1),
            dates=tuple(Date.fromisoformat(day) for day in days),
            excluded_days=frozenset(
                Date.fromisoformat(day) for day in rule_data.get("but", ())
            ),
        )
    )


def format_rule(rule: RecurrenceRule) -> str:
    """Return a rule as text: "every 2 weeks on Tuesday"."""
    weekday_names = (
        _("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"),
        _("Saturday"), _("Sunday"),
    )  # fmt: skip
    word_by_ordinal = {
        1: _("first"), 2: _("second"), 3: _("third"), 4: _("fourth"), 5: _("fifth"),
        LAST_IN_MONTH: _("last"),
    }  # fmt: skip
    weekday_name = weekday_names[rule.weekday]
    if rule.recurrence_kind == WEEKLY and rule.interval_weeks == 1:
        return _("every %(weekday)s") % {"weekday": weekday_name}
    if rule.recurrence_kind == WEEKLY:
        message = _("every %(every)s weeks on %(weekday)s")
        return message % {"every": rule.interval_weeks, "weekday": weekday_name}
    if rule.recurrence_kind == MONTHLY_BY_WEEKDAY:
        message = _("the %(nth)s %(weekday)s of the month")
        return message % {"nth": word_by_ordinal[rule.weekday_ordinal], "weekday": weekday_name}
    if rule.recurrence_kind == MONTHLY_BY_DATE:
        return _("day %(day)s of the month") % {"day": rule.day_of_month}
    return _("on %(count)s chosen dates") % {"count": len(rule.dates)}
