"""The models of clubs: roles, people, the calendar, bookings, archives and the audit log."""

from clubs.evenings.models import DirectorCall, Evening, RoundClock, TableLink
from clubs.models.acts import Act
from clubs.models.archives import ClubArchive
from clubs.models.bookings import Attendance, BookedPerson, Booking, BookingLink
from clubs.models.calendar import Fixture, Plan, Series
from clubs.models.check_ins import CheckIn
from clubs.models.clubs import Club, Logo, Membership
from clubs.models.people import Consent, PersonLink, Player, TwoPeople
