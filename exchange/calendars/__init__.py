"""Calendars as other programs read them: written as iCalendar, and holidays read from one.

Source: RFC 5545.
"""

from exchange.calendars.holidays import UnusableCalendar, read_holidays
from exchange.calendars.writing import CalendarDay, calendar_of

__all__ = ["CalendarDay", "UnusableCalendar", "calendar_of", "read_holidays"]
