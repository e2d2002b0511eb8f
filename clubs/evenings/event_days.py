"""The valid dates of events, drives and rubber nights."""

from datetime import date as Date

from django.utils.translation import gettext as _

FIRST_VALID_DATE, LAST_VALID_DATE = Date(1800, 1, 1), Date(2200, 12, 31)
"""The range of valid dates, which includes the 19th century because of old results."""


def is_valid_event_day(day: Date) -> bool:
    """Return whether an event may have this date."""
    return FIRST_VALID_DATE <= day <= LAST_VALID_DATE


def format_event_day_error() -> str:
    """Return the error message for an invalid event date."""
    return _("Enter a date from %(first)s to %(last)s.") % {
        "first": FIRST_VALID_DATE.year,
        "last": LAST_VALID_DATE.year,
    }
