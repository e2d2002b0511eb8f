"""Whose turn it is: what is wanted when there is time goes round among the clubs."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Case, FloatField, OuterRef, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from server import quotas
from server.jobs.kinds import Kind
from server.models import ClubWork, Job
from server.models.jobs import Jobs

LATELY = timedelta(minutes=10)
FORGOTTEN = timedelta(hours=1)

# Two workers of one club add to the same minute here.
ADD = """
INSERT INTO server_clubwork (club, minute, seconds) VALUES (%s, %s, %s)
ON CONFLICT (club, minute) DO UPDATE
SET seconds = server_clubwork.seconds + excluded.seconds
"""


def in_turn(jobs: Jobs, now: datetime) -> Jobs:
    """Put jobs in order: what is wanted at once; then the club that had least lately."""
    work = ClubWork.objects.filter(club=OuterRef("club"), minute__gt=now - LATELY)
    had = work.order_by().values("club").annotate(sum=Sum("seconds")).values("sum")
    nothing = Value(0.0)
    turn = Case(
        When(lane=Job.Lane.LATER, then=Coalesce(Subquery(had), nothing)),
        default=nothing,
        output_field=FloatField(),
    )
    return jobs.order_by("lane", turn, "not_before", "pk")


def add_work(job: Job, kind: Kind, began: datetime, ended: datetime) -> None:
    """Write down what a club's job took; what is wanted at once is not counted."""
    if job.lane != Job.Lane.LATER or job.club is None:
        return
    minute = connection.ops.adapt_datetimefield_value(ended.replace(second=0, microsecond=0))
    seconds = max((ended - began).total_seconds(), 0.0)  # a clock may have been put back
    with connection.cursor() as cursor:
        cursor.execute(ADD, [job.club, minute, seconds])
    ClubWork.objects.filter(club=job.club, minute__lt=ended - FORGOTTEN).delete()
    if kind.quota is not None:
        quotas.add(kind.quota, job.club, seconds)
