"""Background jobs for standings and play records, and the queries that find missing ones."""

from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy

from boards import solver
from scoring.models import PlayRecord, Ranking, Stage
from scoring.reckoning import brought, replaying, standings, versions
from scoring.reckoning.order import placed
from server import quotas
from server.jobs.kinds import Kind, Lane, name_of, owner_of
from server.jobs.outbox import enqueue, expedite_job
from server.models import Job
from tournaments.models import Event

USUAL = timedelta(seconds=3)
"""The time within which a running worker updates the standings."""
BREATH = 0.25  # seconds between two computations of the same standings


def recompute_standings(event_id: int) -> None:
    """Update an event's standings, and store a version once a session is closed."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        return
    with transaction.atomic():  # no page sees only the first of the two
        standings.recompute(event)
        versions.keep(event)
        if Stage.objects.filter(event=event, drawn_at__isnull=False).exists():
            plus = {each.entry: (each.plus, each.boards) for each in placed(event)}
            for final in brought.follow(event, plus):
                enqueue(STANDINGS, final)


def rest(event_id: int) -> float:
    """Return the delay in seconds before the next computation; zero for the first one.

    At the end of a round forty tables enter scores at once, and each new version of the
    standings is rendered and fetched by everyone who follows them.
    """
    times = Ranking.objects.filter(event=event_id).values_list("computed_at", flat=True)
    last = times.first()
    left = BREATH - (timezone.now() - last).total_seconds() if last else 0.0
    return left if 0 < left <= BREATH else 0.0  # the clock may have been set back


def analyse_play(record_id: int) -> None:
    """Compute best play from each trick of a play record on."""
    for record in PlayRecord.objects.filter(pk=record_id):
        replaying.analyse(record)


def stale_events() -> list[int]:
    """List the events whose standings are out of date, or were never made public."""
    events = Event.objects.annotate(grown=Sum("sessions__revision")).filter(grown__gt=0)
    up_to_date = Q(ranking__revision=F("grown"), ranking__public_version__gt=0)
    return list(events.exclude(up_to_date).values_list("pk", flat=True))


def late_changes(event_id: int) -> int:
    """Count the changes missing from the standings for too long, and hurry their job.

    Pages call this before they show standings, so every visitor of an event repairs it.
    """
    left = F("grown") - Coalesce(F("ranking__revision"), 0)
    events = Event.objects.filter(pk=event_id).annotate(grown=Sum("sessions__revision"))
    found = events.values_list(left, flat=True).first() or 0
    if found <= 0:
        return 0
    young = Job.objects.unfinished().filter(wanted_at__gt=timezone.now() - USUAL)
    if young.filter(kind=STANDINGS.code, about=event_id).exists():
        return 0
    expedite_job(STANDINGS, event_id)
    return int(found)


def unanalysed_plays() -> list[int]:
    """List the play records without best play; empty without the solver."""
    if not solver.is_here():
        return []
    return list(PlayRecord.objects.filter(best=[]).values_list("pk", flat=True))


STANDINGS = Kind(
    "standings",
    title=gettext_lazy("standings to be computed"),
    lane=Lane.NOW,
    time_limit=30,
    run=recompute_standings,
    find_missing=stale_events,
    debounce=rest,
    describe=name_of(Event.objects),
    club_of=owner_of(Event.objects),
)
PLAY = Kind(
    "play",
    title=gettext_lazy("a record of play to be looked through"),
    lane=Lane.LATER,
    time_limit=60,
    run=analyse_play,
    quota=quotas.ANALYSIS,
    find_missing=unanalysed_plays,
    club_of=owner_of(PlayRecord.objects),
)
KINDS = (STANDINGS, PLAY)
