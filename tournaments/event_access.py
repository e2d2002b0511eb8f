"""The event and session of a page, loaded after a check of the user's role."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date as Date

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.activities.activity_access import ActivityAccess
from clubs.permissions import DIRECTOR_ROLES, SCORER_ROLES
from server.errors import PageNotFound
from tournaments import addresses
from tournaments.models import Event, Session
from tournaments.models.events import EventQuerySet


@dataclass(frozen=True)
class EventAccess(ActivityAccess[Event]):
    """An event loaded for a page, with the current session and the user's role."""

    session_number: int = 1  # the number of the current session
    event: Event = field(init=False)

    refusal = gettext_lazy(
        "This event belongs to another club, or you don’t have permission to change it."
    )

    @classmethod
    def for_session(cls, session: Session) -> "EventAccess":
        """Return the access object of a page that loads a session first (by a table's link)."""
        return cls(session.event, session_number=session.number)

    @property
    def address(self) -> str:
        """The address of the event and the current session, for the URLs of its pages."""
        return addresses.format_event_address(self.event.slug, self.session_number)

    @property
    def session(self) -> Session:
        """The current session, from those fetched with the event."""
        return next(
            session
            for session in self.event.sessions.all()
            if session.number == self.session_number
        )

    @property
    def day(self) -> Date:
        """The day of the current session."""
        return self.session.day

    @property
    def state(self) -> str:
        """The state of the current session; `event.state` is that of the event."""
        return str(self.session.state)

    def with_session(self, session_number: int | None) -> "EventAccess":
        """Return a copy with another current session; None keeps the session.

        Raises PageNotFound for a session that the event does not have.
        """
        if session_number is None or session_number == self.session_number:
            return self
        if session_number not in _list_session_numbers(self.event):
            raise PageNotFound(
                _("This event has no session %(number)s.") % {"number": session_number}
            )
        return replace(self, session_number=session_number)


def load_public_event(address: str, *, prefetches: Sequence[str] = ()) -> EventAccess:
    """Fetch the event of an address for any visitor, and show times in its club's zone.

    `prefetches` are relations that the caller needs, with one row for each event.
    """
    slug, session_number = addresses.parse_event_address(address)
    event = Event.objects.filter(slug=slug).select_related("club", *prefetches).first()
    if event is None:
        raise Http404
    prefetch_related_objects([event], EventQuerySet.build_sessions_prefetch())
    access = EventAccess(event).with_session(session_number)
    timezone.activate(access.event.club.zone)
    return access


def find_event_access_by_address(address: str) -> EventAccess | None:
    """Return the access to the event whose page the visitor came from, or None."""
    if not re.fullmatch(addresses.EventAddressConverter.regex, address):
        return None
    slug, session_number = addresses.parse_event_address(address)
    event = Event.objects.with_sessions().filter(slug=slug).first()
    if event is None or session_number not in _list_session_numbers(event):
        return None
    return EventAccess(event, session_number=session_number)


def load_director_event(
    request: HttpRequest, slug: str, *, prefetches: Sequence[str] = ()
) -> EventAccess:
    """Load an event for a director of its club; raise PermissionDenied for others."""
    return load_public_event(slug, prefetches=prefetches).require_role(request, DIRECTOR_ROLES)


def load_scorer_event(
    request: HttpRequest, slug: str, *, prefetches: Sequence[str] = ()
) -> EventAccess:
    """Load an event for a user who may enter its scores; raise PermissionDenied for others."""
    return load_public_event(slug, prefetches=prefetches).require_role(request, SCORER_ROLES)


def load_session(access: EventAccess) -> Session:
    """Fetch the current session again, with its board set and evening."""
    sessions = Session.objects.filter(event=access.event, number=access.session_number)
    session = sessions.select_related("board_set", "evening").first()
    if session is None:
        raise Http404
    session.event = access.event
    return session


def _list_session_numbers(event: Event) -> set[int]:
    return {session.number for session in event.sessions.all()}
