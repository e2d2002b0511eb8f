"""Visits: load the event of a page, and check that the user has access."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date as Date

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.access import DIRECTOR_ROLES, SCORER_ROLES
from clubs.activities.visits import ActivityVisit
from server.errors import PageNotFound
from tournaments import addresses
from tournaments.models import Event, Session
from tournaments.models.events import EventQuerySet


@dataclass(frozen=True)
class Visit(ActivityVisit[Event]):
    """A page's visit to an event: the current session and the visitor's role."""

    number: int = 1  # of the current session
    event: Event = field(init=False)

    refusal = gettext_lazy(
        "This event belongs to another club, or you don't have permission to change it."
    )

    @classmethod
    def to(cls, session: Session) -> "Visit":
        """Return the visit of a page that finds its session itself, e.g. by a table's link."""
        return cls(session.event, number=session.number)

    @property
    def address(self) -> str:
        """The address of the event and the current session, for the URLs of its pages."""
        return addresses.format_address(self.event.slug, self.number)

    @property
    def session(self) -> Session:
        """The current session, from those fetched with the event."""
        return next(each for each in self.event.sessions.all() if each.number == self.number)

    @property
    def day(self) -> Date:
        """The day of the current session."""
        return self.session.day

    @property
    def state(self) -> str:
        """The state of the current session; `event.state` is that of the event."""
        return str(self.session.state)

    def at(self, number: int | None) -> "Visit":
        """Return this visit with another session as the current one; None keeps the session.

        Raises PageNotFound for a session that the event does not have.
        """
        if number is None or number == self.number:
            return self
        if number not in _session_numbers(self.event):
            raise PageNotFound(_("This event has no session %(number)s.") % {"number": number})
        return replace(self, number=number)


def load_public_event(address: str, *, along: Sequence[str] = ()) -> Visit:
    """Fetch the event of an address for any visitor, and show times in its club's zone.

    `along` are related rows, one for each event, that a higher app wants fetched with it.
    """
    slug, number = addresses.parse_address(address)
    event = Event.objects.filter(slug=slug).select_related("club", *along).first()
    if event is None:
        raise Http404
    prefetch_related_objects([event], EventQuerySet.sessions())
    visit = Visit(event).at(number)
    timezone.activate(visit.event.club.zone)
    return visit


def find_origin_event(address: str) -> Visit | None:
    """Return the event whose page the visitor came from; None if there is none."""
    if not re.fullmatch(addresses.EventAddressConverter.regex, address):
        return None
    slug, number = addresses.parse_address(address)
    event = Event.objects.with_sessions().filter(slug=slug).first()
    if event is None or number not in _session_numbers(event):
        return None
    return Visit(event, number=number)


def load_director_event(request: HttpRequest, slug: str, *, along: Sequence[str] = ()) -> Visit:
    """Fetch an event for a director of its club; refuse others."""
    return load_public_event(slug, along=along).with_role(request, DIRECTOR_ROLES)


def load_scorer_event(request: HttpRequest, slug: str, *, along: Sequence[str] = ()) -> Visit:
    """Fetch an event for those who may enter its scores; refuse others."""
    return load_public_event(slug, along=along).with_role(request, SCORER_ROLES)


def load_session(visit: Visit) -> Session:
    """Fetch the current session again, with its board set and evening."""
    of_event = Session.objects.filter(event=visit.event, number=visit.number)
    session = of_event.select_related("board_set", "evening").first()
    if session is None:
        raise Http404
    session.event = visit.event
    return session


def _session_numbers(event: Event) -> set[int]:
    return {session.number for session in event.sessions.all()}
