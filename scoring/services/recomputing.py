"""The standings follow every change."""

from django.db import transaction

from scoring import tasks
from tournaments.models import Event


def recompute_later(event: Event) -> None:
    """Queue the standings; a broker that is away must not spoil the entry that asked."""
    event_id = event.pk
    transaction.on_commit(lambda: tasks.recompute_standings.delay(event_id), robust=True)
