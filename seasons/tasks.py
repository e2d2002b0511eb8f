"""What a worker does for a club's year: figures, zips asked for, and what is to be sent."""

from django.utils.translation import gettext_lazy

from seasons.mailing.ordering import LETTERS
from seasons.sending.ordering import SEND
from seasons.services.figures import events_behind, keep_figures
from seasons.site.ordering import FILE
from server.jobs.kinds import Kind, Lane
from tournaments.models import Event


def work_figures_out(event_id: int) -> None:
    """Work out what an evening was to each of its entries."""
    for event in Event.objects.filter(pk=event_id):
        keep_figures(event)


def lacking_figures() -> list[int]:
    """List the events whose figures are behind their standings."""
    return list(events_behind().values_list("pk", flat=True))


def name_of_event(event_id: int) -> str:
    """Name an event for people."""
    return Event.objects.filter(pk=event_id).values_list("name", flat=True).first() or ""


def club_of_event(event_id: int) -> int | None:
    """Whose event it is."""
    return Event.objects.filter(pk=event_id).values_list("club", flat=True).first()


FIGURES = Kind(
    "figures",
    title=gettext_lazy("players' figures of an evening to be worked out"),
    lane=Lane.LATER,
    limit=60,
    do=work_figures_out,
    lacking=lacking_figures,
    tell=name_of_event,
    club_of=club_of_event,
)
KINDS = (FIGURES, FILE, LETTERS, SEND)
