"""Dates and times for readers, in the order and words of the active language.

Files, the API and the values of form fields use ISO dates instead.
"""

from datetime import date, datetime, time

from django.utils import timezone
from django.utils.dateformat import format as render_pattern
from django.utils.formats import get_format

FALLBACK_LANGUAGE = "en"


def format_date(moment: date | time, format_name: str) -> str:
    """Format a date or time with a format of the active language, e.g. 5 May 2026.

    `format_name` is one of the names in `config/formats/en/formats.py`. An aware datetime is
    converted to the active time zone. Raises KeyError for an unknown name.
    """
    if isinstance(moment, datetime) and timezone.is_aware(moment):
        moment = timezone.localtime(moment)
    return render_pattern(moment, find_format_pattern(format_name))


def find_format_pattern(format_name: str) -> str:
    """Return the active language's pattern for a format, or else the English one."""
    pattern = get_format(format_name)
    if pattern == format_name:  # Django returns unknown names unchanged
        pattern = get_format(format_name, FALLBACK_LANGUAGE)
    if pattern == format_name:
        raise KeyError(format_name)
    return str(pattern)
