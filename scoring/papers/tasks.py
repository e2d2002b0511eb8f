"""The background job for papers, and the query that finds unfinished papers."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import orders
from scoring.models import Paper
from scoring.papers import get_paper_kind_title, paper_files
from server.jobs.kinds import JobKind, Lane


def draw_ordered_paper(paper_id: int) -> None:
    """Draw a paper that was ordered."""
    for paper in Paper.objects.filter(pk=paper_id):
        paper_files.make_ordered_paper(paper)


def list_unfinished_papers() -> list[int]:
    """List the papers that were waiting or being made when the server stopped."""
    return list(orders.list_unfinished_pks(Paper))


def _record_failure(paper_id: int, error: str) -> None:
    message = _("Printing failed (%(error)s). Try again.")
    for paper in Paper.objects.filter(pk=paper_id):
        orders.record_failure(paper, message % {"error": error})


def _find_club_id(paper_id: int) -> int | None:
    club_ids = Paper.objects.filter(pk=paper_id).values_list("session__event__club", flat=True)
    return club_ids.first()


def _get_paper_title(paper_id: int) -> str:
    paper = Paper.objects.filter(pk=paper_id).select_related("session__event").first()
    return f"{get_paper_kind_title(paper.kind)}, {paper.session.event.name}" if paper else ""


PRINT_PAPER_JOB = JobKind(
    "paper",
    title=gettext_lazy("preparing a paper"),
    lane=Lane.LATER,
    time_limit=300,
    run=draw_ordered_paper,
    find_missing_job_keys=list_unfinished_papers,
    on_failure=_record_failure,
    describe_subject=_get_paper_title,
    find_club=_find_club_id,
)
KINDS = (PRINT_PAPER_JOB,)
