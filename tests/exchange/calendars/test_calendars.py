"""Two independent libraries read the club's calendar as intended."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import vobject
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from exchange.calendars import CalendarEvent, build_calendar
from exchange.calendars.calendar_file import fold_line

LONDON = ZoneInfo("Europe/London")
CREATED_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
TITLE = "Tuesday, “Zähringer” cup; 1\\2 tables \N{BLACK SPADE SUIT} " * 3


def build_calendar_event(day: date, **changes: Any) -> CalendarEvent:
    default_fields = {
        "uid": f"{day:%Y%m%d}@overplay",
        "sequence": 0,
        "changed_at": CREATED_AT,
        "day": day,
        "start_time": time(19),
        "duration_minutes": 180,
        "title": TITLE.strip(),
        "location": "The Old School, 3 Church Lane",
    }
    return CalendarEvent(**(default_fields | changes))


def build_weekly_calendar(zone: ZoneInfo = LONDON) -> bytes:
    evenings = [
        build_calendar_event(date(2026, 3, 3) + timedelta(days=7 * n)) for n in range(60)
    ]
    evenings[2] = build_calendar_event(evenings[2].day, sequence=3, is_cancelled=True)
    return build_calendar("Riverside, Tuesdays", zone, evenings)


def read_with_icalendar(content: bytes) -> list[tuple[str, datetime, str, str, int]]:
    events: Any = Calendar.from_ical(content).walk("VEVENT")
    return [
        (
            str(event["UID"]),
            event["DTSTART"].dt,
            str(event["SUMMARY"]),
            str(event["STATUS"]),
            int(event["SEQUENCE"]),
        )
        for event in events
    ]


def read_with_vobject(content: bytes) -> list[tuple[str, datetime, str, str, int]]:
    events = vobject.readOne(content.decode()).vevent_list
    return [
        (
            event.uid.value,
            event.dtstart.value,
            event.summary.value,
            event.status.value,
            int(event.sequence.value),
        )
        for event in events
    ]


@pytest.mark.parametrize("zone", ["Europe/London", "America/New_York", "Australia/Sydney"])
def test_start_at_seven_stays_at_seven_across_both_clock_changes(zone: str) -> None:
    content = build_weekly_calendar(ZoneInfo(zone))
    icalendar_events, vobject_events = read_with_icalendar(content), read_with_vobject(content)
    assert len(icalendar_events) == len(vobject_events) == 60
    for number, (first, second) in enumerate(
        zip(icalendar_events, vobject_events, strict=True)
    ):
        on = date(2026, 3, 3) + timedelta(days=7 * number)
        moment = datetime.combine(on, time(19), ZoneInfo(zone))
        assert first[0] == second[0] == f"{on:%Y%m%d}@overplay"
        assert first[1].hour == second[1].hour == 19
        assert first[1].astimezone(UTC) == second[1].astimezone(UTC) == moment.astimezone(UTC)
        assert first[2] == second[2] == TITLE.strip()
    assert {start.utcoffset() for _uid, start, *_rest in vobject_events} == {
        datetime.combine(date(2026, m, 1), time(19), ZoneInfo(zone)).utcoffset() for m in (1, 7)
    }


def test_cancelled_evening_stays_as_cancelled() -> None:
    for events in (
        read_with_icalendar(build_weekly_calendar()),
        read_with_vobject(build_weekly_calendar()),
    ):
        assert [item[3:] for item in events[1:4]] == [
            ("CONFIRMED", 0),
            ("CANCELLED", 3),
            ("CONFIRMED", 0),
        ]


def test_lines_have_at_most_75_octets_and_end_with_crlf() -> None:
    content = build_weekly_calendar()
    assert content.endswith(b"END:VCALENDAR\r\n")
    assert content.count(b"\n") == content.count(b"\r\n")
    lines = content.split(b"\r\n")
    assert max(map(len, lines)) == 75
    assert all(line.decode() is not None for line in lines)  # no character is split


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=300))
def test_folded_line_unfolds_to_itself(line: str) -> None:
    parts = list(fold_line(line))
    assert parts[0] + "".join(part[1:] for part in parts[1:]) == line
    assert all(len(part.encode()) <= 75 for part in parts)


def test_evening_without_a_time_is_an_all_day_event() -> None:
    content = build_calendar(
        "Club", LONDON, [build_calendar_event(date(2026, 5, 1), start_time=None)]
    )
    assert (
        read_with_icalendar(content)[0][1]
        == read_with_vobject(content)[0][1]
        == date(2026, 5, 1)
    )
