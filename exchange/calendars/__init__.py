"""Calendar files: evenings written as iCalendar, and holidays read from a file.

Source: RFC 5545.
"""

from exchange.calendars.calendar_file import CalendarDay, build_calendar
from exchange.calendars.errors import UnusableCalendar
from exchange.calendars.holidays import HolidaySpan, group_holiday_spans, read_holidays
