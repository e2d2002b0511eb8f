"""Functions that order papers and make them in a worker, for the papers of all apps."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from django.core.files.base import ContentFile
from django.db import models, transaction
from django.utils import timezone

from boards.whist.errors import WhistError
from printing.models import OrderedPaper

PAPER_LIFETIME = timedelta(days=30)
MAX_DELETED_PAPERS = 20  # the maximum number of old papers deleted with each order

State = OrderedPaper.State
Row = TypeVar("Row", bound=OrderedPaper)


def order_paper(
    existing_papers: "models.QuerySet[Row]", *, by: str, **paper_values: Any
) -> tuple[Row, bool]:
    """Order a paper; `existing_papers` are the existing papers of the same session.

    Returns the ordered paper and whether it is new. A paper that is still waiting is not
    ordered again, and a failed one is deleted. The caller must have locked the session,
    because a double click sends two requests.
    """
    unfinished_paper = existing_papers.filter(
        state__in=[State.WAITING, State.RENDERING], **paper_values
    ).first()
    if unfinished_paper is not None:
        return unfinished_paper, False
    existing_papers.filter(state=State.FAILED, **paper_values).delete()
    _delete_old_papers(existing_papers.model)
    return existing_papers.create(
        ordered_by=by, ordered_at=timezone.now(), **paper_values
    ), True


def render_paper(paper: OrderedPaper, *, file_name: str, draw: Callable[[], bytes]) -> None:
    """Draw an ordered paper and store its file; do nothing for a paper that is ready.

    The text of a WhistError is stored on the paper. Other errors are raised. The caller
    then retries, and calls `record_failure` after the last attempt.
    """
    if paper.state == State.READY:
        return
    _update_paper(paper, state=State.RENDERING, error="")
    try:
        pdf = draw()
    except WhistError as error:
        record_failure(paper, str(error))
        return
    paper.file.save(file_name, ContentFile(pdf), save=False)
    paper.state, paper.error, paper.made_at = State.READY, "", timezone.now()
    paper.bytes = len(pdf)
    paper.save()


def list_unfinished_pks(model: type[OrderedPaper]) -> Iterable[int]:
    """Return the primary keys of papers that are waiting or being made.

    A worker that is restarted continues with these papers.
    """
    unfinished_papers = model._default_manager.filter(
        state__in=[State.WAITING, State.RENDERING]
    )
    return unfinished_papers.order_by("pk").values_list("pk", flat=True)


def record_failure(paper: OrderedPaper, error: str) -> None:
    """Store on a paper why it could not be made, unless it is ready."""
    if paper.state != State.READY:
        _update_paper(paper, state=State.FAILED, error=error[:300])


def _delete_old_papers(model: type[OrderedPaper]) -> None:
    """Delete a few papers that were made long ago; they can be ordered again."""
    finished_papers = model._default_manager.filter(state=State.READY)
    for expired_paper in finished_papers.filter(
        made_at__lt=timezone.now() - PAPER_LIFETIME
    ).order_by("pk")[:MAX_DELETED_PAPERS]:
        transaction.on_commit(
            partial(expired_paper.file.storage.delete, expired_paper.file.name or ""),
            robust=True,
        )
        expired_paper.delete()


def _update_paper(paper: OrderedPaper, **values: Any) -> None:
    type(paper)._default_manager.filter(pk=paper.pk).update(**values)
