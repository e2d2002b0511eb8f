"""The evenings that one person has booked, as iCalendar."""

from dataclasses import replace

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.evenings.recurrence import is_far
from clubs.models import Player
from exchange.calendars import calendar_of
from seasons.calendar.sheets.calendar import calendar_day
from seasons.people.sheets.own_year import own_fixtures


def own_calendar_file(player: Player, base: str) -> bytes:
    """Write the evenings; who waits reads so, and the page behind each is the own booking.

    The names of evenings are those of the club's calendar, so that no evening stands twice in
    a calendar that follows both. A far day, as an older version took it, is left out there
    and here: no program reads it.
    """
    club = player.club
    days = []
    for fixture, has_place in own_fixtures(player):
        if is_far(fixture.evening.date):
            continue
        day = calendar_day(fixture, base)
        words = _("You have a place.") if has_place else _("You are on the waiting list.")
        address = f"{base}{reverse('me_booking', args=[fixture.uid])}"
        days.append(replace(day, text=words, url=address))
    name = _("%(club)s: my evenings") % {"club": club.name}
    return calendar_of(name, club.zone, days)
