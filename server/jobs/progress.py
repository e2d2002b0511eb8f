"""The progress of a job, for the page that started it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from server.jobs.kinds import JobKind
from server.models import Job


@dataclass(frozen=True, slots=True)
class JobProgress:
    """Whether a job waits or runs (`is_waiting`), and the reason of its failure, or ""."""

    is_waiting: bool
    error: str


def read_progress(job_kind: JobKind | str, subject_key: int | None) -> JobProgress:
    """Read the progress of a job with one query.

    A job that was never enqueued counts as done.
    """
    code = job_kind if isinstance(job_kind, str) else job_kind.code
    job = (
        Job.objects.filter(kind=code, about=subject_key).first()
        if subject_key is not None
        else None
    )
    if job is None:
        return JobProgress(is_waiting=False, error="")
    if job.state == Job.State.FAILED:
        reason = str(job.get_trouble_display() or _("an error in Overplay"))
        return JobProgress(is_waiting=False, error=reason)
    return JobProgress(is_waiting=job.wanted_no > job.done_no, error="")
