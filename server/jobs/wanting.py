"""A job is wanted: written down with the act that wants it, and rung for once that is safe."""

import time
from datetime import timedelta
from functools import partial

from django.db import connection, transaction
from django.utils import timezone

from server.jobs import bell, hearts
from server.jobs.kinds import Kind, Kinds
from server.jobs.reading import Clubs, is_of
from server.models import Job

SELDOM = 5.0
"""Seconds between two reminders of one job by one program."""
MOST = 1000
REMINDED: dict[tuple[str, int], float] = {}

# One question on both databases; two who want the same at once wait for one another. A job
# that is being done stays so: who does it looks again at its end. `not_before` is also its
# place in the line, which a job that waits for its turn keeps.
WANT = """
INSERT INTO server_job (kind, about, lane, wanted_no, done_no, state, wanted_at, not_before,
                        worker, tries, deaths, trouble, club)
VALUES (%s, %s, %s, 1, 0, 'wanted', %s, %s, '', 0, 0, '', %s)
ON CONFLICT (kind, about) DO UPDATE SET
    wanted_no = server_job.wanted_no + 1,
    club = COALESCE(server_job.club, excluded.club),
    wanted_at = CASE WHEN server_job.wanted_no > server_job.done_no
                     THEN server_job.wanted_at ELSE excluded.wanted_at END,
    not_before = CASE WHEN server_job.wanted_no > server_job.done_no AND server_job.tries = 0
                      THEN server_job.not_before ELSE excluded.not_before END,
    state = CASE WHEN server_job.state = 'doing' THEN 'doing' ELSE 'wanted' END,
    tries = CASE WHEN server_job.state = 'doing' THEN server_job.tries ELSE 0 END,
    deaths = CASE WHEN server_job.state = 'doing' THEN server_job.deaths ELSE 0 END
RETURNING state, wanted_no - done_no
"""


@transaction.atomic(savepoint=False)
def want(kind: Kind, about: int) -> None:
    """Have a job done, soon after the transaction that wants it is committed.

    Wanted while it waits, it is still one job, and rung for once: a bell that was lost is
    made good by the sweep.
    """
    now = timezone.now()
    moments = [
        connection.ops.adapt_datetimefield_value(moment)
        for moment in (now, now + timedelta(seconds=kind.wait(about)))
    ]
    # What waits for its turn goes round among the clubs; the rest is not asked about here.
    club = kind.club_of(about) if kind.lane == Job.Lane.LATER else None
    with connection.cursor() as cursor:
        cursor.execute(WANT, [kind.code, about, kind.lane, *moments, club])
        state, wishes = cursor.fetchone()
    is_new = state == Job.State.WANTED and wishes == 1
    if is_new or bell.is_answered_at_once():
        transaction.on_commit(
            partial(bell.ring, kind.lane, kind.code, about),
            robust=not bell.is_answered_at_once(),
        )


def remind(kind: Kind, about: int) -> None:
    """Ring again for a job that is late, at most once in some seconds.

    A row that says it is done is put right; one that has failed waits for somebody to ask.
    Where no worker has been heard of, the job is done here.
    """
    now = time.monotonic()
    if bell.is_answered_at_once() or now - REMINDED.get((kind.code, about), -SELDOM) < SELDOM:
        return
    if len(REMINDED) > MOST:
        REMINDED.clear()
    REMINDED[kind.code, about] = now
    job = Job.objects.filter(kind=kind.code, about=about).first()
    if job is not None and job.state == Job.State.FAILED:
        return
    if job is None or job.wanted_no <= job.done_no:
        want(kind, about)
        since = timezone.now() - timedelta(seconds=SELDOM)  # longer than that, and unknown
        Job.objects.filter(kind=kind.code, about=about).update(wanted_at=since)
    if hearts.is_missing() or not bell.rung(kind.lane):
        bell.do_here(kind.lane, kind.code, about)


@transaction.atomic
def want_again(kinds: Kinds, pk: int, clubs: Clubs | None = None) -> bool:
    """Have a job of these clubs tried again at once, and say whether there is such a one."""
    job = Job.objects.filter(pk=pk, kind__in=kinds).first()
    if job is None or not is_of(job, kinds, clubs):
        return False
    Job.objects.filter(pk=pk).update(rests_until=None)  # its quota may have been raised
    want(kinds[job.kind], job.about)
    return True
