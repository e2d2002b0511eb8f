"""The background job for papers, and the query that finds missing ones."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import ordering
from scoring.models import Paper
from scoring.papers import making, title_of
from server.jobs.kinds import Kind, Lane


def print_paper(paper_id: int) -> None:
    """Draw a paper that was ordered."""
    for paper in Paper.objects.filter(pk=paper_id):
        making.make(paper)


def unfinished() -> list[int]:
    """List the papers that were waiting or being made when the server stopped."""
    return list(ordering.unfinished(Paper))


def _fail(paper_id: int, error: str) -> None:
    words = _("The paper could not be made (%(error)s). Print it again.")
    for paper in Paper.objects.filter(pk=paper_id):
        ordering.fail(paper, words % {"error": error})


def _club_of(paper_id: int) -> int | None:
    clubs = Paper.objects.filter(pk=paper_id).values_list("session__event__club", flat=True)
    return clubs.first()


def _name(paper_id: int) -> str:
    paper = Paper.objects.filter(pk=paper_id).select_related("session__event").first()
    return f"{title_of(paper.kind)}, {paper.session.event.name}" if paper else ""


PAPER = Kind(
    "paper",
    title=gettext_lazy("a paper to be made"),
    lane=Lane.LATER,
    time_limit=300,
    run=print_paper,
    find_missing=unfinished,
    on_failure=_fail,
    describe=_name,
    club_of=_club_of,
)
KINDS = (PAPER,)
