"""Series have the days of a wall calendar, and list the dates that they leave out."""

from datetime import date, timedelta

import pytest
from dateutil import rrule
from hypothesis import given
from hypothesis import strategies as st

from clubs.evenings.recurrence import (
    LAST_IN_MONTH,
    LISTED_DATES,
    MONTHLY_BY_DATE,
    MONTHLY_BY_WEEKDAY,
    WEEKLY,
    InvalidRecurrenceRule,
    RecurrenceRule,
    check_rule,
    format_rule,
    list_series_days,
    parse_recurrence,
    serialize_recurrence,
)

YEAR_RANGE = {"first_day": date(2026, 1, 1), "last_day": date(2026, 12, 31)}
DAY_STRATEGY = st.dates(min_value=date(2024, 1, 1), max_value=date(2028, 12, 31))
RULE_STRATEGY = st.builds(
    RecurrenceRule,
    recurrence_kind=st.sampled_from([WEEKLY, MONTHLY_BY_WEEKDAY, MONTHLY_BY_DATE]),
    first_day=DAY_STRATEGY,
    interval_weeks=st.integers(1, 5),
    weekday=st.integers(0, 6),
    weekday_ordinal=st.sampled_from([1, 2, 3, 4, 5, LAST_IN_MONTH]),
    day_of_month=st.integers(1, 31),
)


def test_second_tuesday_is_found_in_the_calendar() -> None:
    rule = RecurrenceRule(MONTHLY_BY_WEEKDAY, date(2026, 1, 1), weekday=1, weekday_ordinal=2)
    days = list_series_days(rule, first_day=date(2026, 3, 1), last_day=date(2026, 5, 31)).days
    assert days == (date(2026, 3, 10), date(2026, 4, 14), date(2026, 5, 12))
    assert format_rule(rule) == "the second Tuesday of the month"


def test_missing_fifth_monday_is_skipped_and_reported() -> None:
    days = list_series_days(
        RecurrenceRule(MONTHLY_BY_WEEKDAY, date(2026, 1, 1), weekday=0, weekday_ordinal=5),
        **YEAR_RANGE,
    )
    assert [day.month for day in days.days] == [3, 6, 8, 11]
    assert [skipped_day.month for skipped_day in days.skipped_days] == [
        (2026, month) for month in (1, 2, 4, 5, 7, 9, 10, 12)
    ]
    assert {skipped_day.reason for skipped_day in days.skipped_days} == {"no_such"}


def test_holiday_and_exception_are_left_out_with_their_reason() -> None:
    rule = RecurrenceRule(
        WEEKLY, date(2026, 12, 1), weekday=1, excluded_days=frozenset({date(2026, 12, 15)})
    )
    holiday = date(2026, 12, 29)
    days = list_series_days(
        rule, **YEAR_RANGE, holiday_names_by_day={holiday: "Between the years"}
    )
    assert days.days == (date(2026, 12, 1), date(2026, 12, 8), date(2026, 12, 22))
    assert [
        (skipped_day.day, skipped_day.reason, skipped_day.name)
        for skipped_day in days.skipped_days
    ] == [
        (date(2026, 12, 15), "exception", ""),
        (holiday, "holiday", "Between the years"),
    ]


def test_manually_added_day_is_played_on_a_holiday_too() -> None:
    day = date(2026, 12, 26)
    days = list_series_days(
        RecurrenceRule(LISTED_DATES, day, dates=(day,)),
        **YEAR_RANGE,
        holiday_names_by_day={day: "Boxing Day"},
    )
    assert days.days == (day,)


@given(RULE_STRATEGY, DAY_STRATEGY, st.integers(0, 500))
def test_days_agree_with_dateutil(rule: RecurrenceRule, since: date, span: int) -> None:
    last_day = since + timedelta(days=span)
    options: dict[str, object] = {"dtstart": rule.first_day, "until": last_day}
    if rule.recurrence_kind == WEEKLY:
        first_occurrence = rule.first_day + timedelta(
            days=(rule.weekday - rule.first_day.weekday()) % 7
        )
        days = rrule.rrule(
            rrule.WEEKLY, interval=rule.interval_weeks, dtstart=first_occurrence, until=last_day
        )
    elif rule.recurrence_kind == MONTHLY_BY_WEEKDAY:
        weekday = rrule.weekday(rule.weekday)(rule.weekday_ordinal)
        days = rrule.rrule(rrule.MONTHLY, byweekday=weekday, **options)
    else:
        days = rrule.rrule(rrule.MONTHLY, bymonthday=rule.day_of_month, **options)
    expected = tuple(day.date() for day in days if day.date() >= since)
    assert list_series_days(rule, first_day=since, last_day=last_day).days == expected


@given(RULE_STRATEGY)
def test_written_rule_is_parsed_as_the_same_rule(rule: RecurrenceRule) -> None:
    parsed_rule = parse_recurrence(serialize_recurrence(rule))
    assert list_series_days(parsed_rule, **YEAR_RANGE) == list_series_days(rule, **YEAR_RANGE)
    assert serialize_recurrence(parsed_rule) == serialize_recurrence(rule)


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("last", RecurrenceRule(WEEKLY, date(2026, 3, 2), last_day=date(2026, 3, 1))),
        ("every", RecurrenceRule(WEEKLY, date(2026, 3, 2), interval_weeks=0)),
        ("nth", RecurrenceRule(MONTHLY_BY_WEEKDAY, date(2026, 3, 2), weekday_ordinal=6)),
        ("weekday", RecurrenceRule(WEEKLY, date(2026, 3, 2), weekday=7)),
        ("day", RecurrenceRule(MONTHLY_BY_DATE, date(2026, 3, 2), day_of_month=32)),
        ("dates", RecurrenceRule(LISTED_DATES, date(2026, 3, 2))),
        ("kind", RecurrenceRule("yearly", date(2026, 3, 2))),
    ],
)
def test_rule_without_days_names_the_field(field: str, rule: RecurrenceRule) -> None:
    with pytest.raises(InvalidRecurrenceRule) as exc_info:
        check_rule(rule)
    assert exc_info.value.field_name == field
