"""What a worker does when the bell rings: the jobs whose turn it is."""

from typing import Any

from celery import shared_task

from config.jobs import KINDS
from server.jobs import bell, doing


@shared_task(bind=True, name=bell.TASK)
def hear(self: Any, lane: int, kind: str = "", about: int = 0) -> None:
    """Do the jobs of a lane, or the one that is named; then ring for those that are left."""
    only = (kind, about) if kind else None
    is_test = bool(self.request.is_eager)
    doing.PATIENT.set(not (is_test or self.request.called_directly))
    if doing.work(KINDS, lane, only, in_tests=is_test) and only is None:
        bell.rung(lane)
