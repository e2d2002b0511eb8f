"""The states of events and sessions as text, for lists and pages."""

from dataclasses import dataclass
from datetime import date as Date
from enum import StrEnum

from django.utils.translation import gettext as _

from clubs.today import get_club_date
from tournaments.addresses import format_event_address
from tournaments.models import Event, Session


class ProgressState(StrEnum):
    """The progress of an event or a session: upcoming, in play, or over."""

    UPCOMING = "coming"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event in a list of events."""

    slug: str
    name: str
    date: Date
    state: ProgressState
    state_text: str
    address: str  # the address of the session in play or the next one, else of the last one
    next_step_label: str = ""
    next_url: str = ""
    # the last closed session, if another session of the event is not over; else 0
    last_closed_session_number: int = 0
    club_name: str = ""  # the club's name, in a list with events of several clubs


@dataclass(frozen=True, slots=True)
class SessionLink:
    """One session in the list of an event's sessions."""

    session_number: int
    address: str
    day: Date
    state_text: str
    is_over: bool


def build_session_links(event: Event) -> list[SessionLink]:
    """Return the sessions of an event with their URLs and states."""
    return [
        SessionLink(
            session_number=session.number,
            address=format_event_address(event.slug, session.number),
            day=session.day,
            state_text=format_state(find_state(session)),
            is_over=session.state == Session.State.CLOSED,
        )
        for session in event.sessions.all()
    ]


def build_event_line(event: Event, *, next_text: str = "", next_url: str = "") -> EventLine:
    """Return the line of an event for a list."""
    state = find_state(event)
    sessions = event.sessions.all()
    closed_session_numbers = [
        session.number for session in sessions if session.state == Session.State.CLOSED
    ]
    return EventLine(
        slug=event.slug,
        name=event.name,
        date=_find_current_session_day(event),
        state=state,
        state_text=_format_event_state(event, state),
        address=format_event_address(event.slug, find_current_session(event).number),
        next_step_label=next_text,
        next_url=next_url,
        last_closed_session_number=max(closed_session_numbers, default=0)
        if state != ProgressState.CLOSED
        else 0,
    )


def find_current_session(event: Event) -> Session:
    """Return the session in play, else the next session, else the last one."""
    sessions = list(event.sessions.all())
    for state in (Session.State.OPEN, Session.State.PLANNED):
        for session in sessions:
            if session.state == state:
                return session
    return sessions[-1]


def find_state(event_or_session: Event | Session) -> ProgressState:
    """Return the progress of an event or a session."""
    progress_by_state = {
        Session.State.PLANNED: ProgressState.UPCOMING,
        Session.State.OPEN: ProgressState.OPEN,
        Session.State.CLOSED: ProgressState.CLOSED,
    }
    return progress_by_state[Session.State(event_or_session.state)]


def format_state(state: ProgressState) -> str:
    """Return a state as a text of one or two words."""
    texts_by_state = {
        ProgressState.UPCOMING: _("upcoming"),
        ProgressState.OPEN: _("in play"),
        ProgressState.CLOSED: _("finished"),
    }
    return texts_by_state[state]


def _format_event_state(event: Event, state: ProgressState) -> str:
    """Return an event's state for a list, including the next session of several."""
    sessions = list(event.sessions.all())
    next_session = next(
        (session for session in sessions if session.state == Session.State.PLANNED), None
    )
    if (
        state == ProgressState.UPCOMING
        and next_session is not None
        and next_session != sessions[0]
    ):
        return _("session %(number)s upcoming") % {"number": next_session.number}
    today = get_club_date(event.club)
    if state == ProgressState.UPCOMING and event.date < today:
        return _("not started")
    return format_state(state)


def _find_current_session_day(event: Event) -> Date:
    """Return the day of the first session that is not over, or else of the first session."""
    sessions = list(event.sessions.all())
    unfinished_sessions = (
        session for session in sessions if session.state != Session.State.CLOSED
    )
    return next(unfinished_sessions, sessions[0]).day


def has_session_today(event: Event) -> bool:
    """Return whether an event has a session today, in the time zone of its club."""
    today = get_club_date(event.club)
    return any(session.day == today for session in event.sessions.all())
