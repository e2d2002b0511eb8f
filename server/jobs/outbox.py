"""The transactional outbox: a job is stored in the same transaction as its cause."""

import time
from datetime import timedelta
from functools import partial

from django.db import connection, transaction
from django.utils import timezone

from server.jobs import broker, heartbeats
from server.jobs.job_list import ClubPks, belongs_to_clubs
from server.jobs.kinds import JobKind, JobKindsByCode
from server.models import Job

MESSAGE_INTERVAL_SECONDS = 5.0
"""The minimum seconds between two messages that this process sends for one overdue job."""
MAX_REMEMBERED_MESSAGES = 1000
LAST_MESSAGE_TIME_BY_JOB: dict[tuple[str, int], float] = {}
"""The monotonic time of the last message for a job, by its kind and subject key."""

# One statement on both databases, so that concurrent requests for one job wait for each other.
# A running job keeps its state; the runner compares wanted_no at the end of the run. A waiting
# job keeps `not_before`, which is its position in the queue.
ENQUEUE_SQL = """
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
def enqueue(job_kind: JobKind, subject_key: int) -> None:
    """Store a job in the current transaction, and wake a worker after the commit.

    If the job is already waiting, it is not added again and no message is sent. If the first
    message was lost, the sweep sends another one.
    """
    now = timezone.now()
    start_times = [
        connection.ops.adapt_datetimefield_value(start_time)
        for start_time in (
            now,
            now + timedelta(seconds=job_kind.compute_delay_seconds(subject_key)),
        )
    ]
    # Only the lane LATER needs the club; this saves a query for urgent jobs.
    club_pk = job_kind.find_club(subject_key) if job_kind.lane == Job.Lane.LATER else None
    with connection.cursor() as cursor:
        cursor.execute(
            ENQUEUE_SQL, [job_kind.code, subject_key, job_kind.lane, *start_times, club_pk]
        )
        job_state, pending_request_count = cursor.fetchone()
    is_new = job_state == Job.State.WAITING and pending_request_count == 1
    if is_new or broker.is_celery_eager():
        transaction.on_commit(
            partial(broker.wake_worker, job_kind.lane, job_kind.code, subject_key),
            robust=not broker.is_celery_eager(),
        )


def expedite_job(job_kind: JobKind, subject_key: int) -> None:
    """Wake a worker again for an overdue job, at most once every MESSAGE_INTERVAL_SECONDS.

    A job that is marked as done but still needed is enqueued again. A failed one is not
    changed. If no worker is alive, the job runs in this process.
    """
    now = time.monotonic()
    last_message_time = LAST_MESSAGE_TIME_BY_JOB.get(
        (job_kind.code, subject_key), -MESSAGE_INTERVAL_SECONDS
    )
    if broker.is_celery_eager() or now - last_message_time < MESSAGE_INTERVAL_SECONDS:
        return
    if len(LAST_MESSAGE_TIME_BY_JOB) > MAX_REMEMBERED_MESSAGES:
        LAST_MESSAGE_TIME_BY_JOB.clear()
    LAST_MESSAGE_TIME_BY_JOB[job_kind.code, subject_key] = now
    job = Job.objects.filter(kind=job_kind.code, about=subject_key).first()
    if job is not None and job.state == Job.State.FAILED:
        return
    if job is None or job.wanted_no <= job.done_no:
        enqueue(job_kind, subject_key)
        # the caller found this job overdue, so `wanted_at` must not be the present time
        due_at = timezone.now() - timedelta(seconds=MESSAGE_INTERVAL_SECONDS)
        Job.objects.filter(kind=job_kind.code, about=subject_key).update(wanted_at=due_at)
    if heartbeats.has_no_worker() or not broker.send_messages(job_kind.lane):
        broker.run_inline(job_kind.lane, job_kind.code, subject_key)


@transaction.atomic
def retry_job(job_kinds: JobKindsByCode, pk: int, clubs: ClubPks | None = None) -> bool:
    """Enqueue a job again; return False if these clubs have no such job."""
    job = Job.objects.filter(pk=pk, kind__in=job_kinds).first()
    if job is None or not belongs_to_clubs(job, job_kinds, clubs):
        return False
    Job.objects.filter(pk=pk).update(rests_until=None)  # the club's quota may have been raised
    enqueue(job_kinds[job.kind], job.about)
    return True
