"""Claim due jobs, run them and record the outcome.

A claim is a lease, which the worker's parent process renews while the job runs. If the worker
is lost, the lease expires and another worker runs the job again.
"""

import logging
import os
import secrets
import socket
import threading
import time
from contextvars import ContextVar
from datetime import datetime, timedelta
from itertools import count
from typing import NamedTuple

from django.db import DatabaseError, close_old_connections, connection, transaction
from django.db.models import Case, F, Value, When
from django.utils import timezone

from server import outages, quotas
from server.jobs.failures import (
    TRANSIENT_FAILURE_CAUSES,
    FailureCause,
    classify_error,
    compute_backoff_seconds,
    is_permanent_failure,
)
from server.jobs.fair_order import order_fairly, record_club_time
from server.jobs.kinds import JobKind, JobKindsByCode
from server.models import Job

log = logging.getLogger(__name__)

LEASE_DURATION = timedelta(seconds=15)
BATCH_TIME_LIMIT_SECONDS = 1.0
"""After this time, in seconds, a worker sends a message for the remaining jobs and stops."""
PROGRAM_INSTANCE_NAME = f"{socket.gethostname()[:40]}/{secrets.token_hex(4)}"
"""The name of this program, shared by its forked processes."""

SHOULD_WAIT_FOR_DATABASE: ContextVar[bool] = ContextVar("waits_for_database", default=False)
"""True in workers, which wait for an unavailable database before they record an outcome."""
SAVE_RETRY_SECONDS = 0.5
"""The delay before the first retry of saving an outcome; each later delay is longer."""
MAX_SAVE_RETRY_FACTOR = 4

JobKey = tuple[str, int]


def build_worker_name() -> str:
    """Return the worker name of the current thread: program, process and thread."""
    return f"{PROGRAM_INSTANCE_NAME}/{os.getpid()}/{threading.get_native_id()}"


def run_due_jobs(
    job_kinds: JobKindsByCode,
    lane: int,
    requested_job: JobKey | None = None,
    *,
    is_eager: bool = False,
) -> bool:
    """Run due jobs of a lane and of more urgent lanes; return whether some may be left.

    With `requested_job`, only that job is run, if it is due. With `is_eager`, exceptions of
    jobs are raised.
    """
    started_at = time.monotonic()
    while (claim := _try_to_claim_job(job_kinds, lane, requested_job)) is not None:
        _run_job(claim, job_kinds[claim.job.kind], is_eager=is_eager)
        if not is_eager and time.monotonic() - started_at > BATCH_TIME_LIMIT_SECONDS:
            return True
    return False


class Claim(NamedTuple):
    """A job claimed by this worker, and whether its previous worker was lost."""

    job: Job
    was_worker_lost: bool


def _try_to_claim_job(
    job_kinds: JobKindsByCode, lane: int, requested_job: JobKey | None
) -> Claim | None:
    """Claim the next job; return None if none is due or the database is unavailable."""
    try:
        _drop_stale_connections()
        return _claim_job(job_kinds, lane, requested_job)
    except DatabaseError as error:
        if connection.in_atomic_block:  # only in tests, where the error must be raised
            raise
        outage = outages.find_outage(error)
        is_database_busy = outage is not None and outage.code == "database_busy"
        # Another program holds SQLite's write lock; this is not a failure.
        log.log(
            logging.INFO if is_database_busy else logging.WARNING,
            "No job can be taken: %s",
            type(error).__name__,
        )
        return None


def _drop_stale_connections() -> None:
    """Close a database connection that is broken or too old; the next query opens one."""
    if not connection.in_atomic_block:
        close_old_connections()


def _claim_job(
    job_kinds: JobKindsByCode, lane: int, requested_job: JobKey | None
) -> Claim | None:
    now = timezone.now()
    due_jobs = Job.objects.filter_runnable(now).filter(kind__in=job_kinds, lane__lte=lane)
    if requested_job is not None:
        due_jobs = due_jobs.filter(kind=requested_job[0], about=requested_job[1])
    # for most messages, the job is already done; this check then avoids a write lock
    if not due_jobs.exists():
        return None
    with transaction.atomic():
        # Two workers may receive messages at the same time.
        locked_jobs = order_fairly(due_jobs.select_for_update(skip_locked=True), now)
        while (job := locked_jobs.first()) is not None and _postpone_if_over_quota(
            job, job_kinds[job.kind], now
        ):
            pass
        if job is None:
            return None
        was_worker_lost = job.state == Job.State.RUNNING
        if was_worker_lost:
            _record_crash(job, now)
        job.state, job.worker, job.tries = Job.State.RUNNING, build_worker_name(), job.tries + 1
        job.began_at, job.lease_until, job.rests_until = now, now + LEASE_DURATION, None
        job.save()
    return Claim(job, was_worker_lost)


def _record_crash(job: Job, now: datetime) -> None:
    """Record that the worker of a job crashed; count the crash if no other job can be its
    cause.
    """
    if not _release_other_crashed_jobs(job, now):
        job.deaths += 1  # the number of crashes
    # With the reason of a temporary failure, the job would never fail permanently.
    if not job.trouble or job.trouble in TRANSIENT_FAILURE_CAUSES:
        job.trouble = FailureCause.CRASHED


def _release_other_crashed_jobs(job: Job, now: datetime) -> bool:
    """Release the other jobs of a crashed program, and return whether there were any.

    Any of the jobs may have caused the crash, so it is counted for none. Each job gets a
    different delay, so that the job that crashes the program will then run without the others.
    """
    if job.lease_until is None:
        return False
    program_instance_name = job.worker.rpartition("/")[0].rpartition("/")[0]
    other_jobs = Job.objects.filter(
        state=Job.State.RUNNING,
        worker__startswith=f"{program_instance_name}/",
        lease_until__lt=now,
    ).exclude(pk=job.pk)
    released_count = 0
    for other_job in other_jobs:
        retry_at = now + timedelta(seconds=compute_backoff_seconds(other_job.tries))
        unchanged_jobs = other_jobs.filter(pk=other_job.pk, worker=other_job.worker)
        released_count += unchanged_jobs.update(
            state=Job.State.WAITING, lease_until=None, not_before=retry_at
        )
    return released_count > 0


def _postpone_if_over_quota(job: Job, job_kind: JobKind, now: datetime) -> bool:
    """Postpone a job until tomorrow if its club has used up a daily quota.

    Returns whether the job was postponed.
    """
    if job.club is None:
        job.club = job_kind.find_club(job.about)
    if job_kind.quota is None or not quotas.is_quota_reached(job_kind.quota, job.club):
        return False
    job.state, job.rests_until, job.lease_until = (
        Job.State.WAITING,
        quotas.compute_next_day(now),
        None,
    )
    job.save()
    return True


def _run_job(claim: Claim, job_kind: JobKind, *, is_eager: bool) -> None:
    job = claim.job
    if claim.was_worker_lost and is_permanent_failure(
        FailureCause(job.trouble), job.tries, job.deaths
    ):
        _record_failure(job, job_kind, FailureCause(job.trouble))
        return
    try:
        if not is_eager and (debounce_seconds := job_kind.compute_debounce_seconds(job.about)):
            time.sleep(debounce_seconds)
            job.refresh_from_db(fields=["wanted_no"])
        has_more = job_kind.run(job.about)
    except Exception as error:
        _retry_or_fail_job(job, job_kind, error, is_last=is_eager)
        if is_eager:
            raise
        return
    _record_completion(job, job_kind, has_more=bool(has_more))


def _record_completion(job: Job, job_kind: JobKind, *, has_more: bool) -> None:
    """Record that a job, or a part of it, is done; a job requested again remains due."""
    now = timezone.now()
    record_club_time(job, job_kind, job.began_at or now, now)
    new_values: dict[str, object] = {
        "lease_until": None,
        "tries": 0,
        "deaths": 0,
        "trouble": "",
    }
    if has_more:
        new_values |= {"state": Job.State.WAITING, "not_before": now}
    else:
        when_requested_again = When(wanted_no__gt=job.wanted_no, then=Value(Job.State.WAITING))
        new_values |= {
            "state": Case(when_requested_again, default=Value(Job.State.DONE)),
            "done_no": job.wanted_no,
            "ended_at": now,
            "not_before": now,
        }
    _save_outcome(job, new_values)


def _retry_or_fail_job(job: Job, job_kind: JobKind, error: Exception, *, is_last: bool) -> None:
    failure_cause = classify_error(error)
    if failure_cause is FailureCause.PROGRAM_ERROR:
        log.error("Job %s (%s) failed", job.pk, job.kind, exc_info=error)
    else:
        log.warning("Job %s (%s) waits: %s", job.pk, job.kind, type(error).__name__)
    if (
        job.trouble in TRANSIENT_FAILURE_CAUSES
        and failure_cause not in TRANSIENT_FAILURE_CAUSES
    ):
        job.tries = 1  # only this try counts, not those during the outage
    has_failed = is_last or is_permanent_failure(failure_cause, job.tries, job.deaths)
    new_values: dict[str, object] = {
        "state": Job.State.WAITING,
        "trouble": failure_cause,
        "tries": job.tries,
    }
    if has_failed and not _was_requested_again(job):
        _record_failure(job, job_kind, failure_cause)
        return
    if has_failed:  # the job was requested again, so its tries are counted from 0
        new_values |= {"done_no": job.wanted_no, "tries": 0, "deaths": 0}
    retry_at = timezone.now() + timedelta(seconds=compute_backoff_seconds(job.tries))
    _save_outcome(job, {"lease_until": None, "not_before": retry_at, **new_values})


def _was_requested_again(job: Job) -> bool:
    """Return whether the job was enqueued while it ran; False if the database fails."""
    try:
        return Job.objects.filter(pk=job.pk, wanted_no__gt=job.wanted_no).exists()
    except DatabaseError:
        if connection.in_atomic_block:
            raise
        return False


def _record_failure(job: Job, job_kind: JobKind, failure_cause: Job.FailureCause) -> None:
    """Mark a job as failed permanently, and call `on_failure` of its kind with the reason."""
    log.error("Job %s (%s) is given up: %s", job.pk, job.kind, failure_cause)
    try:
        job_kind.on_failure(job.about, str(failure_cause.label))
    except Exception:
        log.exception("Job %s (%s) could not tell that it failed", job.pk, job.kind)
    _save_outcome(
        job,
        {
            "state": Job.State.FAILED,
            "trouble": failure_cause,
            "lease_until": None,
            "done_no": F("wanted_no"),
            "ended_at": timezone.now(),
        },
    )


def _save_outcome(job: Job, new_values: dict[str, object]) -> None:
    """Record the outcome of a job, unless another worker has claimed it since.

    A worker waits for an unavailable database while its parent process renews the lease. A page
    process does not wait: the lease expires, and the job runs again.
    """
    for attempt_number in count(1):
        try:
            _drop_stale_connections()
            still_claimed_jobs = Job.objects.filter(
                pk=job.pk, worker=job.worker, state=Job.State.RUNNING
            )
            still_claimed_jobs.update(**new_values)
            return
        except DatabaseError as error:
            if connection.in_atomic_block:
                raise
            log.warning("Job %s (%s) is not noted: %s", job.pk, job.kind, type(error).__name__)
        if not SHOULD_WAIT_FOR_DATABASE.get():
            return
        time.sleep(min(attempt_number, MAX_SAVE_RETRY_FACTOR) * SAVE_RETRY_SECONDS)
