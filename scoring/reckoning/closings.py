"""When each session of an event was closed first: what comes later in it is a correction."""

from collections.abc import Mapping
from datetime import datetime

from clubs import audit
from tournaments.models import Event


def first_closings(event: Event) -> dict[int, datetime]:
    """Tell by the sessions' keys when each was closed first; one that never was is left out.

    Read from the history, for a session that is open again has no time of closing; one that
    came closed, with no history of its own, has only that time.
    """
    found = {each.number: each for each in event.sessions.all()}
    closings = {each.pk: each.closed_at for each in found.values() if each.closed_at}
    acts = audit.history(event).filter(action="session.closed").order_by("-pk")
    for number, at in acts.values_list("where__session", "at"):
        if number in found:
            closings[found[number].pk] = at  # the oldest comes last
    return closings


def is_correction(closings: Mapping[int, datetime], session: int, at: datetime | None) -> bool:
    """Whether something was done in a session after its own closing, not after another's."""
    closed = closings.get(session)
    return closed is not None and at is not None and at > closed
