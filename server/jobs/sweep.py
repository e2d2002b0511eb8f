"""The periodic sweep: renew leases, enforce time limits, and find jobs without a message.

The sweep runs in a thread of each worker's parent process. Several sweeps may run at the same
time.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.db.models import Count, F, Q
from django.utils import timezone

from server.jobs import broker, heartbeats, runner
from server.jobs.failures import MAX_CRASHES, FailureCause
from server.jobs.kinds import JobKindsByCode
from server.jobs.outbox import enqueue
from server.models import Job
from server.query_planner import analyze_tables
from server.work_folders import delete_abandoned_folders

log = logging.getLogger(__name__)

SWEEP_INTERVAL_SECONDS = 5.0
POOL_CHECK_INTERVAL_SECONDS = 1.0
"""The time between two checks of the pool's processes, in seconds."""
REPAIR_INTERVAL_SECONDS = 600.0
"""The seconds between two repairs.

A repair enqueues missing jobs, updates SQLite's statistics and deletes abandoned folders.
"""
MAX_MESSAGES_PER_SWEEP = 200
"""The maximum number of messages that one sweep sends to a lane."""
UNRESPONSIVE_DELAY = timedelta(seconds=8)
"""Workers count as unresponsive if a job has been due for this long and no job was running."""
LOG_INTERVAL_SECONDS = 60.0
"""The minimum time between two equal log messages, in seconds."""

PoolPidLister = Callable[[], Collection[int]]


class Sweep:
    """The sweep of one worker process."""

    def __init__(
        self, job_kinds: JobKindsByCode, list_pool_pids: PoolPidLister | None = None
    ) -> None:
        self.job_kinds = job_kinds
        self.list_pool_pids = list_pool_pids or (lambda: [os.getpid()])
        self.stop_event = threading.Event()
        self.repaired_at: float | None = None
        self.last_logged_at: float | None = None
        self.brokerless_worker: subprocess.Popen[bytes] | None = None

    def run(self, call_each_second: Callable[[], object] | None = None) -> None:
        """Sweep regularly until stopped, and at once after a pool process is lost."""
        known_pids: set[int] = set()
        next_sweep_at = 0.0
        while not self.stop_event.is_set():
            living_pids = set(self.list_pool_pids())
            if time.monotonic() >= next_sweep_at or known_pids - living_pids:
                self.run_once()
                next_sweep_at = time.monotonic() + SWEEP_INTERVAL_SECONDS
            known_pids = living_pids
            if call_each_second is not None:
                call_each_second()
            self.stop_event.wait(POOL_CHECK_INTERVAL_SECONDS)

    def run_once(self) -> None:
        """Sweep once; log an unavailable database at most once a minute."""
        try:
            close_old_connections()
            heartbeats.record_heartbeat(runner.PROGRAM_INSTANCE_NAME)
            self._renew_leases(timezone.now())
            if self.repaired_at is None:
                retry_crashed_jobs(self.job_kinds)
            if (
                self.repaired_at is None
                or time.monotonic() - self.repaired_at > REPAIR_INTERVAL_SECONDS
            ):
                enqueue_missing_jobs(self.job_kinds)
                self.repaired_at = time.monotonic()
                analyze_tables()
                delete_abandoned_folders()
            self._wake_workers(timezone.now())
        except DatabaseError as error:
            self._log_error_throttled("No sweep, the database does not answer: %s", error)
        except Exception:
            log.exception("The sweep has stumbled; it goes on")
        finally:
            with suppress(Exception):
                close_old_connections()

    def keep_renewing_leases(self) -> None:
        """Renew the leases of this process until stopped, and do nothing else."""
        while not self.stop_event.wait(SWEEP_INTERVAL_SECONDS):
            try:
                close_old_connections()
                self._renew_leases(timezone.now())
            except DatabaseError as error:
                log.warning("No lease is renewed: %s", type(error).__name__)

    def _log_error_throttled(self, message: str, error: Exception) -> None:
        now = time.monotonic()
        if self.last_logged_at is None or now - self.last_logged_at > LOG_INTERVAL_SECONDS:
            log.warning(message, type(error).__name__)
            self.last_logged_at = now

    def _renew_leases(self, now: datetime) -> None:
        """Renew the leases of living pool processes, and release those of lost ones.

        A process that exceeds the time limit of its job is killed. Celery's time limits cannot
        be used: they apply to a message, which runs many jobs with different limits.
        """
        living_pids = {str(pid) for pid in self.list_pool_pids()}
        worker_prefix = f"{runner.PROGRAM_INSTANCE_NAME}/"
        own_jobs = Job.objects.filter(state=Job.State.RUNNING, worker__startswith=worker_prefix)
        for job in own_jobs:
            process_id = job.worker.removeprefix(worker_prefix).partition("/")[0]
            job_if_unchanged = own_jobs.filter(pk=job.pk, worker=job.worker)
            if process_id not in living_pids:
                job_if_unchanged.update(lease_until=None)
            elif int(process_id) != os.getpid() and self._is_over_time_limit(job, now):
                log.error("Job %s (%s) took too long", job.pk, job.kind)
                job_if_unchanged.update(trouble=FailureCause.TIMED_OUT, lease_until=None)
                with suppress(OSError):  # it may have ended; the pool starts another process
                    os.kill(int(process_id), signal.SIGKILL)
            else:
                job_if_unchanged.update(lease_until=now + runner.LEASE_DURATION)

    def _is_over_time_limit(self, job: Job, now: datetime) -> bool:
        job_kind = self.job_kinds.get(job.kind)
        began_at = job.began_at
        return bool(
            job_kind and began_at and now - began_at > timedelta(seconds=job_kind.time_limit)
        )

    def _wake_workers(self, now: datetime) -> None:
        """Send messages for runnable jobs, but no more messages than jobs."""
        runnable_jobs = Job.objects.filter_runnable(now).filter(kind__in=self.job_kinds)
        job_counts = runnable_jobs.order_by().values_list("lane").annotate(Count("pk"))
        message_counts_by_lane = {
            lane: min(job_count, MAX_MESSAGES_PER_SWEEP) for lane, job_count in job_counts
        }
        if not message_counts_by_lane:
            return
        queue_lengths_by_lane = broker.read_queue_lengths()
        are_all_messages_sent = queue_lengths_by_lane is not None and all(
            broker.send_messages(lane, message_count - queue_lengths_by_lane.get(lane, 0))
            for lane, message_count in message_counts_by_lane.items()
            if message_count > queue_lengths_by_lane.get(lane, 0)
        )
        if not are_all_messages_sent or self._are_workers_unresponsive(now):
            self._start_brokerless_worker()

    def _are_workers_unresponsive(self, now: datetime) -> bool:
        """Return True if jobs have been due for UNRESPONSIVE_DELAY while no worker runs any.

        Jobs that run in page processes do not count, since they need no message.
        """
        activity_cutoff = now - UNRESPONSIVE_DELAY
        if (
            not Job.objects.filter_runnable(activity_cutoff)
            .filter(kind__in=self.job_kinds)
            .exists()
        ):
            return False
        recent_work_filter = Q(state=Job.State.RUNNING, lease_until__gt=now) | Q(
            ended_at__gt=activity_cutoff
        )
        worker_names = Job.objects.filter(recent_work_filter).values_list("worker", flat=True)
        live_workers = heartbeats.list_live_workers(runner.PROGRAM_INSTANCE_NAME)
        return not any(
            worker_name.rpartition("/")[0].rpartition("/")[0] in live_workers
            for worker_name in worker_names
        )

    def _start_brokerless_worker(self) -> None:
        """Start a process that runs the due jobs without messages."""
        if broker.is_broker_in_memory() or (
            self.brokerless_worker is not None and self.brokerless_worker.poll() is None
        ):
            return
        log.warning("The queue is away or silent: jobs are done without it.")
        command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "jobs", "--work"]
        self.brokerless_worker = subprocess.Popen(command, stdin=subprocess.DEVNULL)


def retry_crashed_jobs(job_kinds: JobKindsByCode) -> int:
    """Retry jobs that failed permanently because of crashes; return how many.

    This is called when the program starts, because repeated power cuts look like a job that
    crashes the program. A job that crashes again waits until someone retries it.
    """
    failed_jobs = Job.objects.filter_failed().filter(
        kind__in=job_kinds, trouble=FailureCause.CRASHED, deaths=MAX_CRASHES
    )
    return failed_jobs.update(
        state=Job.State.WAITING,
        done_no=F("wanted_no") - 1,
        tries=0,
        trouble="",
        not_before=timezone.now(),
    )


def enqueue_missing_jobs(job_kinds: JobKindsByCode) -> int:
    """Enqueue the jobs that objects need but that have no row; return how many.

    A failed job is enqueued after the `retry_failed_after` of its kind, or not at all.
    """
    enqueued_count = 0
    for job_kind in job_kinds.values():
        jobs_of_kind = Job.objects.filter(kind=job_kind.code)
        unfinished_keys = set(jobs_of_kind.filter_unfinished().values_list("about", flat=True))
        failed_jobs = jobs_of_kind.filter_failed()
        if job_kind.retry_failed_after is not None:
            failed_jobs = failed_jobs.exclude(
                ended_at__lt=timezone.now() - job_kind.retry_failed_after
            )
        unfinished_keys |= set(failed_jobs.values_list("about", flat=True))
        for subject_key in job_kind.find_missing_job_keys():
            if subject_key not in unfinished_keys:
                enqueue(job_kind, subject_key)
                enqueued_count += 1
    return enqueued_count
