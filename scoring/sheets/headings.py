"""The headings of a session's sheets."""

from collections.abc import Sequence

from printing.values import Heading
from tournaments.entry_words import entry_words_for
from tournaments.models import Session


def build_heading(session: Session, section: str = "", sections: int = 1) -> Heading:
    """Return the club, the event and the day, and the section if there are several."""
    event = session.event
    return Heading(
        club=event.club.name,
        event=event.name,
        date=session.day,
        session=session.number,
        sessions=len(event.sessions.all()),
        section=section if sections > 1 else "",
        one=entry_words_for(event).one,
    )


def find_current_session(sessions: Sequence[Session]) -> Session:
    """Return the last of these sessions that was opened; the standings count up to it."""
    begun_sessions = [session for session in sessions if session.state != Session.State.PLANNED]
    return begun_sessions[-1] if begun_sessions else sessions[0]
