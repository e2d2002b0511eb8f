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
class CalendarDay:
    """One club event for a calendar file.

    Without a `start` it takes the whole day. `sequence` increases with every change of the
    event's time, place or name.
    """

    uid: str
    sequence: int
    changed_at: datetime
    day: Date
    start: time | None
    minutes: int
    title: str
    place: str = ""
    text: str = ""
    url: str = ""
    is_cancelled: bool = False


def build_calendar(name: str, zone: ZoneInfo, days: Sequence[CalendarDay]) -> bytes:
    """Return club events as an iCalendar file; the same events always give the same bytes."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Overplay//Calendar//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escape_text(name)}",
        f"NAME:{_escape_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
    ]
    timed = [
        datetime.combine(calendar_day.day, calendar_day.start)
        for calendar_day in days
        if calendar_day.start
    ]
    if timed:
        lines += build_timezone_lines(zone, min(timed), max(timed))
    for calendar_day in days:
        lines += _iter_event_lines(calendar_day, zone)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in fold_line(line)).encode()


def _iter_event_lines(day: CalendarDay, zone: ZoneInfo) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{day.uid}"
    yield f"DTSTAMP:{_format_utc(day.changed_at)}"
    yield f"LAST-MODIFIED:{_format_utc(day.changed_at)}"
    yield f"SEQUENCE:{day.sequence}"
    if day.start is None:
        yield f"DTSTART;VALUE=DATE:{day.day:%Y%m%d}"
        yield f"DTEND;VALUE=DATE:{day.day + timedelta(days=1):%Y%m%d}"
    else:
        begins = datetime.combine(day.day, day.start)
        ends = begins + timedelta(minutes=day.minutes)
        yield f"DTSTART;TZID={zone.key}:{begins:%Y%m%dT%H%M%S}"
        yield f"DTEND;TZID={zone.key}:{ends:%Y%m%dT%H%M%S}"
    yield f"SUMMARY:{_escape_text(day.title)}"
    if day.place:
        yield f"LOCATION:{_escape_text(day.place)}"
    if day.text:
        yield f"DESCRIPTION:{_escape_text(day.text)}"
    if day.url:
        yield f"URL:{day.url}"
    yield f"STATUS:{'CANCELLED' if day.is_cancelled else 'CONFIRMED'}"
    yield "TRANSP:OPAQUE"
    yield "END:VEVENT"


def fold_line(line: str) -> Iterator[str]:
    """Split a long line into folded lines without breaking a character.

    Continuation lines begin with a space.
    """
    part, size = "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > MAX_LINE_OCTETS:
            yield part
            part, size = " ", 1
        part, size = part + letter, size + octets
    yield part


def _escape_text(text: str) -> str:
    """Return a text escaped for iCalendar, without unprintable characters."""
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    lines = escaped.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join(
        "".join(character for character in line if character.isprintable()) for line in lines
    )


def _format_utc(moment: datetime) -> str:
    return f"{moment.astimezone(ZoneInfo('UTC')):%Y%m%dT%H%M%SZ}"
