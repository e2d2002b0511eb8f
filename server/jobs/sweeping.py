"""The sweep: every few seconds each worker looks in the rows for what was left over.

No process of its own, which could be dead: any living worker sweeps, and several do no harm.
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

from server.jobs import bell, doing, hearts
from server.jobs.kinds import Kinds
from server.jobs.troubles import MOST_DEATHS, Trouble
from server.jobs.wanting import want
from server.models import Job
from server.planning import measure_tables
from server.work_folders import clear_left_behind

log = logging.getLogger(__name__)

EVERY = 5.0
"""Seconds between two sweeps."""
LOOK = 1.0
"""Seconds between two looks at the processes that do the work."""
REPAIR = 600.0
"""Seconds between two comparisons of the rows with the things themselves, which also measure
the tables of an embedded database and take away what dead programs left in the folder."""
AT_MOST = 200
"""Jobs of a lane that one sweep rings for."""
DEAF = timedelta(seconds=8)
"""A job that is free for so long while nobody works was rung for in vain."""
SAID = 60.0
"""Seconds between two lines in the log that say the same."""

Children = Callable[[], Collection[int]]


class Sweep:
    """One program's sweep: its heartbeat, its leases, bells for what waits, and repairs.

    `children` names the living processes that do its jobs; by default it does them itself.
    """

    def __init__(self, kinds: Kinds, children: Children | None = None) -> None:
        self.kinds = kinds
        self.children = children or (lambda: [os.getpid()])
        self.stopped = threading.Event()
        self.repaired_at: float | None = None
        self.said_at: float | None = None
        self.helper: subprocess.Popen[bytes] | None = None

    def run(self, also: Callable[[], object] | None = None) -> None:
        """Sweep until stopped; whatever goes wrong, sweep again. `also` is done each second."""
        known: set[int] = set()
        next_at = 0.0
        while not self.stopped.is_set():
            living = set(self.children())
            if time.monotonic() >= next_at or known - living:
                self.once()
                next_at = time.monotonic() + EVERY
            known = living
            if also is not None:
                also()
            self.stopped.wait(LOOK)

    def once(self) -> None:
        """Sweep once; a database that is away is said once a minute."""
        try:
            close_old_connections()
            hearts.beat(doing.PARENT)
            self._keep_leases(timezone.now())
            if self.repaired_at is None:
                retry_died(self.kinds)
            if self.repaired_at is None or time.monotonic() - self.repaired_at > REPAIR:
                repair(self.kinds)
                self.repaired_at = time.monotonic()
                measure_tables()
                clear_left_behind()
            self._ring(timezone.now())
        except DatabaseError as error:
            self._say("No sweep, the database does not answer: %s", type(error).__name__)
        except Exception:
            log.exception("The sweep has stumbled; it goes on")
        finally:
            with suppress(Exception):
                close_old_connections()

    def keep_leases(self) -> None:
        """Only renew the leases of this process, until stopped."""
        while not self.stopped.wait(EVERY):
            try:
                close_old_connections()
                self._keep_leases(timezone.now())
            except DatabaseError as error:
                log.warning("No lease is renewed: %s", type(error).__name__)

    def _say(self, words: str, what: str) -> None:
        if self.said_at is None or time.monotonic() - self.said_at > SAID:
            log.warning(words, what)
            self.said_at = time.monotonic()

    def _keep_leases(self, now: datetime) -> None:
        """Renew the leases of our living processes; those of the dead are free at once."""
        living = {str(pid) for pid in self.children()}
        ours = Job.objects.filter(state=Job.State.DOING, worker__startswith=f"{doing.PARENT}/")
        for job in ours:
            process = job.worker.removeprefix(f"{doing.PARENT}/").partition("/")[0]
            own = ours.filter(pk=job.pk, worker=job.worker)
            if process not in living:
                own.update(lease_until=None)
            elif int(process) != os.getpid() and self._is_too_long(job, now):
                log.error("Job %s (%s) took too long", job.pk, job.kind)
                own.update(trouble=Trouble.TOO_LONG, lease_until=None)
                with suppress(OSError):  # the worker starts another process
                    os.kill(int(process), signal.SIGKILL)
            else:
                own.update(lease_until=now + doing.LEASE)

    def _is_too_long(self, job: Job, now: datetime) -> bool:
        kind = self.kinds.get(job.kind)
        began = job.began_at
        return bool(kind and began and now - began > timedelta(seconds=kind.limit))

    def _ring(self, now: datetime) -> None:
        """Ring for what is free, but never more often than there are jobs."""
        free = Job.objects.free(now).filter(kind__in=self.kinds)
        counted = free.order_by().values_list("lane").annotate(Count("pk"))
        jobs = {lane: min(count, AT_MOST) for lane, count in counted}
        if not jobs:
            return
        waiting = bell.waiting()
        heard = waiting is not None and all(
            bell.rung(lane, count - waiting.get(lane, 0))
            for lane, count in jobs.items()
            if count > waiting.get(lane, 0)
        )
        if not heard or self._is_deaf(now):
            self._help()

    def _is_deaf(self, now: datetime) -> bool:
        """Whether jobs have been free for long while no worker does any.

        What pages do themselves is no sign of a worker that hears.
        """
        if not Job.objects.free(now - DEAF).filter(kind__in=self.kinds).exists():
            return False
        at_work = Q(state=Job.State.DOING, lease_until__gt=now) | Q(ended_at__gt=now - DEAF)
        doers = Job.objects.filter(at_work).values_list("worker", flat=True)
        workers = hearts.names(doing.PARENT)
        return not any(doer.rpartition("/")[0].rpartition("/")[0] in workers for doer in doers)

    def _help(self) -> None:
        """Have what is due done without the queue, by a process of its own."""
        if bell.lives_here() or (self.helper is not None and self.helper.poll() is None):
            return
        log.warning("The queue is away or silent: jobs are done without it.")
        command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "jobs", "--work"]
        self.helper = subprocess.Popen(command, stdin=subprocess.DEVNULL)


def retry_died(kinds: Kinds) -> int:
    """Retry jobs that failed because their program crashed; return how many.

    Called at a start: several power cuts look like a job that ends programs. A job that dies
    again after this has more deaths than the limit and waits until someone tries it again.
    """
    given_up = Job.objects.given_up().filter(
        kind__in=kinds, trouble=Trouble.DIED, deaths=MOST_DEATHS
    )
    return given_up.update(
        state=Job.State.WANTED,
        done_no=F("wanted_no") - 1,
        tries=0,
        trouble="",
        not_before=timezone.now(),
    )


def repair(kinds: Kinds) -> int:
    """Want what is lacking and what no row wants; say how much that was.

    The things themselves are the judge. What has failed waits for somebody to ask again, or for
    as long as its kind says.
    """
    count = 0
    for kind in kinds.values():
        rows = Job.objects.filter(kind=kind.code)
        known = set(rows.due().values_list("about", flat=True))
        failed = rows.given_up()
        if kind.anew is not None:
            failed = failed.exclude(ended_at__lt=timezone.now() - kind.anew)
        known |= set(failed.values_list("about", flat=True))
        for about in kind.lacking():
            if about not in known:
                want(kind, about)
                count += 1
    return count
