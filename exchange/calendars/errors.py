"""Errors of the calendar files."""

from boards.whist import WhistError


class UnusableCalendar(WhistError, ValueError):
    """A file that is not a calendar, or one with an unreadable event."""

    code = "unusable_calendar"
