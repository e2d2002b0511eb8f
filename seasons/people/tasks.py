"""Background tasks for people: compute the statistics of events."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from seasons.people.services import events_behind, keep_figures
from seasons.publishing.services import keep_tables
from server.jobs.kinds import Kind, Lane, name_of, owner_of
from server.jobs.outbox import enqueue
from tournaments.models import Event

MAX_EVENTS_AT_ONCE = 4


def work_figures_out(event_id: int) -> None:
    """Compute the statistics of an event's entries, and its exported tables."""
    for event in Event.objects.filter(pk=event_id):
        keep_figures(event)
        keep_tables(event)


def lacking_figures() -> list[int]:
    """List the events with outdated statistics."""
    return list(events_behind().values_list("pk", flat=True))


FIGURES = Kind(
    "figures",
    title=gettext_lazy("players' figures of an evening to be worked out"),
    lane=Lane.LATER,
    time_limit=60,
    run=work_figures_out,
    find_missing=lacking_figures,
    describe=name_of(Event.objects),
    club_of=owner_of(Event.objects),
)
KINDS = (FIGURES,)


def catch_up(behind: Sequence[int]) -> bool:
    """Compute the statistics of a few events now and queue those of the other events.

    Returns whether there were any outdated statistics; the caller then reads the page again.
    """
    for event in Event.objects.filter(pk__in=behind[:MAX_EVENTS_AT_ONCE]):
        keep_figures(event)
    for pk in behind[MAX_EVENTS_AT_ONCE:]:
        enqueue(FIGURES, pk)
    return bool(behind)
