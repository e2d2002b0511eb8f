"""The Celery task: a message wakes a worker, which runs the due jobs."""

from typing import Any

from celery import shared_task

from config.jobs import KINDS
from server.jobs import broker, runner


@shared_task(bind=True, name=broker.TASK_NAME)
def run_jobs(self: Any, lane: int, kind: str = "", about: int = 0) -> None:
    """Run the due jobs of a lane (queue); if some remain, send a new task for them.

    If `kind` is given, run only the job of this kind for the object with the key `about`.
    """
    requested_job = (kind, about) if kind else None
    is_eager = bool(self.request.is_eager)
    runner.SHOULD_WAIT_FOR_DATABASE.set(not (is_eager or self.request.called_directly))
    if (
        runner.run_due_jobs(KINDS, lane, requested_job, is_eager=is_eager)
        and requested_job is None
    ):
        broker.send_messages(lane)
