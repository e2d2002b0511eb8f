"""A club's calendar: evenings, bookings, attendance, table money, calendar files."""
