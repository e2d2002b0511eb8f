"""Calendar files: evenings written as iCalendar, and holidays read from a file.

Source: RFC 5545.
"""

from exchange.calendars.errors import UnusableCalendar
from exchange.calendars.holidays import HolidaySpan, read_holidays, spans_of
from exchange.calendars.writing import CalendarDay, calendar_of
