"""Holidays are read from calendar files with rules, exceptions, time zones and errors."""

import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchange.calendars import (
    HolidaySpan,
    UnusableCalendar,
    group_holiday_spans,
    holidays,
    read_holidays,
    recurrence,
)

FIRST_DAY, LAST_DAY = date(2026, 1, 1), date(2028, 12, 31)


def build_calendar_text(*events: str) -> str:
    bodies = "".join(f"BEGIN:VEVENT\n{event}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//EN\n{bodies}END:VCALENDAR\n"


def read_days(text: str | bytes, zone: str = "Europe/London") -> dict[str, str]:
    content = text if isinstance(text, bytes) else text.encode()
    holidays = read_holidays(
        content, zone=ZoneInfo(zone), first_day=FIRST_DAY, last_day=LAST_DAY
    )
    return {item.isoformat(): name for item, name in holidays.items()}


def build_all_day_event(day: str, *more: str) -> str:
    return "\n".join([f"DTSTART;VALUE=DATE:{day}", *more])


def list_consecutive_days(first_day: date, count: int) -> list[str]:
    return [(first_day + timedelta(days=n)).isoformat() for n in range(count)]


# Cases: the lines of an event, and its days in 2026-2028 counted with a printed calendar.
RULE_CASES = {
    "the fourth Thursday of November": (
        build_all_day_event("20241128", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"),
        ["2026-11-26", "2027-11-25", "2028-11-23"],
    ),
    "until 2025": (build_all_day_event("20200304", "RRULE:FREQ=YEARLY;UNTIL=20250304"), []),
    "until a day that counts": (
        build_all_day_event("20200304", "RRULE:FREQ=YEARLY;UNTIL=20270304"),
        ["2026-03-04", "2027-03-04"],
    ),
    "until midnight in UTC": (
        build_all_day_event("20200304", "RRULE:FREQ=YEARLY;UNTIL=20270304T000000Z"),
        ["2026-03-04", "2027-03-04"],
    ),
    "once": (build_all_day_event("20250610", "RRULE:FREQ=YEARLY;COUNT=1"), []),
    "three times": (
        build_all_day_event("20250610", "RRULE:FREQ=YEARLY;COUNT=3"),
        ["2026-06-10", "2027-06-10"],
    ),
    "every third year": (
        build_all_day_event("20250708", "RRULE:FREQ=YEARLY;INTERVAL=3"),
        ["2028-07-08"],
    ),
    "not in 2027": (
        build_all_day_event("20200901", "RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20270901"),
        ["2026-09-01", "2028-09-01"],
    ),
    "an exception with a time": (
        build_all_day_event(
            "20200901", "RRULE:FREQ=YEARLY", "EXDATE:20270901T000000,20280901T000000Z"
        ),
        ["2026-09-01"],
    ),
    "29 February": (build_all_day_event("20240229", "RRULE:FREQ=YEARLY"), ["2028-02-29"]),
    "two rules": (
        build_all_day_event(
            "20260112",
            "RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=12",
            "RRULE:FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=12",
        ),
        [f"{year}-{month}-12" for year in (2026, 2027, 2028) for month in ("01", "07")],
    ),
    "extra days": (
        build_all_day_event("20260112", "RDATE;VALUE=DATE:20260301,20270302"),
        ["2026-01-12", "2026-03-01", "2027-03-02"],
    ),
    "an extra period": (
        build_all_day_event("20260112", "RDATE;VALUE=PERIOD:20260301T000000/P2D"),
        ["2026-01-12", "2026-03-01", "2026-03-02"],
    ),
    "monthly, the last Monday": (
        build_all_day_event("20260126", "RRULE:FREQ=MONTHLY;BYDAY=-1MO;COUNT=3"),
        ["2026-01-26", "2026-02-23", "2026-03-30"],
    ),
    "weekly": (
        build_all_day_event("20260105", "RRULE:FREQ=WEEKLY;COUNT=3"),
        ["2026-01-05", "2026-01-12", "2026-01-19"],
    ),
    "daily": (
        build_all_day_event("20260105", "RRULE:FREQ=DAILY;COUNT=4"),
        list_consecutive_days(date(2026, 1, 5), 4),
    ),
    "a fortnight by its length": (
        build_all_day_event("20270802", "DURATION:P2W"),
        list_consecutive_days(date(2027, 8, 2), 14),
    ),
    "a summer of 100 days": (
        build_all_day_event("20270601", "DTEND;VALUE=DATE:20270909"),
        list_consecutive_days(date(2027, 6, 1), 100),
    ),
    "a break that began before the span": (
        build_all_day_event("20251220", "DTEND;VALUE=DATE:20260104"),
        list_consecutive_days(date(2026, 1, 1), 3),
    ),
    "a year's end that repeats": (
        build_all_day_event(
            "20241230", "DTEND;VALUE=DATE:20250102", "RRULE:FREQ=YEARLY;COUNT=2"
        ),
        ["2026-01-01"],
    ),
    "cancelled": (build_all_day_event("20260501", "STATUS:CANCELLED"), []),
    "an evening that ends at midnight": (
        "DTSTART:20260501T190000\nDTEND:20260502T000000",
        ["2026-05-01"],
    ),
    "an evening without an end": ("DTSTART:20260501T190000", ["2026-05-01"]),
    "a zone that only the file knows": (
        "DTSTART;TZID=Hall Time:20260501T190000",
        ["2026-05-01"],
    ),
    "a broken line that doesn't matter": (
        build_all_day_event("20260501", "ATTENDEE;CN=“Ann:mailto:ann@example.org"),
        ["2026-05-01"],
    ),
    "an alarm with its own length": (
        build_all_day_event("20260501", "BEGIN:VALARM", "DURATION:P9D", "END:VALARM"),
        ["2026-05-01"],
    ),
}


@pytest.mark.parametrize(("event", "expected"), RULE_CASES.values(), ids=RULE_CASES)
def test_event_gives_the_days_that_its_calendar_shows(event: str, expected: list[str]) -> None:
    assert list(read_days(build_calendar_text(event))) == expected


# Calendar programs store a whole day of the place in UTC: from local midnight to midnight.
@pytest.mark.parametrize(
    ("zone", "start", "end", "expected"),
    [
        ("Europe/London", "20261225T000000Z", "20261226T000000Z", ["2026-12-25"]),
        ("Europe/Paris", "20261224T230000Z", "20261225T230000Z", ["2026-12-25"]),
        ("Pacific/Auckland", "20261224T110000Z", "20261225T110000Z", ["2026-12-25"]),
        ("America/Los_Angeles", "20261225T080000Z", "20261226T080000Z", ["2026-12-25"]),
        ("Pacific/Honolulu", "20261225T100000Z", "20261226T100000Z", ["2026-12-25"]),
        # This event spans the end of summer time, when one day has 25 hours.
        (
            "Europe/Paris",
            "20261023T220000Z",
            "20261026T230000Z",
            list_consecutive_days(date(2026, 10, 24), 3),
        ),
        (
            "Europe/Paris",
            "20260327T230000Z",
            "20260330T220000Z",
            list_consecutive_days(date(2026, 3, 28), 3),
        ),
    ],
)
def test_day_in_utc_is_converted_to_the_clubs_time_zone(
    zone: str, start: str, end: str, expected: list[str]
) -> None:
    assert (
        list(read_days(build_calendar_text(f"DTSTART:{start}\nDTEND:{end}"), zone)) == expected
    )


def test_rule_uses_its_own_time_zone_and_ends_in_utc() -> None:
    event = (
        "DTSTART;TZID=America/New_York:20260301T200000\n"
        "RRULE:FREQ=WEEKLY;UNTIL=20260316T000000Z"  # 20:00 on the 15th, in summer time
    )
    expected = ["2026-03-02", "2026-03-09", "2026-03-16"]  # 1:00, then 0:00 in London
    assert list(read_days(build_calendar_text(event))) == expected


def test_moved_or_cancelled_occurrence_replaces_that_of_the_series() -> None:
    days = read_days(
        build_calendar_text(
            build_all_day_event(
                "20260106", "UID:a", "SUMMARY:Fair", "RRULE:FREQ=WEEKLY;COUNT=4"
            ),
            build_all_day_event(
                "20260114", "UID:a", "SUMMARY:Moved", "RECURRENCE-ID;VALUE=DATE:20260113"
            ),
            build_all_day_event(
                "20260120", "UID:a", "STATUS:CANCELLED", "RECURRENCE-ID;VALUE=DATE:20260120"
            ),
            build_all_day_event("20260301", "UID:b", "SUMMARY:Other"),
        )
    )
    assert days == {
        "2026-01-06": "Fair",
        "2026-01-14": "Moved",
        "2026-01-27": "Fair",
        "2026-03-01": "Other",
    }


def test_all_calendars_of_a_file_are_read() -> None:
    text = build_calendar_text(
        build_all_day_event("20270106", "SUMMARY:A")
    ) + build_calendar_text(build_all_day_event("20270501", "SUMMARY:B"))
    assert read_days(text) == {"2027-01-06": "A", "2027-05-01": "B"}


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_names_keep_their_accents_in_every_encoding(coding: str) -> None:
    text = build_calendar_text(
        build_all_day_event("20260104", "SUMMARY:Dreikönigs\n  fest, Zürich")
    )
    assert read_days(text.encode(coding)) == {"2026-01-04": "Dreikönigs fest, Zürich"}


def test_characters_invalid_in_a_database_are_removed_from_names() -> None:
    text = build_calendar_text(build_all_day_event("20260104", "SUMMARY:A\0 \x07B"))
    assert read_days(text) == {"2026-01-04": "A B"}


# Cases: the lines of the second event (from line 8 of the file), and the error.
MALFORMED_EVENTS = {
    "an unknown frequency": (
        build_all_day_event("20260101", "RRULE:FREQ=ZZ;X=;;"),
        "Line 9: RRULE",
    ),
    "a rule of text": (
        build_all_day_event("20260101", "RRULE;VALUE=TEXT:foo"),
        "Line 9: RRULE",
    ),
    "a rule without a colon": (
        build_all_day_event("20260101", "RRULE=FREQ=YEARLY"),
        "Line 7: this event",
    ),
    "every second": (build_all_day_event("20260101", "RRULE:FREQ=SECONDLY"), "Line 9: RRULE"),
    "no interval": (
        build_all_day_event("20260101", "RRULE:FREQ=YEARLY;INTERVAL=0"),
        "Line 9: RRULE",
    ),
    "no such day": (build_all_day_event("20260231"), "Line 8: DTSTART"),
    "two starts": (
        build_all_day_event("20260201", "DTSTART:20260202T100000"),
        "Line 8: DTSTART",
    ),
    "a start of text": ("DTSTART;VALUE=TEXT:soon", "Line 8: DTSTART"),
    "a time without a day": ("DTSTART;VALUE=TIME:100000", "Line 8: DTSTART"),
    "no start": ("SUMMARY:Fair", "Line 7: this event has no DTSTART"),
    "a broken exception": (build_all_day_event("20260101", "EXDATE:soon"), "Line 9: EXDATE"),
    "a broken extra day": (
        build_all_day_event("20260101", "RDATE;VALUE=TEXT:soon"),
        "Line 9: RDATE",
    ),
    "an end before the start": (
        build_all_day_event("20260105", "DTEND;VALUE=DATE:20260101"),
        "Line 9: DTE",
    ),
    "a negative length": (build_all_day_event("20260105", "DURATION:-P2D"), "Line 9: DURATION"),
    "three years": (
        build_all_day_event("20260105", "DURATION:P1095D"),
        "Line 7: .* over 366 days",
    ),
    "the end of all days": (build_all_day_event("99991231", "DURATION:P2D"), "Line 8: DTSTART"),
    "the first of all days": ("DTSTART:00010101T000000Z", "Line 8: DTSTART"),
    "a long time zone": (f"DTSTART;TZID={'A/' * 5000}A:20260101T100000", "Line 7: this event"),
    "a change of all later days": (
        build_all_day_event(
            "20260105", "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260105"
        ),
        "Line 9: RECURRENCE-ID",
    ),
    "no end": ("DTSTART;VALUE=DATE:20260101\nBEGIN:VEVENT", "Line 7: this event has no end"),
}


@pytest.mark.parametrize(("event", "refusal"), MALFORMED_EVENTS.values(), ids=MALFORMED_EVENTS)
def test_malformed_event_is_refused_with_its_line(event: str, refusal: str) -> None:
    with pytest.raises(UnusableCalendar, match=f"^{refusal}"):
        read_days(
            build_calendar_text(build_all_day_event("20260101"), event), "America/New_York"
        )


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"name;date", b"\xff\xfe" * 40])
def test_file_that_is_not_a_calendar_is_refused(content: bytes) -> None:
    with pytest.raises(UnusableCalendar, match="not a calendar file"):
        read_days(content)


ENDLESS_EVENTS = {
    "many events": ([build_all_day_event("20260101")] * 20_000, "over 1 MB"),
    "always the same day": (
        [build_all_day_event("20260101", "RRULE:FREQ=DAILY", "DURATION:P300D")] * 99,
        "",
    ),
    "never": (
        [build_all_day_event("20260101", "RRULE:FREQ=WEEKLY;BYMONTH=2;BYYEARDAY=366")] * 99,
        "",
    ),
    "a hundred exceptions each": (
        [
            build_all_day_event(
                "19000101", "RRULE:FREQ=DAILY", f"EXDATE:{','.join(['20270101'] * 999)}"
            )
        ]
        * 20,
        "",
    ),
}


def test_file_has_at_most_a_thousand_events() -> None:
    event = build_all_day_event("20260101")
    assert len(read_days(build_calendar_text(*[event] * 1_000))) == 1
    with pytest.raises(UnusableCalendar, match="too many events"):
        read_days(build_calendar_text(*[event] * 1_001))


@pytest.mark.parametrize(
    "line", ["RDATE;VALUE=DATE:20260101" + ",20260101" * 20_000, "SUMMARY:x\n" * 20_000]
)
def test_event_with_too_many_values_is_refused_before_it_is_parsed(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr(holidays, "_read_holiday", None)
    with pytest.raises(UnusableCalendar, match="too many events"):
        read_days(build_calendar_text(build_all_day_event("20260101", line)))


@pytest.mark.parametrize("frequency", ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
@pytest.mark.parametrize(
    ("day", "is_searched"), [("2;BYMONTHDAY=30", False), ("2,3;BYMONTHDAY=-31", True)]
)
def test_day_that_never_comes_is_not_searched(
    monkeypatch: pytest.MonkeyPatch, frequency: str, day: str, is_searched: bool
) -> None:
    searched_rules = []

    def search(rule: str, dtstart: datetime) -> Iterator[datetime]:
        searched_rules.append(rule)
        yield dtstart

    monkeypatch.setattr(recurrence, "rrulestr", search)
    rule = f"RRULE:FREQ={frequency};BYMONTH={day}"
    assert len(read_days(build_calendar_text(build_all_day_event("20260101", rule)))) == 1
    assert bool(searched_rules) is is_searched


@pytest.mark.parametrize(("events", "refusal"), ENDLESS_EVENTS.values(), ids=ENDLESS_EVENTS)
def test_reading_a_file_takes_bounded_time(events: list[str], refusal: str) -> None:
    started_at = time.process_time()
    with pytest.raises(UnusableCalendar, match=refusal or "too many events"):
        read_days(build_calendar_text(*events))
    assert time.process_time() - started_at < 8


LINES = st.sampled_from(
    ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "DTSTART:20260101", "DTEND:20260103T10",
     "DTSTART;TZID=../x:20260101T100000", "RRULE:FREQ=YEARLY;BYDAY=9MO", "RRULE:", "EXDATE:,",
     "RDATE:20260101/P1D", "DURATION:P", "UID:1", "SUMMARY", " x", "RECURRENCE-ID:20260101"]
)  # fmt: skip


@given(st.lists(LINES | st.text(max_size=30), max_size=20))
def test_any_text_gives_days_or_a_calendar_error(lines: list[str]) -> None:
    try:
        days = read_days("\n".join(["BEGIN:VCALENDAR", *lines]).encode("utf-8", "replace"))
    except UnusableCalendar:
        days = {}  # this is the only error that pages handle
    assert all("2026" <= item < "2029" for item in days)


def test_consecutive_days_with_one_name_are_one_span() -> None:
    christmas = {date(2026, 12, 24 + n): "Christmas" for n in range(3)}
    spans = group_holiday_spans(
        christmas | {date(2026, 12, 27): "Sunday", date(2027, 1, 1): ""}
    )
    assert spans == [
        HolidaySpan(date(2026, 12, 24), date(2026, 12, 26), "Christmas"),
        HolidaySpan(date(2026, 12, 27), date(2026, 12, 27), "Sunday"),
        HolidaySpan(date(2027, 1, 1), date(2027, 1, 1), ""),
    ]
