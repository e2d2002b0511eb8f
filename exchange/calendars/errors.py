"""Errors of the calendar files."""

from boards.whist import WhistError


class UnusableCalendar(WhistError, ValueError):
    """A file that isn't a calendar, or one with an event that can't be read."""

    code = "unusable_calendar"
