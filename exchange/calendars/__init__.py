"""Calendar files: export of a club's events as iCalendar, and import of holidays."""

from exchange.calendars.calendar_file import CalendarEvent, build_calendar
from exchange.calendars.errors import UnusableCalendar
from exchange.calendars.holidays import HolidaySpan, group_holiday_spans, read_holidays
