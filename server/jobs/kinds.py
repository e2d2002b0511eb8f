"""The kinds of jobs: rooms declare them in their `tasks`, `config.jobs` collects them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Manager

from server.models import Job
from server.quotas import Quota

Lane = Job.Lane
"""A lane is a Celery queue: NOW for urgent jobs, LATER for the others."""


def _ignore(about: int, error: str) -> None:
    pass


def _no_name(about: int) -> str:
    return ""


def _at_once(about: int) -> float:
    return 0.0


def _no_club(about: int) -> int | None:
    return None


def name_of(rows: Manager[Any], column: str = "name") -> Callable[[int], str]:
    """Return a `describe` that reads a column of the job's row; "" for a deleted row."""
    return lambda about: rows.filter(pk=about).values_list(column, flat=True).first() or ""


def owner_of(rows: Manager[Any], column: str = "club") -> Callable[[int], int | None]:
    """Return a `club_of` that reads a column of the job's row; None for a deleted row."""
    return lambda about: rows.filter(pk=about).values_list(column, flat=True).first()


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of job, as a Celery task would be declared; `about` is the key of its object.

    `run` must be idempotent and do nothing for a deleted object. It returns True after a part
    of the work, to be called again for the rest. `find_missing` returns the keys of objects
    that need the job, read from the objects themselves.
    """

    code: str
    title: object
    """Its name for people, lazily translated."""
    lane: Job.Lane
    time_limit: int
    """Seconds; the worker process is killed after that."""
    run: Callable[[int], bool | None]
    find_missing: Callable[[], Iterable[int]]
    on_failure: Callable[[int, str], None] = _ignore
    """Called with the reason when the job has failed for good."""
    debounce: Callable[[int], float] = _at_once
    """Seconds, less than one, that a worker waits before it runs, to merge further requests."""
    countdown: Callable[[int], float] = _at_once
    """Seconds before the job is due."""
    describe: Callable[[int], str] = _no_name
    """Name the object for people."""
    club_of: Callable[[int], int | None] = _no_club
    """The key of the club that owns the object: its quota counts and its owners see the job."""
    retry_failed_after: timedelta | None = None
    """Time from a permanent failure until the sweep enqueues the job again; None: never."""
    quota: Quota | None = None
    """The daily quota of a club that the seconds of work count against."""


Kinds = Mapping[str, Kind]


def kinds_by_code(*kinds: Kind) -> Kinds:
    """Index kinds by their code."""
    return {kind.code: kind for kind in kinds}
