"""The export of a club's events as an iCalendar file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from exchange.calendars.zones import build_timezone_lines

MAX_LINE_OCTETS = 75
"""The maximum length of a line in octets, without its line break [RFC 5545, section 3.1].

Longer lines are folded.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEvent:
    """One club event for a calendar file.

    If `start_time` is None, the event takes the whole day. `sequence` increases with every
    change of the event's time, place or name.
    """

    uid: str
    sequence: int
    changed_at: datetime
    day: Date
    start_time: time | None
    duration_minutes: int
    title: str
    location: str = ""
    description: str = ""
    url: str = ""
    is_cancelled: bool = False


def build_calendar(name: str, zone: ZoneInfo, events: Sequence[CalendarEvent]) -> bytes:
    """Return club events as an iCalendar file; the same events always give the same bytes."""
    calendar_lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Overplay//Calendar//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escape_text(name)}",
        f"NAME:{_escape_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
    ]
    start_times = [
        datetime.combine(event.day, event.start_time) for event in events if event.start_time
    ]
    if start_times:
        calendar_lines += build_timezone_lines(zone, min(start_times), max(start_times))
    for event in events:
        calendar_lines += _iter_event_lines(event, zone)
    calendar_lines.append("END:VCALENDAR")
    return "".join(
        f"{folded_line}\r\n" for line in calendar_lines for folded_line in fold_line(line)
    ).encode()


def _iter_event_lines(event: CalendarEvent, zone: ZoneInfo) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{event.uid}"
    yield f"DTSTAMP:{_format_utc(event.changed_at)}"
    yield f"LAST-MODIFIED:{_format_utc(event.changed_at)}"
    yield f"SEQUENCE:{event.sequence}"
    if event.start_time is None:
        yield f"DTSTART;VALUE=DATE:{event.day:%Y%m%d}"
        yield f"DTEND;VALUE=DATE:{event.day + timedelta(days=1):%Y%m%d}"
    else:
        event_start = datetime.combine(event.day, event.start_time)
        event_end = event_start + timedelta(minutes=event.duration_minutes)
        yield f"DTSTART;TZID={zone.key}:{event_start:%Y%m%dT%H%M%S}"
        yield f"DTEND;TZID={zone.key}:{event_end:%Y%m%dT%H%M%S}"
    yield f"SUMMARY:{_escape_text(event.title)}"
    if event.location:
        yield f"LOCATION:{_escape_text(event.location)}"
    if event.description:
        yield f"DESCRIPTION:{_escape_text(event.description)}"
    if event.url:
        yield f"URL:{event.url}"
    yield f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}"
    yield "TRANSP:OPAQUE"
    yield "END:VEVENT"


def fold_line(line: str) -> Iterator[str]:
    """Split a long line into folded lines without breaking a character.

    Continuation lines begin with a space.
    """
    folded_line, octet_count = "", 0
    for character in line:
        byte_count = len(character.encode())
        if octet_count + byte_count > MAX_LINE_OCTETS:
            yield folded_line
            folded_line, octet_count = " ", 1
        folded_line, octet_count = folded_line + character, octet_count + byte_count
    yield folded_line


def _escape_text(text: str) -> str:
    """Return a text escaped for iCalendar, without unprintable characters."""
    escaped_text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    text_lines = escaped_text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join(
        "".join(character for character in line if character.isprintable())
        for line in text_lines
    )


def _format_utc(moment: datetime) -> str:
    return f"{moment.astimezone(ZoneInfo('UTC')):%Y%m%dT%H%M%SZ}"
