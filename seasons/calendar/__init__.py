"""The calendar of a club: evenings, bookings, attendance, table money and iCalendar files."""
