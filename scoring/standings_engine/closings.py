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

    It is read from the history, because a reopened session has no closing time. A session that
    was imported closed has no history, so its own closing time is used.
    """
    closing_times = {session.number: session for session in event.sessions.all()}
    closings = {
        session.pk: session.closed_at for session in closing_times.values() if session.closed_at
    }
    acts = audit.list_acts(event).filter(action="session.closed").order_by("-pk")
    for number, closed_at in acts.values_list("where__session", "at"):
        if number in closing_times:
            closings[closing_times[number].pk] = closed_at  # the oldest comes last
    return closings


def is_correction(
    closings: Mapping[int, datetime], session: int, changed_at: datetime | None
) -> bool:
    """Return whether a change in a session was made after that session's first closing."""
    closed = closings.get(session)
    return closed is not None and changed_at is not None and changed_at > closed
