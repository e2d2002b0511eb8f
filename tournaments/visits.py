"""Fetches what a page is about, for those who may be there; others are refused."""

import re
from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.access import DIRECTORS, SCORERS, signed_in
from clubs.models import Membership
from tournaments.addresses import EventAddress, parted
from tournaments.models import Event, Session


def public_event(address: str, *, along: Sequence[str] = ()) -> Event:
    """Fetch the event of an address for anybody, and show times in its club's zone.

    `along` are rows of one event each that a room above wants fetched with it.
    """
    slug, number = parted(address)
    events = Event.objects.with_sessions().select_related("club", *along)
    event = get_object_or_404(events, slug=slug)
    if number not in {session.number for session in event.sessions.all()}:
        raise Http404(_("This event has no session %(number)s.") % {"number": number})
    event.at_session = number
    timezone.activate(event.club.zone)
    return event


def way_back(address: str) -> Event | None:
    """Find the event from whose pages somebody came to another page; None for none."""
    if not re.fullmatch(EventAddress.regex, address):
        return None
    slug, number = parted(address)
    event = Event.objects.with_sessions().filter(slug=slug).first()
    if event is None or number not in {each.number for each in event.sessions.all()}:
        return None
    event.at_session = number
    return event


def director_event(request: HttpRequest, slug: str, *, along: Sequence[str] = ()) -> Event:
    """Fetch an event for a director of its club; others are refused."""
    return _event_for(request, slug, DIRECTORS, along)


def scorer_event(request: HttpRequest, slug: str, *, along: Sequence[str] = ()) -> Event:
    """Fetch an event for anybody who may enter its scores."""
    return _event_for(request, slug, SCORERS, along)


def session_of(event: Event, number: int | None = None) -> Session:
    """Fetch a session of an event by its number; without one, the session of the address."""
    asked = event.at_session if number is None else number
    sessions = event.sessions.select_related("board_set", "evening")
    found = get_object_or_404(sessions, number=asked)
    event.at_session = found.number
    found.event = event
    return found


def _event_for(
    request: HttpRequest, slug: str, roles: tuple[Membership.Role, ...], along: Sequence[str]
) -> Event:
    event = public_event(slug, along=along)
    found = event.club.memberships.filter(user=signed_in(request), role__in=roles)
    role = found.values_list("role", flat=True).first()
    if role is None:
        raise PermissionDenied(
            _("This event belongs to another club, or your login may not change it.")
        )
    event.is_directed = role in DIRECTORS
    return event
