"""The exception for unusable calendar files."""

from boards.whist import WhistError


class UnusableCalendar(WhistError, ValueError):
    """A file is not a calendar, or one of its events cannot be read."""

    code = "unusable_calendar"
