"""The list of unfinished and failed jobs, for the page *Jobs* and the command `jobs`."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from server import quotas
from server.jobs.kinds import JobKindsByCode
from server.models import Job

MAX_ROWS = 200

ClubPks = Collection[int]


@dataclass(frozen=True, slots=True)
class JobRow:
    """A row of the list: a job that waits, runs or has failed."""

    job_pk: int
    title: str
    """The name of the job's kind."""
    name: str
    """The name of the object that the job works on."""
    state_label: str
    state_began_at: datetime
    try_count: int
    reason: str
    has_failed: bool


def list_jobs(job_kinds: JobKindsByCode, clubs: ClubPks | None = None) -> list[JobRow]:
    """List failed and unfinished jobs of these clubs, or of all; the failed first."""
    job_rows = (Job.objects.filter_unfinished() | Job.objects.filter_failed()).filter(
        kind__in=job_kinds
    )
    jobs = [
        job for job in job_rows.order_by("wanted_at") if belongs_to_clubs(job, job_kinds, clubs)
    ]
    jobs = sorted(jobs[:MAX_ROWS], key=lambda job: job.state != Job.State.FAILED)
    return [_build_row(job, job_kinds) for job in jobs]


def belongs_to_clubs(job: Job, job_kinds: JobKindsByCode, clubs: ClubPks | None) -> bool:
    """Return True if a job's object belongs to one of these clubs, or if `clubs` is None."""
    if clubs is None:
        return True
    club_pk = job_kinds[job.kind].find_club(job.about) if job.club is None else job.club
    return club_pk in clubs


def _describe_failure(job: Job) -> str:
    if job.rests_until is not None and job.rests_until > timezone.now():
        return quotas.explain_analysis_limit()
    return str(job.get_trouble_display()) if job.trouble else ""


def _build_row(job: Job, job_kinds: JobKindsByCode) -> JobRow:
    job_kind = job_kinds[job.kind]
    return JobRow(
        job_pk=job.pk,
        title=str(job_kind.title),
        name=job_kind.describe_subject(job.about),
        state_label=str(job.get_state_display()),
        state_began_at=job.wanted_at,
        try_count=job.tries,
        reason=_describe_failure(job),
        has_failed=job.state == Job.State.FAILED,
    )
