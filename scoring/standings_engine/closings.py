"""The first closing of each session of an event; later changes in the session are
corrections.
"""

from collections.abc import Mapping
from datetime import datetime

from clubs import audit
from tournaments.models import Event


def load_first_closings(event: Event) -> dict[int, datetime]:
    """Return the time of each session's first closing, by key, without sessions never
    closed.

    The times are read from the history, because a reopened session has no closing time. For a
    closed session that was imported without history, its own closing time is used.
    """
    sessions_by_number = {session.number: session for session in event.sessions.all()}
    closing_time_by_session = {
        session.pk: session.closed_at
        for session in sessions_by_number.values()
        if session.closed_at
    }
    closing_acts = audit.list_acts(event).filter(action="session.closed").order_by("-pk")
    for session_number, closed_at in closing_acts.values_list("where__session", "at"):
        if session_number in sessions_by_number:
            # The oldest closing comes last, and overwrites later ones.
            closing_time_by_session[sessions_by_number[session_number].pk] = closed_at
    return closing_time_by_session


def is_correction(
    closing_time_by_session: Mapping[int, datetime],
    session_id: int,
    changed_at: datetime | None,
) -> bool:
    """Return whether a change in a session was made after that session's first closing."""
    first_closed_at = closing_time_by_session.get(session_id)
    return (
        first_closed_at is not None and changed_at is not None and changed_at > first_closed_at
    )
