"""Recomputation of the standings after every change."""

from scoring import tasks
from server.jobs.outbox import enqueue
from tournaments.models import Event


def recompute_later(event: Event) -> None:
    """Queue the recomputation of the standings for after the commit."""
    enqueue(tasks.STANDINGS, event.pk)
