"""Background jobs for standings and play records, and the queries that find jobs to enqueue."""

from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy

from boards import solver
from scoring.models import PlayRecord, Ranking, Stage
from scoring.standings_engine import carry_over, play_analysis, standings, versions
from scoring.standings_engine.overall_order import load_placed_entries
from server import quotas
from server.jobs.kinds import JobKind, Lane, build_club_finder, build_column_describer
from server.jobs.outbox import enqueue, expedite_job
from server.models import Job
from tournaments.models import Event

USUAL_UPDATE_TIME = timedelta(seconds=3)
"""The time in which a running worker normally updates the standings."""
MIN_RECOMPUTE_INTERVAL_SECONDS = 0.25  # between two computations of one event


def recompute_standings(event_id: int) -> None:
    """Update an event's standings, and store a version once a session is closed."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        return
    with transaction.atomic():  # pages see both changes or neither
        standings.update_standings(event)
        versions.store_version(event)
        if Stage.objects.filter(event=event, drawn_at__isnull=False).exists():
            score_and_board_count_by_entry = {
                placed_entry.entry_number: (
                    placed_entry.score_above_average,
                    placed_entry.board_count,
                )
                for placed_entry in load_placed_entries(event)
            }
            for final_event_pk in carry_over.update_finals(
                event, score_and_board_count_by_entry
            ):
                enqueue(STANDINGS_JOB, final_event_pk)


def compute_recompute_delay(event_id: int) -> float:
    """Return the delay in seconds before the next computation; 0 for the first one.

    At the end of a round, forty tables may enter scores at once. Without a delay, each score
    would make a new version, which everyone who follows the event would fetch.
    """
    computed_at_values = Ranking.objects.filter(event=event_id).values_list(
        "computed_at", flat=True
    )
    last_computed_at = computed_at_values.first()
    seconds_left = (
        MIN_RECOMPUTE_INTERVAL_SECONDS - (timezone.now() - last_computed_at).total_seconds()
        if last_computed_at
        else 0.0
    )
    # A longer wait means that the clock was set back.
    return seconds_left if 0 < seconds_left <= MIN_RECOMPUTE_INTERVAL_SECONDS else 0.0


def analyse_play(record_id: int) -> None:
    """Compute the result of best play after each trick of a play record."""
    for play_record in PlayRecord.objects.filter(pk=record_id):
        play_analysis.store_best_play(play_record)


def list_stale_events() -> list[int]:
    """List the events whose standings are out of date, or were never made public."""
    events = Event.objects.annotate(grown=Sum("sessions__revision")).filter(grown__gt=0)
    up_to_date_condition = Q(ranking__revision=F("grown"), ranking__public_version__gt=0)
    return list(events.exclude(up_to_date_condition).values_list("pk", flat=True))


def count_late_changes(event_id: int) -> int:
    """Count the changes missing from the standings for too long, and expedite their job.

    Pages call this before they show standings, so that a lost job is enqueued again.
    """
    late_change_count_expression = F("grown") - Coalesce(F("ranking__revision"), 0)
    events = Event.objects.filter(pk=event_id).annotate(grown=Sum("sessions__revision"))
    late_change_count = events.values_list(late_change_count_expression, flat=True).first() or 0
    if late_change_count <= 0:
        return 0
    recent_jobs = Job.objects.filter_unfinished().filter(
        wanted_at__gt=timezone.now() - USUAL_UPDATE_TIME
    )
    if recent_jobs.filter(kind=STANDINGS_JOB.code, about=event_id).exists():
        return 0
    expedite_job(STANDINGS_JOB, event_id)
    return int(late_change_count)


def list_unanalysed_plays() -> list[int]:
    """List the play records without analysis; empty if no solver is installed."""
    if not solver.is_available():
        return []
    return list(PlayRecord.objects.filter(best=[]).values_list("pk", flat=True))


STANDINGS_JOB = JobKind(
    "standings",
    title=gettext_lazy("working out standings"),
    lane=Lane.NOW,
    time_limit=30,
    run=recompute_standings,
    find_missing_job_keys=list_stale_events,
    compute_debounce_seconds=compute_recompute_delay,
    describe_subject=build_column_describer(Event.objects),
    find_club=build_club_finder(Event.objects),
)
PLAY_ANALYSIS_JOB = JobKind(
    "play",
    title=gettext_lazy("checking a record of play"),
    lane=Lane.LATER,
    time_limit=60,
    run=analyse_play,
    quota=quotas.ANALYSIS_QUOTA,
    find_missing_job_keys=list_unanalysed_plays,
    find_club=build_club_finder(PlayRecord.objects),
)
JOB_KINDS = (STANDINGS_JOB, PLAY_ANALYSIS_JOB)
