"""The background task that computes the statistics of events."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from seasons.people.services import compute_statistics, query_outdated_events
from seasons.publishing.services import cache_tables
from server.jobs.kinds import JobKind, Lane, build_club_finder, build_column_describer
from server.jobs.outbox import enqueue
from tournaments.models import Event

MAX_EVENTS_PER_TASK = 4


def compute_event_statistics(event_id: int) -> None:
    """Compute the statistics of an event's entries, and the cached tables for exports."""
    for event in Event.objects.filter(pk=event_id):
        compute_statistics(event)
        cache_tables(event)


def list_outdated_event_pks() -> list[int]:
    """Return the primary keys of the events with outdated statistics."""
    return list(query_outdated_events().values_list("pk", flat=True))


STATISTICS_JOB = JobKind(
    "figures",
    title=gettext_lazy("player records for an event"),
    lane=Lane.LATER,
    time_limit=60,
    run=compute_event_statistics,
    find_missing_job_keys=list_outdated_event_pks,
    describe_subject=build_column_describer(Event.objects),
    find_club=build_club_finder(Event.objects),
)
KINDS = (STATISTICS_JOB,)


def compute_outdated_statistics(event_pks: Sequence[int]) -> bool:
    """Compute the statistics of the first MAX_EVENTS_PER_TASK events, and queue the others.

    Returns whether any events were given; the caller then loads the page's data again.
    """
    for event in Event.objects.filter(pk__in=event_pks[:MAX_EVENTS_PER_TASK]):
        compute_statistics(event)
    for event_pk in event_pks[MAX_EVENTS_PER_TASK:]:
        enqueue(STATISTICS_JOB, event_pk)
    return bool(event_pks)
