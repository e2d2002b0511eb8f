"""How far a job is, for the page that started it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from server.jobs.kinds import Kind
from server.models import Job


@dataclass(frozen=True, slots=True)
class JobProgress:
    """Whether a job is not done yet, and why it failed; empty where it did not."""

    is_waiting: bool
    error: str


def follow(kind: Kind | str, about: int | None) -> JobProgress:
    """Read how far the job about one thing is, in one query.

    A job that was never wanted counts as done.
    """
    code = kind if isinstance(kind, str) else kind.code
    job = Job.objects.filter(kind=code, about=about).first() if about is not None else None
    if job is None:
        return JobProgress(is_waiting=False, error="")
    if job.state == Job.State.FAILED:
        why = str(job.get_trouble_display() or _("Overplay made a mistake"))
        return JobProgress(is_waiting=False, error=why)
    return JobProgress(is_waiting=job.wanted_no > job.done_no, error="")
