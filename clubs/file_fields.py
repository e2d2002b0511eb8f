"""Shared parts of the app's JSON file readers: the error class, and common fields."""

from datetime import date as Date
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from boards.whist import WhistError
from clubs.evenings.recurrence import format_far_error, is_too_far
from clubs.names.tidy import clean_name
from server.json_reader.problems import JsonPlace, UnreadableJson
from server.json_reader.values import Reader, date_value, text


class UnusableFile(WhistError, UnreadableJson):
    """A file that is rejected as a whole; `problems` lists each problem with its JSON path."""

    code = "unusable_file"


def read_line(longest: int) -> Reader:
    """Return a reader of one line of text, which is cleaned like a name."""
    return text(longest, clean=clean_name)


def read_slug(longest: int = 60) -> Reader:
    """Return a reader of a slug."""
    description = gettext_noop("a short name: letters, digits and hyphens")
    return text(longest, pattern=r"^[A-Za-z0-9]+([-_]+[A-Za-z0-9]+)*$", description=description)


def read_event_day(value: Any, place: JsonPlace) -> Any:
    """Read a date that is valid for an event."""
    parsed = date_value(value, place)
    return place.report(format_far_error()) if parsed and is_too_far(parsed) else parsed


Day = Annotated[Date, read_event_day]
Slug = Annotated[str, read_slug()]
