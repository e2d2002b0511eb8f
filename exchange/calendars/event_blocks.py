"""Splits a calendar file into events, keeping only the lines about dates and names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from exchange.calendars.errors import UnusableCalendar

TIME_PROPERTIES = {
    "DTSTART",
    "DTEND",
    "DURATION",
    "RRULE",
    "EXRULE",
    "RDATE",
    "EXDATE",
    "RECURRENCE-ID",
}
READ_PROPERTIES = TIME_PROPERTIES | {"STATUS", "SUMMARY", "UID"}
PROPERTY_NAME = re.compile(r"[A-Za-z0-9-]+")
START, END = "BEGIN:VEVENT", "END:VEVENT"


@dataclass(slots=True)
class EventBlock:
    """The lines of one event, and the line number of each property in the file."""

    line: int
    lines: list[str] = field(default_factory=list)
    line_of: dict[str, int] = field(default_factory=dict)

    def add(self, number: int, line: str) -> None:
        """Add a line if its property is about the event's dates or name."""
        name = PROPERTY_NAME.match(line.strip().upper())
        if name and name[0] in READ_PROPERTIES:
            self.lines.append(line)
            self.line_of.setdefault(name[0], number)

    @property
    def text(self) -> str:
        """The event as iCalendar text that the icalendar library can parse."""
        return "\r\n".join([START, *self.lines, END, ""])


def split_events(text: str) -> list[EventBlock]:
    """Split the text of a calendar file into its events.

    Raises UnusableCalendar if the text is not a calendar.
    """
    lines = [(number, line, line.strip().upper()) for number, line in _unfold_lines(text)]
    if not any(upper == "BEGIN:VCALENDAR" for _number, _line, upper in lines):
        message = _("This is not a calendar file. Choose one whose name ends in .ics.")
        raise UnusableCalendar(message)
    blocks: list[EventBlock] = []
    is_open, depth = False, 0
    for number, line, upper in lines:
        if upper == START:
            _require_end(blocks, is_open)
            blocks.append(EventBlock(number))
            is_open, depth = True, 0
        elif upper == END:
            is_open = False
        elif upper.startswith(("BEGIN:", "END:")):
            # nested component, such as an alarm
            depth += 1 if upper.startswith("BEGIN:") else -1
        elif is_open and depth == 0:
            blocks[-1].add(number, line)
    _require_end(blocks, is_open)
    return blocks


def _require_end(blocks: list[EventBlock], is_open: bool) -> None:
    if is_open:
        message = _("Line %(line)s: this event has no end. Export the file again.")
        raise UnusableCalendar(message % {"line": blocks[-1].line})


def _unfold_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line with its line number, after joining folded lines."""
    first, parts = 1, [""]
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if line[:1] in {" ", "\t"}:
            parts.append(line[1:])
            continue
        yield first, "".join(parts)
        first, parts = number, [line]
    yield first, "".join(parts)
