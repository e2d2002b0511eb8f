"""The standings follow every change."""

from scoring import tasks
from server.jobs.outbox import enqueue
from tournaments.models import Event


def recompute_later(event: Event) -> None:
    """Have the standings brought up to date once the change is safe."""
    enqueue(tasks.STANDINGS, event.pk)
