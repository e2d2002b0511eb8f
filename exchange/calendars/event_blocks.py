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
PARSED_PROPERTIES = TIME_PROPERTIES | {"STATUS", "SUMMARY", "UID"}
PROPERTY_NAME_PATTERN = re.compile(r"[A-Za-z0-9-]+")
EVENT_START, EVENT_END = "BEGIN:VEVENT", "END:VEVENT"


@dataclass(slots=True)
class EventBlock:
    """The lines of one event, and the line number in the file of each property."""

    line_number: int
    lines: list[str] = field(default_factory=list)
    line_numbers_by_property: dict[str, int] = field(default_factory=dict)
    value_count: int = 0
    """The number of values in the lines; a line of dates may have many."""

    def add(self, line_number: int, line: str) -> None:
        """Add a line if its property is about the event's dates or name."""
        property_name_match = PROPERTY_NAME_PATTERN.match(line.strip().upper())
        if property_name_match and property_name_match[0] in PARSED_PROPERTIES:
            self.lines.append(line)
            is_time = property_name_match[0] in TIME_PROPERTIES
            self.value_count += 1 + (line.count(",") if is_time else 0)
            self.line_numbers_by_property.setdefault(property_name_match[0], line_number)

    @property
    def text(self) -> str:
        """The event as iCalendar text that the icalendar library can parse."""
        return "\r\n".join([EVENT_START, *self.lines, EVENT_END, ""])


def split_events(text: str) -> list[EventBlock]:
    """Split the text of a calendar file into its events.

    Raises UnusableCalendar if the text is not a calendar.
    """
    numbered_lines = [
        (line_number, line, line.strip().upper()) for line_number, line in _unfold_lines(text)
    ]
    if not any(
        upper_line == "BEGIN:VCALENDAR" for _number, _line, upper_line in numbered_lines
    ):
        message = _("This is not a calendar file. Choose one whose name ends in .ics.")
        raise UnusableCalendar(message)
    blocks: list[EventBlock] = []
    is_in_event, depth = False, 0
    for line_number, line, upper_line in numbered_lines:
        if upper_line == EVENT_START:
            _require_event_end(blocks, is_in_event)
            blocks.append(EventBlock(line_number))
            is_in_event, depth = True, 0
        elif upper_line == EVENT_END:
            is_in_event = False
        elif upper_line.startswith(("BEGIN:", "END:")):
            # the line begins or ends a nested component, such as an alarm
            depth += 1 if upper_line.startswith("BEGIN:") else -1
        elif is_in_event and depth == 0:
            blocks[-1].add(line_number, line)
    _require_event_end(blocks, is_in_event)
    return blocks


def _require_event_end(blocks: list[EventBlock], is_in_event: bool) -> None:
    if is_in_event:
        message = _("Line %(line)s: this event has no end time. Export the file again.")
        raise UnusableCalendar(message % {"line": blocks[-1].line_number})


def _unfold_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line, with folded lines joined."""
    first_line_number, line_parts = 1, [""]
    for line_number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if line[:1] in {" ", "\t"}:
            line_parts.append(line[1:])
            continue
        yield first_line_number, "".join(line_parts)
        first_line_number, line_parts = line_number, [line]
    yield first_line_number, "".join(line_parts)
