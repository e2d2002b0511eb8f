"""Errors of the calendar files."""

from boards.whist import WhistError


class UnusableCalendar(WhistError, ValueError):
    """Raised if a file is not a calendar, or has an unreadable event."""

    code = "unusable_calendar"
