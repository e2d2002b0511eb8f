"""The error for unusable calendar files."""

from boards.whist import WhistError


class UnusableCalendar(WhistError, ValueError):
    """The error if a file is not a calendar, or if one of its events cannot be read."""

    code = "unusable_calendar"
