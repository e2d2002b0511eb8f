"""What a worker does for standings and records of play, and how it finds what a crash left."""

import time
from typing import Any

from celery import shared_task
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from boards import solver
from scoring.models import PlayRecord, Ranking
from scoring.reckoning import replaying, standings, versions
from tournaments.models import Event

BREATH = 0.25  # seconds between two computations of the same standings by a worker


@shared_task(bind=True)
def recompute_standings(self: Any, event_id: int) -> None:
    """Bring an event's standings up to date, and keep them once a session is closed."""
    event = Event.objects.get(pk=event_id)
    if not (self.request.called_directly or self.request.is_eager):
        time.sleep(_rest(event))
    with transaction.atomic():  # no page is drawn between the two
        standings.recompute(event)
        versions.keep(event)


def _rest(event: Event) -> float:
    """How long to gather entries before the next computation; the first one waits for none.

    At the end of a round forty tables enter at once, and each new version of the standings is
    drawn and fetched by everybody who follows them.
    """
    row = Ranking.objects.filter(event=event).values_list("computed_at", flat=True).first()
    rest = BREATH - (timezone.now() - row).total_seconds() if row else 0.0
    return rest if 0 < rest <= BREATH else 0.0  # a clock may have been put back


@shared_task
def analyse_play(record_id: int) -> None:
    """Find what best play would have made from each trick of a record of play on."""
    replaying.analyse(PlayRecord.objects.get(pk=record_id))


def stale_events() -> list[int]:
    """List the events whose standings are behind their results."""
    events = Event.objects.annotate(grown=Sum("sessions__revision")).filter(grown__gt=0)
    return list(events.exclude(ranking__revision=F("grown")).values_list("pk", flat=True))


def resume() -> int:
    """Queue again everything that a crash left unfinished, and say how many standings."""
    events = stale_events()
    if solver.is_here():
        for record in PlayRecord.objects.filter(best=[]).values_list("pk", flat=True):
            analyse_play.delay(record)
    for event in events:
        recompute_standings.delay(event)
    return len(events)
