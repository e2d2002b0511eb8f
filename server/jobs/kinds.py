"""The kinds of jobs: each app declares its own in `tasks`, and `config.jobs` collects them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Manager

from server.models import Job
from server.quotas import Quota

Lane = Job.Lane
"""The Celery queue of a job: NOW for urgent jobs, LATER for all others."""


def _ignore_failure(subject_key: int, error: str) -> None:
    pass


def _return_empty_description(subject_key: int) -> str:
    return ""


def _return_zero_delay(subject_key: int) -> float:
    return 0.0


def _return_no_club(subject_key: int) -> int | None:
    return None


def build_column_describer(manager: Manager[Any], column: str = "name") -> Callable[[int], str]:
    """Return a `describe_subject` function that reads a column of the job's object.

    The function returns "" if the object was deleted.
    """
    return lambda subject_key: (
        manager.filter(pk=subject_key).values_list(column, flat=True).first() or ""
    )


def build_club_finder(
    manager: Manager[Any], column: str = "club"
) -> Callable[[int], int | None]:
    """Return a `find_club` function that reads a column of the job's object.

    The function returns None if the object was deleted.
    """
    return lambda subject_key: (
        manager.filter(pk=subject_key).values_list(column, flat=True).first()
    )


@dataclass(frozen=True, slots=True)
class JobKind:
    """One kind of job, similar to a Celery task.

    `subject_key` is the primary key of the object that a job works on. `run` must be idempotent
    and do nothing for a deleted object. It returns True if work remains, and is then called
    again. `find_missing_job_keys` returns the keys of objects that need the job.
    """

    code: str
    title: object
    """The name of the kind on pages, translated lazily."""
    lane: Job.Lane
    time_limit: int
    """The maximum duration in seconds, after which the worker process is killed."""
    run: Callable[[int], bool | None]
    find_missing_job_keys: Callable[[], Iterable[int]]
    on_failure: Callable[[int, str], None] = _ignore_failure
    """Called with the object's key and the reason when a job has failed permanently."""
    compute_debounce_seconds: Callable[[int], float] = _return_zero_delay
    """Returns the delay in seconds, below 1, during which further requests are merged."""
    compute_delay_seconds: Callable[[int], float] = _return_zero_delay
    """Returns the seconds until the job is due."""
    describe_subject: Callable[[int], str] = _return_empty_description
    """Returns the object's name, which pages show."""
    find_club: Callable[[int], int | None] = _return_no_club
    """Returns the key of the object's club. The club's owners see the job, and `quota`
    is a quota of that club.
    """
    retry_failed_after: timedelta | None = None
    """The time after which the sweep enqueues a permanently failed job again; None for never.
    """
    quota: Quota | None = None
    """The daily quota of a club to which the job's duration is added."""


JobKindsByCode = Mapping[str, JobKind]


def index_job_kinds(*job_kinds: JobKind) -> JobKindsByCode:
    """Return these kinds of jobs by their code."""
    return {job_kind.code: job_kind for job_kind in job_kinds}
