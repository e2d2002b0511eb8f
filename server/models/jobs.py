"""Work that is wanted, as rows: a queue may lose its messages, and nothing is forgotten."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

LONGEST_WAIT = timedelta(seconds=90)
"""No lease and no pause is longer; one that is comes from a clock that was put back."""
LONGEST_REST = timedelta(days=1)


class Jobs(models.QuerySet["Job"]):
    """Jobs, as those who do them ask for them."""

    def due(self) -> "Jobs":
        """Everything that is not done yet, whether it may begin now or not."""
        return self.filter(wanted_no__gt=F("done_no"))

    def free(self, now: datetime) -> "Jobs":
        """What may begin: nobody works on it, and it waits for nothing."""
        late = now + LONGEST_WAIT
        held = Q(lease_until__gte=now, lease_until__lte=late)
        waits = Q(not_before__gt=now, not_before__lte=late)
        rests = Q(rests_until__gt=now, rests_until__lte=now + LONGEST_REST)
        return self.due().exclude(held).exclude(waits).exclude(rests)

    def given_up(self) -> "Jobs":
        """What failed as often as it is tried, and waits for somebody to ask again."""
        return self.filter(state=Job.State.FAILED)


class Job(models.Model):
    """One piece of work about one thing; wanted again it is the same row.

    Wanting raises `wanted_no`; who did the work copies the number it began with into `done_no`.
    So forty wishes are one job, and a wish during the work is not swallowed. The row says
    neither what the work is nor what it is about: that is known by the kind of that code.
    """

    class Lane(models.IntegerChoices):
        NOW = 0, _("at once")
        LATER = 1, _("when there is time")

    class State(models.TextChoices):
        WANTED = "wanted", _("waiting")
        DOING = "doing", _("being done")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    class Trouble(models.TextChoices):
        DATABASE = "database", _("the database did not answer")
        NETWORK = "network", _("another service did not answer")
        DISK = "disk", _("the disk is full or cannot be written to")
        BROKEN = "broken", _("Overplay made a mistake; the log tells what it was")
        TOO_LONG = "too_long", _("it took too long")
        DIED = "died", _("the program died while it was at it")

    kind = models.CharField(max_length=20)
    about = models.BigIntegerField(help_text=_("the key of what it is about"))
    club = models.BigIntegerField(null=True, blank=True, help_text=_("the club it is for"))
    lane = models.SmallIntegerField(choices=Lane)
    wanted_no = models.BigIntegerField(default=1)
    done_no = models.BigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.WANTED)
    wanted_at = models.DateTimeField()
    not_before = models.DateTimeField(help_text=_("its turn; pauses between tries move it"))
    rests_until = models.DateTimeField(
        null=True, blank=True, help_text=_("until then its club has had all of its day's")
    )
    began_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=100, blank=True)
    tries = models.PositiveIntegerField(default=0)
    deaths = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=10, choices=Trouble, blank=True)

    objects = Jobs.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "about"], name="one_job_for_each_thing"),
        ]
        indexes = [
            models.Index(  # what is due, whatever the history
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
    """How many seconds of a minute went into what a club wanted when there is time.

    Whoever had least of the last minutes comes first: five hundred papers of one club do not
    keep another's one waiting.
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
    """How much of a quota a club has had on one day (server.quotas)."""

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
    """A program that does jobs, and when it was last heard of."""

    name = models.CharField(max_length=100, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
