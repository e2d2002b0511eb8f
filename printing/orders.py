"""Orders of papers that a worker makes; shared by the models of all apps."""

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
MAX_DELETED_PAPERS = 20  # the number of old papers deleted with each order

State = OrderedPaper.State
Row = TypeVar("Row", bound=OrderedPaper)


def order_paper(
    rows: "models.QuerySet[Row]", *, by: str, **paper_values: Any
) -> tuple[Row, bool]:
    """Order a paper for one object, whose papers are `rows`.

    Returns its row and whether it is new: a waiting paper is not ordered again, and a failed
    one is deleted. The caller must have locked the object, because a double click sends two
    requests.
    """
    waiting_paper = rows.filter(state__in=[State.WANTED, State.MAKING], **paper_values).first()
    if waiting_paper is not None:
        return waiting_paper, False
    rows.filter(state=State.FAILED, **paper_values).delete()
    _delete_old_papers(rows.model)
    return rows.create(ordered_by=by, ordered_at=timezone.now(), **paper_values), True


def make_paper(paper: OrderedPaper, *, file_name: str, draw: Callable[[], bytes]) -> None:
    """Draw an ordered paper and store its file; do nothing for a paper that is ready.

    The text of a WhistError is stored on the paper. Other errors are raised: the caller
    retries, and calls `record_failure` at the end.
    """
    if paper.state == State.READY:
        return
    _update_paper(paper, state=State.MAKING, error="")
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

    A worker that starts again continues with them.
    """
    rows = model._default_manager.filter(state__in=[State.WANTED, State.MAKING])
    return rows.order_by("pk").values_list("pk", flat=True)


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
