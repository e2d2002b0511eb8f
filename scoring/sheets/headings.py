"""The headings of a session's sheets."""

from collections.abc import Sequence

from printing.values import Heading
from tournaments.entry_words import get_entry_texts
from tournaments.models import Session


def build_heading(
    session: Session, section_letter: str = "", section_count: int = 1
) -> Heading:
    """Return the club, the event and the day, and the section if there are several."""
    event = session.event
    return Heading(
        club_name=event.club.name,
        event_name=event.name,
        date=session.day,
        session_number=session.number,
        session_count=len(event.sessions.all()),
        section_letter=section_letter if section_count > 1 else "",
        entry_kind=get_entry_texts(event).singular,
    )


def find_current_session(sessions: Sequence[Session]) -> Session:
    """Return the last of these sessions that was opened, else the first one."""
    begun_sessions = [session for session in sessions if session.state != Session.State.PLANNED]
    return begun_sessions[-1] if begun_sessions else sessions[0]
