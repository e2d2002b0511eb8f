"""The periodic sweep: it renews leases, enforces time limits, and finds jobs without a message.

It runs in a thread of each worker's parent process. Celery beat would be one more process that
can fail. Several sweeps at the same time do no harm.
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
from server.jobs.failures import MAX_CRASHES, Trouble
from server.jobs.kinds import Kinds
from server.jobs.outbox import enqueue
from server.models import Job
from server.query_planner import analyze_tables
from server.work_folders import delete_abandoned_folders

log = logging.getLogger(__name__)

SWEEP_INTERVAL_SECONDS = 5.0
POOL_CHECK_INTERVAL_SECONDS = 1.0
"""The time between two checks of the pool's processes, in seconds."""
REPAIR_INTERVAL_SECONDS = 600.0
"""The time between two searches for objects whose job is missing, in seconds.

At the same time SQLite's statistics are updated, and abandoned work folders are deleted.
"""
MAX_MESSAGES_PER_SWEEP = 200
"""The maximum number of messages that one sweep sends to a lane."""
UNRESPONSIVE_AFTER = timedelta(seconds=8)
"""If jobs are due for this long while none is running, the workers do not receive messages."""
LOG_INTERVAL_SECONDS = 60.0
"""The minimum time between two equal log messages, in seconds."""

PoolProcesses = Callable[[], Collection[int]]


class Sweep:
    """The periodic sweep that one worker process runs."""

    def __init__(self, kinds: Kinds, pool: PoolProcesses | None = None) -> None:
        self.kinds = kinds
        self.pool = pool or (lambda: [os.getpid()])
        self.stopped = threading.Event()
        self.repaired_at: float | None = None
        self.logged_at: float | None = None
        self.helper: subprocess.Popen[bytes] | None = None

    def run(self, each_second: Callable[[], object] | None = None) -> None:
        """Sweep regularly, and after the loss of a pool process, until stopped."""
        known: set[int] = set()
        next_at = 0.0
        while not self.stopped.is_set():
            living = set(self.pool())
            if time.monotonic() >= next_at or known - living:
                self.run_once()
                next_at = time.monotonic() + SWEEP_INTERVAL_SECONDS
            known = living
            if each_second is not None:
                each_second()
            self.stopped.wait(POOL_CHECK_INTERVAL_SECONDS)

    def run_once(self) -> None:
        """Sweep once; log an unavailable database at most once a minute."""
        try:
            close_old_connections()
            heartbeats.record_heartbeat(runner.PROGRAM_NAME)
            self._renew_leases(timezone.now())
            if self.repaired_at is None:
                retry_crashed(self.kinds)
            if (
                self.repaired_at is None
                or time.monotonic() - self.repaired_at > REPAIR_INTERVAL_SECONDS
            ):
                enqueue_missing(self.kinds)
                self.repaired_at = time.monotonic()
                analyze_tables()
                delete_abandoned_folders()
            self._wake_workers(timezone.now())
        except DatabaseError as error:
            self._log_throttled("No sweep, the database does not answer: %s", error)
        except Exception:
            log.exception("The sweep has stumbled; it goes on")
        finally:
            with suppress(Exception):
                close_old_connections()

    def keep_renewing_leases(self) -> None:
        """Renew the leases of this process until stopped, and do nothing else."""
        while not self.stopped.wait(SWEEP_INTERVAL_SECONDS):
            try:
                close_old_connections()
                self._renew_leases(timezone.now())
            except DatabaseError as error:
                log.warning("No lease is renewed: %s", type(error).__name__)

    def _log_throttled(self, words: str, error: Exception) -> None:
        now = time.monotonic()
        if self.logged_at is None or now - self.logged_at > LOG_INTERVAL_SECONDS:
            log.warning(words, type(error).__name__)
            self.logged_at = now

    def _renew_leases(self, now: datetime) -> None:
        """Renew the leases of living pool processes, and release those of lost ones.

        A process over the time limit of its job is killed. Celery's own time limits count from
        a message, and one message runs many jobs of different limits.
        """
        living = {str(pid) for pid in self.pool()}
        prefix = f"{runner.PROGRAM_NAME}/"
        ours = Job.objects.filter(state=Job.State.DOING, worker__startswith=prefix)
        for job in ours:
            process = job.worker.removeprefix(prefix).partition("/")[0]
            own = ours.filter(pk=job.pk, worker=job.worker)
            if process not in living:
                own.update(lease_until=None)
            elif int(process) != os.getpid() and self._is_over_time_limit(job, now):
                log.error("Job %s (%s) took too long", job.pk, job.kind)
                own.update(trouble=Trouble.TOO_LONG, lease_until=None)
                with suppress(OSError):  # the pool starts another process
                    os.kill(int(process), signal.SIGKILL)
            else:
                own.update(lease_until=now + runner.LEASE_DURATION)

    def _is_over_time_limit(self, job: Job, now: datetime) -> bool:
        kind = self.kinds.get(job.kind)
        began = job.began_at
        return bool(kind and began and now - began > timedelta(seconds=kind.time_limit))

    def _wake_workers(self, now: datetime) -> None:
        """Send messages for runnable jobs, but no more messages than jobs."""
        runnable = Job.objects.runnable(now).filter(kind__in=self.kinds)
        counted = runnable.order_by().values_list("lane").annotate(Count("pk"))
        jobs = {lane: min(count, MAX_MESSAGES_PER_SWEEP) for lane, count in counted}
        if not jobs:
            return
        queued = broker.read_queue_lengths()
        is_sent = queued is not None and all(
            broker.send_messages(lane, count - queued.get(lane, 0))
            for lane, count in jobs.items()
            if count > queued.get(lane, 0)
        )
        if not is_sent or self._are_workers_unresponsive(now):
            self._start_brokerless_worker()

    def _are_workers_unresponsive(self, now: datetime) -> bool:
        """Return True if jobs have been due for UNRESPONSIVE_AFTER while no worker runs any.

        Jobs that run in page processes do not count: they do not prove that workers get
        messages.
        """
        long_ago = now - UNRESPONSIVE_AFTER
        if not Job.objects.runnable(long_ago).filter(kind__in=self.kinds).exists():
            return False
        recent = Q(state=Job.State.DOING, lease_until__gt=now) | Q(ended_at__gt=long_ago)
        names = Job.objects.filter(recent).values_list("worker", flat=True)
        workers = heartbeats.list_live_workers(runner.PROGRAM_NAME)
        return not any(name.rpartition("/")[0].rpartition("/")[0] in workers for name in names)

    def _start_brokerless_worker(self) -> None:
        """Start a process that runs the due jobs without the broker."""
        if broker.is_in_memory() or (self.helper is not None and self.helper.poll() is None):
            return
        log.warning("The queue is away or silent: jobs are done without it.")
        command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "jobs", "--work"]
        self.helper = subprocess.Popen(command, stdin=subprocess.DEVNULL)


def retry_crashed(kinds: Kinds) -> int:
    """Retry jobs that failed permanently because of crashes; return how many.

    Called when the program starts, because repeated power cuts look like a job that crashes the
    program. A job that crashes again after this waits until someone retries it.
    """
    failed = Job.objects.filter_failed().filter(
        kind__in=kinds, trouble=Trouble.DIED, deaths=MAX_CRASHES
    )
    return failed.update(
        state=Job.State.WANTED,
        done_no=F("wanted_no") - 1,
        tries=0,
        trouble="",
        not_before=timezone.now(),
    )


def enqueue_missing(kinds: Kinds) -> int:
    """Enqueue jobs that objects need but that no row requests; return how many.

    A failed job waits until someone retries it, or for the `retry_failed_after` of its kind.
    """
    count = 0
    for kind in kinds.values():
        rows = Job.objects.filter(kind=kind.code)
        known = set(rows.filter_unfinished().values_list("about", flat=True))
        failed = rows.filter_failed()
        if kind.retry_failed_after is not None:
            failed = failed.exclude(ended_at__lt=timezone.now() - kind.retry_failed_after)
        known |= set(failed.values_list("about", flat=True))
        for about in kind.find_missing():
            if about not in known:
                enqueue(kind, about)
                count += 1
    return count
