"""What a worker does for papers, and how it finds what a crash left."""

from celery import shared_task

from printing.ordering import unfinished
from scoring.models import Paper
from scoring.papers import making


@shared_task
def print_paper(paper_id: int) -> None:
    """Draw a paper that was ordered."""
    making.make(Paper.objects.get(pk=paper_id))


def resume() -> int:
    """Queue again every paper that a crash left unfinished, and say how many there were."""
    papers = list(unfinished(Paper))
    for paper in papers:
        print_paper.delay(paper)
    return len(papers)
