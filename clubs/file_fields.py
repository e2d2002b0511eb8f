"""The error class and the field types that all readers of JSON files share."""

from datetime import date as Date
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from boards.whist import WhistError
from clubs.evenings.recurrence import format_date_range_error, is_outside_supported_dates
from clubs.names.tidy import clean_name
from server.json_reader.problems import JsonPath, UnreadableJson
from server.json_reader.values import Reader, build_text_reader, read_date


class UnusableFile(WhistError, UnreadableJson):
    """A file that is rejected as a whole; `problems` lists each problem with its JSON path."""

    code = "unusable_file"


def build_line_reader(max_length: int) -> Reader:
    """Return a reader of one line of text, which it cleans with `clean_name`."""
    return build_text_reader(max_length, clean_text=clean_name)


def build_slug_reader(max_length: int = 60) -> Reader:
    """Return a reader of a JSON string that must be a slug."""
    description = gettext_noop("a short name: letters, digits and hyphens")
    return build_text_reader(
        max_length, pattern=r"^[A-Za-z0-9]+([-_]+[A-Za-z0-9]+)*$", description=description
    )


def read_event_day(json_value: Any, json_path: JsonPath) -> Any:
    """Read a date within the range that clubs and calendar files support."""
    day = read_date(json_value, json_path)
    return (
        json_path.report(format_date_range_error())
        if day and is_outside_supported_dates(day)
        else day
    )


Day = Annotated[Date, read_event_day]
Slug = Annotated[str, build_slug_reader()]
