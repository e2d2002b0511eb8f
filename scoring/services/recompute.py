"""Recomputation of the standings after each change."""

from scoring import tasks
from server.jobs.outbox import enqueue
from tournaments.models import Event


def enqueue_recomputation(event: Event) -> None:
    """Enqueue the job that recomputes the standings; it runs after the transaction commits."""
    enqueue(tasks.STANDINGS_JOB, event.pk)
