"""What a worker does for a club's year: figures, zips asked for, and what is to be sent."""

from django.utils.translation import gettext_lazy

from clubs.models import Club
from seasons.mailing.ordering import LETTERS
from seasons.models import GradeBook
from seasons.sending.ordering import SEND
from seasons.services.figures import events_behind, keep_figures
from seasons.services.grades import is_behind, work_grades_out
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


def work_clubs_grades_out(club_id: int) -> None:
    """Work the grades of a club out, if it keeps any."""
    for club in Club.objects.filter(pk=club_id):
        work_grades_out(club)


def clubs_behind() -> list[int]:
    """List the clubs whose grades are not those of their standings."""
    books = GradeBook.objects.filter(is_on=True).select_related("club")
    return [book.club_id for book in books if is_behind(book)]


def name_of_club(club_id: int) -> str:
    """Name a club for people."""
    return Club.objects.filter(pk=club_id).values_list("name", flat=True).first() or ""


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
GRADES = Kind(
    "grades",
    title=gettext_lazy("grades of a club to be worked out"),
    lane=Lane.LATER,
    limit=120,
    do=work_clubs_grades_out,
    lacking=clubs_behind,
    tell=name_of_club,
    club_of=lambda club_id: club_id,
)
KINDS = (FIGURES, GRADES, FILE, LETTERS, SEND)
