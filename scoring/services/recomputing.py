"""The standings follow every change."""

from collections.abc import Collection
from datetime import date as Date

from django.db import transaction

import tournaments.services
from clubs.audit import Actor
from scoring import tasks
from tournaments.models import Event


@transaction.atomic
def edit_event(
    *,
    event: Event,
    name: str,
    date: Date,
    method: str,
    standings_shown: str,
    paper_size: str,
    sessions: Collection[int] | None = None,
    by: Actor,
) -> Event:
    """Change an event, and have its standings computed by the scoring that it now has."""
    event = tournaments.services.edit_event(
        event=event,
        name=name,
        date=date,
        method=method,
        standings_shown=standings_shown,
        paper_size=paper_size,
        sessions=sessions,
        by=by,
    )
    recompute_later(event)
    return event


def recompute_later(event: Event) -> None:
    """Queue the standings; a broker that is away must not spoil the entry that asked."""
    event_id = event.pk
    transaction.on_commit(lambda: tasks.recompute_standings.delay(event_id), robust=True)
