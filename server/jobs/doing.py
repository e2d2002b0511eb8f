"""A job is taken, done and put away; whoever dies at it leaves it to the next.

Who takes a job holds it by a lease, which the worker's parent renews while the work goes on.
A lease that nobody renews lapses, and the job is free again.
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

from server import away, quotas
from server.jobs.kinds import Kind, Kinds
from server.jobs.troubles import PASSING, Trouble, is_over, pause, trouble_of
from server.jobs.turns import add_work, in_turn
from server.models import Job

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=15)
AT_ONCE = 1.0
"""Seconds of work for one bell; what is left then is rung for again."""
PARENT = f"{socket.gethostname()[:40]}/{secrets.token_hex(4)}"
"""Names a program; the processes that it forks have it too."""

PATIENT: ContextVar[bool] = ContextVar("patient", default=False)
"""Whether who does the job waits for a database that is away when it wants to note the end."""
HALF_A_SECOND = 0.5
MOST_PATIENT = 4
"""Halves of a second between two tries to note the end of a job."""

Only = tuple[str, int]


def own_name() -> str:
    """Name the one thread that does a job: the program, the process, the thread."""
    return f"{PARENT}/{os.getpid()}/{threading.get_native_id()}"


def work(kinds: Kinds, lane: int, only: Only | None = None, *, in_tests: bool = False) -> bool:
    """Do the jobs of a lane and of those before it, and say whether some may be left.

    With `only` that one job, if it is due. Never raises what a job raises, but in tests.
    """
    began = time.monotonic()
    while (claim := _try_claim(kinds, lane, only)) is not None:
        _do(claim, kinds[claim.job.kind], in_tests=in_tests)
        if not in_tests and time.monotonic() - began > AT_ONCE:
            return True
    return False


class Claim(NamedTuple):
    """A job that this worker has taken, and whether the worker that had it before has died."""

    job: Job
    is_orphan: bool


def _try_claim(kinds: Kinds, lane: int, only: Only | None) -> Claim | None:
    """Take the job whose turn it is; None where there is none, or no database."""
    try:
        _let_go()
        return _claim(kinds, lane, only)
    except DatabaseError as error:
        if connection.in_atomic_block:  # only a test's own: it has to hear of it
            raise
        outage = away.outage_of(error)
        is_busy = outage is not None and outage.code == "database_busy"
        # Another program writes for some seconds: the jobs wait for it, which is no fault.
        log.log(
            logging.INFO if is_busy else logging.WARNING,
            "No job can be taken: %s",
            type(error).__name__,
        )
        return None


def _let_go() -> None:
    """Give up a line to the database that is broken or too old; the next question opens one."""
    if not connection.in_atomic_block:
        close_old_connections()


def _claim(kinds: Kinds, lane: int, only: Only | None) -> Claim | None:
    now = timezone.now()
    rows = Job.objects.free(now).filter(kind__in=kinds, lane__lte=lane)
    if only is not None:
        rows = rows.filter(kind=only[0], about=only[1])
    if not rows.exists():  # most bells are for work that is done: no turn at writing for them
        return None
    with transaction.atomic():
        # Two workers that heard the same bell race here.
        locked = in_turn(rows.select_for_update(skip_locked=True), now)
        while (job := locked.first()) is not None and _rests(job, kinds[job.kind], now):
            pass
        if job is None:
            return None
        is_orphan = job.state == Job.State.DOING
        if is_orphan:
            _count_death(job, now)
        job.state, job.worker, job.tries = Job.State.DOING, own_name(), job.tries + 1
        job.began_at, job.lease_until, job.rests_until = now, now + LEASE, None
        job.save()
    return Claim(job, is_orphan)


def _count_death(job: Job, now: datetime) -> None:
    """Note on a job that its worker died; count it where no other job can be the cause."""
    if not _release_others_of_its_program(job, now):
        job.deaths += 1
    if not job.trouble or job.trouble in PASSING:  # an earlier outage is no excuse
        job.trouble = Trouble.DIED


def _release_others_of_its_program(job: Job, now: datetime) -> bool:
    """Free the other jobs that a dead program was doing, and report whether there were any.

    Which of them ended the program is not known, so no job's deaths are counted up. Each waits
    a different time, so that the one that ends programs is soon the only one. Where the program
    lives and one of its processes has died, the job of that process was the only one in it.
    """
    if job.lease_until is None:
        return False
    program = job.worker.rpartition("/")[0].rpartition("/")[0]
    others = Job.objects.filter(
        state=Job.State.DOING, worker__startswith=f"{program}/", lease_until__lt=now
    ).exclude(pk=job.pk)
    count = 0
    for other in others:
        again = now + timedelta(seconds=pause(other.tries))
        own = others.filter(pk=other.pk, worker=other.worker)
        count += own.update(state=Job.State.WANTED, lease_until=None, not_before=again)
    return count > 0


def _rests(job: Job, kind: Kind, now: datetime) -> bool:
    """Let a job rest until tomorrow where its club has had all of its day's."""
    if job.club is None:
        job.club = kind.club_of(job.about)
    if kind.quota is None or not quotas.is_reached(kind.quota, job.club):
        return False
    job.state, job.rests_until, job.lease_until = Job.State.WANTED, quotas.tomorrow(now), None
    job.save()
    return True


def _do(claim: Claim, kind: Kind, *, in_tests: bool) -> None:
    job = claim.job
    if claim.is_orphan and is_over(Trouble(job.trouble), job.tries, job.deaths):
        _give_up(job, kind, Trouble(job.trouble))
        return
    try:
        if not in_tests and (rest := kind.rest(job.about)):
            time.sleep(rest)
            job.refresh_from_db(fields=["wanted_no"])
        has_more = kind.do(job.about)
    except Exception as error:
        _note_failure(job, kind, error, is_last=in_tests)
        if in_tests:
            raise
        return
    _put_away(job, kind, has_more=bool(has_more))


def _put_away(job: Job, kind: Kind, *, has_more: bool) -> None:
    """Write down that it is done, or a slice of it; a wish that came meanwhile stays due."""
    now = timezone.now()
    add_work(job, kind, job.began_at or now, now)
    left: dict[str, object] = {"lease_until": None, "tries": 0, "deaths": 0, "trouble": ""}
    if has_more:
        left |= {"state": Job.State.WANTED, "not_before": now}
    else:
        again = When(wanted_no__gt=job.wanted_no, then=Value(Job.State.WANTED))
        left |= {
            "state": Case(again, default=Value(Job.State.DONE)),
            "done_no": job.wanted_no,
            "ended_at": now,
            "not_before": now,
        }
    _write(job, left)


def _note_failure(job: Job, kind: Kind, error: Exception, *, is_last: bool) -> None:
    trouble = trouble_of(error)
    if trouble is Trouble.BROKEN:
        log.error("Job %s (%s) failed", job.pk, job.kind, exc_info=error)
    else:
        log.warning("Job %s (%s) waits: %s", job.pk, job.kind, type(error).__name__)
    if job.trouble in PASSING and trouble not in PASSING:
        job.tries = 1  # those of an outage were no tries of its own
    is_at_its_end = is_last or is_over(trouble, job.tries, job.deaths)
    waits: dict[str, object] = {
        "state": Job.State.WANTED,
        "trouble": trouble,
        "tries": job.tries,
    }
    if is_at_its_end and not _is_wanted_anew(job):
        _give_up(job, kind, trouble)
        return
    if is_at_its_end:  # the wish came too late for this try, and has all of its own
        waits |= {"done_no": job.wanted_no, "tries": 0, "deaths": 0}
    again = timezone.now() + timedelta(seconds=pause(job.tries))
    _write(job, {"lease_until": None, "not_before": again, **waits})


def _is_wanted_anew(job: Job) -> bool:
    """Whether a wish came while it was being done; False where no database tells."""
    try:
        return Job.objects.filter(pk=job.pk, wanted_no__gt=job.wanted_no).exists()
    except DatabaseError:
        if connection.in_atomic_block:
            raise
        return False


def _give_up(job: Job, kind: Kind, trouble: Job.Trouble) -> None:
    """Stop trying by itself: the row says why, and so does the thing."""
    log.error("Job %s (%s) is given up: %s", job.pk, job.kind, trouble)
    try:
        kind.give_up(job.about, str(trouble.label))
    except Exception:
        log.exception("Job %s (%s) could not tell that it failed", job.pk, job.kind)
    _write(
        job,
        {
            "state": Job.State.FAILED,
            "trouble": trouble,
            "lease_until": None,
            "done_no": F("wanted_no"),
            "ended_at": timezone.now(),
        },
    )


def _write(job: Job, values: dict[str, object]) -> None:
    """Write down how a job ended, unless somebody else has it by now.

    Where the database is away a worker waits for it, for its parent keeps the lease for as
    long as it lives. A page does not wait: its lease lapses, and the job is done again.
    """
    for tries in count(1):
        try:
            _let_go()
            own = Job.objects.filter(pk=job.pk, worker=job.worker, state=Job.State.DOING)
            own.update(**values)
            return
        except DatabaseError as error:
            if connection.in_atomic_block:
                raise
            log.warning("Job %s (%s) is not noted: %s", job.pk, job.kind, type(error).__name__)
        if not PATIENT.get():
            return
        time.sleep(min(tries, MOST_PATIENT) * HALF_A_SECOND)
