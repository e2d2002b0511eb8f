"""The order of jobs in the lane LATER, in which clubs share the workers fairly."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Case, FloatField, OuterRef, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from server import quotas
from server.jobs.kinds import JobKind
from server.models import ClubWork, Job
from server.models.jobs import JobQuerySet

FAIRNESS_WINDOW = timedelta(minutes=10)
"""The time over which the work for each club is compared."""
CLUB_WORK_RETENTION = timedelta(hours=1)

# an upsert, because two workers may add to the same club and minute at the same time
ADD_CLUB_SECONDS_SQL = """
INSERT INTO server_clubwork (club, minute, seconds) VALUES (%s, %s, %s)
ON CONFLICT (club, minute) DO UPDATE
SET seconds = server_clubwork.seconds + excluded.seconds
"""


def order_fairly(jobs: JobQuerySet, now: datetime) -> JobQuerySet:
    """Order jobs: urgent ones first, then by the worker time of their club.

    A club for which workers spent fewer seconds during FAIRNESS_WINDOW comes first.
    """
    recent_work = ClubWork.objects.filter(
        club=OuterRef("club"), minute__gt=now - FAIRNESS_WINDOW
    )
    recent_club_seconds = (
        recent_work.order_by().values("club").annotate(sum=Sum("seconds")).values("sum")
    )
    zero = Value(0.0)
    club_worker_seconds = Case(
        When(lane=Job.Lane.LATER, then=Coalesce(Subquery(recent_club_seconds), zero)),
        default=zero,
        output_field=FloatField(),
    )
    return jobs.order_by("lane", club_worker_seconds, "not_before", "pk")


def record_club_time(
    job: Job, job_kind: JobKind, began_at: datetime, ended_at: datetime
) -> None:
    """Add a job's duration to its club's recent work and quota; urgent jobs are not counted."""
    if job.lane != Job.Lane.LATER or job.club is None:
        return
    minute_start = connection.ops.adapt_datetimefield_value(
        ended_at.replace(second=0, microsecond=0)
    )
    # the difference is negative if the clock was set back during the job
    seconds = max((ended_at - began_at).total_seconds(), 0.0)
    with connection.cursor() as cursor:
        cursor.execute(ADD_CLUB_SECONDS_SQL, [job.club, minute_start, seconds])
    ClubWork.objects.filter(club=job.club, minute__lt=ended_at - CLUB_WORK_RETENTION).delete()
    if job_kind.quota is not None:
        quotas.record_quota_use(job_kind.quota, job.club, seconds)
