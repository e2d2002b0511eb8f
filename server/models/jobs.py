"""The rows of jobs.

These rows are the source of truth, because broker messages may be lost.
"""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

MAX_LEASE_OR_BACKOFF = timedelta(seconds=90)
"""The maximum length of leases and backoffs; a longer one means that the clock was set back."""
MAX_POSTPONEMENT = timedelta(days=1)


class JobQuerySet(models.QuerySet["Job"]):
    """Queries for jobs by state."""

    def filter_unfinished(self) -> "JobQuerySet":
        """Return the jobs that are not done, including those that may not run now."""
        return self.filter(wanted_no__gt=F("done_no"))

    def filter_runnable(self, now: datetime) -> "JobQuerySet":
        """Return the jobs that are due and that no worker has leased."""
        latest_plausible_time = now + MAX_LEASE_OR_BACKOFF
        leased_filter = Q(lease_until__gte=now, lease_until__lte=latest_plausible_time)
        delayed_filter = Q(not_before__gt=now, not_before__lte=latest_plausible_time)
        postponed_filter = Q(rests_until__gt=now, rests_until__lte=now + MAX_POSTPONEMENT)
        return (
            self.filter_unfinished()
            .exclude(leased_filter)
            .exclude(delayed_filter)
            .exclude(postponed_filter)
        )

    def filter_failed(self) -> "JobQuerySet":
        """Return the jobs that failed permanently and wait until someone retries them."""
        return self.filter(state=Job.State.FAILED)


class Job(models.Model):
    """A job for one object; another request for the job updates the same row.

    A request increments `wanted_no`, and a worker copies that number to `done_no` after a run.
    Forty requests therefore cause one run, and a request during a run causes another one.
    `kind` is the code of a `server.jobs.kinds.JobKind`, and `about` the primary key of the
    object. `deaths` is the number of crashes.
    """

    class Lane(models.IntegerChoices):
        NOW = 0, _("at once")
        LATER = 1, _("low priority")

    class State(models.TextChoices):
        WAITING = "wanted", _("waiting")
        RUNNING = "doing", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    class FailureCause(models.TextChoices):
        DATABASE = "database", _("the database didn’t respond")
        NETWORK = "network", _("another service didn’t respond")
        DISK = "disk", _("the disk is full or not writable")
        PROGRAM_ERROR = "broken", _("an error in Overplay, see the log")
        TIMED_OUT = "too_long", _("it took too long")
        CRASHED = "died", _("the program stopped during the job")

    kind = models.CharField(max_length=20)
    about = models.BigIntegerField(help_text=_("the key of its subject"))
    club = models.BigIntegerField(null=True, blank=True, help_text=_("the club it is for"))
    lane = models.SmallIntegerField(choices=Lane)
    wanted_no = models.BigIntegerField(default=1)
    done_no = models.BigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    wanted_at = models.DateTimeField()
    not_before = models.DateTimeField(
        help_text=_("the start of its turn, moved by pauses between tries")
    )
    rests_until = models.DateTimeField(
        null=True, blank=True, help_text=_("the end of the club’s daily limit")
    )
    began_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=100, blank=True)
    tries = models.PositiveIntegerField(default=0)
    deaths = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=10, choices=FailureCause, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "about"], name="one_job_for_each_thing"),
        ]
        indexes = [
            models.Index(  # finds due jobs quickly among many done ones
                fields=["lane", "not_before"],
                condition=Q(wanted_no__gt=F("done_no")),
                name="due_jobs",
            ),
            models.Index(
                fields=["club"], condition=Q(state__in=["failed"]), name="failed_jobs"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.about}"


class ClubWork(models.Model):
    """The seconds that workers spent in one minute on a club's jobs in the lane LATER.

    Jobs of clubs with the least recent work run first, so that five hundred papers of one club
    do not delay another club.
    """

    club = models.BigIntegerField()
    minute = models.DateTimeField()
    seconds = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "minute"], name="one_sum_a_club_and_minute"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club} {self.minute:%H:%M}"


class ClubDay(models.Model):
    """A club's use of one quota on one day (see server.quotas)."""

    club = models.BigIntegerField()
    day = models.DateField()
    quota = models.CharField(max_length=10)
    amount = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "day", "quota"], name="one_sum_a_club_day_and_quota"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club} {self.day} {self.quota}"


class Worker(models.Model):
    """A program that runs jobs, with its last heartbeat."""

    name = models.CharField(max_length=100, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
