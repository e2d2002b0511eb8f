"""Papers that are ordered now and made by a worker: the same for every room's own rows."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from django.core.files.base import ContentFile
from django.db import models, transaction
from django.utils import timezone

from boards.whist.errors import WhistError
from printing.models import OrderedPaper

KEPT = timedelta(days=30)
AT_ONCE = 20  # papers that go when one is ordered

State = OrderedPaper.State
Row = TypeVar("Row", bound=OrderedPaper)


def order(rows: "models.QuerySet[Row]", *, by: str, **wanted: Any) -> tuple[Row, bool]:
    """Write an order down among the rows of one thing, and say whether it is a new one.

    One that is waiting already is not ordered twice, and one that failed goes. The caller has
    locked the thing, for a double click races.
    """
    waiting = rows.filter(state__in=[State.WANTED, State.MAKING], **wanted).first()
    if waiting is not None:
        return waiting, False
    rows.filter(state=State.FAILED, **wanted).delete()
    _forget_old(rows.model)
    return rows.create(ordered_by=by, ordered_at=timezone.now(), **wanted), True


def make(paper: OrderedPaper, *, name: str, draw: Callable[[], bytes]) -> None:
    """Draw an ordered paper and keep its file; made already, it stays as it is.

    What cannot be printed is said on it. Anything else is raised: whoever had it made tries
    again, and calls `fail` in the end.
    """
    if paper.state == State.READY:
        return
    _update(paper, state=State.MAKING, error="")
    try:
        pdf = draw()
    except WhistError as problem:
        fail(paper, str(problem))
        return
    paper.file.save(name, ContentFile(pdf), save=False)
    paper.state, paper.error, paper.made_at = State.READY, "", timezone.now()
    paper.bytes = len(pdf)
    paper.save()


def unfinished(model: type[OrderedPaper]) -> Iterable[int]:
    """The papers that were waiting or being made when the power went."""
    rows = model._default_manager.filter(state__in=[State.WANTED, State.MAKING])
    return rows.order_by("pk").values_list("pk", flat=True)


def fail(paper: OrderedPaper, error: str) -> None:
    """Say on a paper why it could not be made; one that is ready stays so."""
    if paper.state != State.READY:
        _update(paper, state=State.FAILED, error=error[:300])


def _forget_old(model: type[OrderedPaper]) -> None:
    """Take away a few papers that were made long ago: who wants one has it made again."""
    ready = model._default_manager.filter(state=State.READY)
    for old in ready.filter(made_at__lt=timezone.now() - KEPT).order_by("pk")[:AT_ONCE]:
        transaction.on_commit(
            partial(old.file.storage.delete, old.file.name or ""), robust=True
        )
        old.delete()


def _update(paper: OrderedPaper, **values: Any) -> None:
    type(paper)._default_manager.filter(pk=paper.pk).update(**values)
