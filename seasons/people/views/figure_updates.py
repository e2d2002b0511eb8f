"""Bring people's figures up to date before a page shows them."""

from collections.abc import Sequence

from seasons.people.services.figures import keep_figures
from seasons.people.tasks import FIGURES
from server.jobs.outbox import enqueue
from tournaments.models import Event

MAX_EVENTS_AT_ONCE = 4


def catch_up(behind: Sequence[int]) -> bool:
    """Compute the figures of a few events now and queue the others.

    Returns whether there were any, so that the page has to be read again.
    """
    for event in Event.objects.filter(pk__in=behind[:MAX_EVENTS_AT_ONCE]):
        keep_figures(event)
    for pk in behind[MAX_EVENTS_AT_ONCE:]:
        enqueue(FIGURES, pk)
    return bool(behind)
