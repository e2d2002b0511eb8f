"""The models of a club's evening: its clock, its table links, and calls for the director."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.evenings.timetable import ClockMoment, Timetable, compute_moment
from clubs.links import SecretLink
from clubs.models.clubs import Club


class Evening(models.Model):
    """A day on which a club plays; it may have no activities yet.

    The activities of the evening refer to it and take their date from it.
    """

    class CheckInState(models.TextChoices):
        """The states of the check-in at the tables, before a movement is chosen."""

        UNUSED = "", _("not used")
        OPEN = "open", _("open")
        STARTED = "started", _("play has started")

    club = models.ForeignKey(Club, models.CASCADE, related_name="evenings")
    date = models.DateField(_("date"))
    start = models.TimeField(_("start"), null=True, blank=True)  # in the club's time zone
    place = models.CharField(_("place"), max_length=200, blank=True)
    title = models.CharField(_("title"), max_length=100, blank=True)
    # None if players cannot book
    booking_open_until = models.DateTimeField(_("booking open until"), null=True, blank=True)
    check_in_state = models.CharField(
        max_length=10,
        choices=CheckInState,
        default=CheckInState.UNUSED,
        db_default=CheckInState.UNUSED,
        blank=True,
        editable=False,
    )

    class Meta:
        ordering = ["date", "id"]

    def __str__(self) -> str:
        return f"{self.title} {self.date}".strip()


class TableLink(SecretLink):
    """The secret link to the page of one table on one evening."""

    url_name: ClassVar[str] = "table"

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="table_links")
    section = models.CharField(max_length=2, default="A")  # the letter of the section
    table = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["section", "table", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "section", "table"],
                condition=Q(revoked_at__isnull=True),
                name="one_live_link_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.section} {self.table}, {self.evening}"


class DirectorCall(models.Model):
    """A table's call for the director, and the director's response."""

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="calls")
    section = models.CharField(max_length=2, default="A")  # the letter of the section
    table = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "section", "table"],
                condition=Q(answered_at__isnull=True),
                name="one_open_call_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.section} {self.table}, {self.evening}"

    @property
    def is_new(self) -> bool:
        """Whether the call was made within the last minute."""
        return (timezone.now() - self.at).total_seconds() < 60

    @property
    def is_being_answered(self) -> bool:
        """Whether a director accepted the call within the last five minutes."""
        answer_time = self.answered_at
        return answer_time is not None and (timezone.now() - answer_time).total_seconds() < 300


def check_seconds(seconds_by_round: object) -> None:
    """Raise ValidationError unless the keys are round numbers, e.g. {"2": 60}."""
    if not isinstance(seconds_by_round, dict) or not all(
        isinstance(round_key, str) and round_key.isdigit() and isinstance(added_seconds, int)
        for round_key, added_seconds in seconds_by_round.items()
    ):
        raise ValidationError(_("Enter the seconds added, by round number."))


class RoundClock(models.Model):
    """The round clock of an evening: the length of its rounds, and the time added to each."""

    evening = models.OneToOneField(Evening, models.CASCADE, related_name="clock")
    minutes = models.PositiveSmallIntegerField(_("minutes per round"), default=25)
    moving = models.PositiveSmallIntegerField(_("minutes to move"), default=2)
    started_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    # added seconds by round: {"2": 60}
    added = models.JSONField(default=dict, blank=True, validators=[check_seconds])
    # added seconds of the move after each round
    added_moving = models.JSONField(default=dict, blank=True, validators=[check_seconds])

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="rounds_take_some_minutes",
                condition=Q(minutes__range=(1, 240), moving__range=(0, 60)),
            ),
        ]

    def __str__(self) -> str:
        return f"clock of {self.evening}"

    def build_timetable(self, round_count: int) -> Timetable:
        """Return the timetable of this many rounds, relative to the clock's start."""
        return Timetable(
            round_count=round_count,
            round_length=timedelta(minutes=self.minutes),
            moving_time=timedelta(minutes=self.moving),
            added_times_by_round=_build_times_by_round(self.added),
            added_moving_times_by_round=_build_times_by_round(self.added_moving),
        )

    def compute_moment(self, round_count: int, now: datetime) -> ClockMoment:
        """Return the round, phase and remaining time of the started clock at the time `now`."""
        assert self.started_at is not None
        elapsed_time = (self.paused_at or now) - self.started_at
        return compute_moment(self.build_timetable(round_count), max(elapsed_time, timedelta()))


def _build_times_by_round(seconds_by_round: dict[str, int]) -> dict[int, timedelta]:
    return {
        int(round_number): timedelta(seconds=added_seconds)
        for round_number, added_seconds in seconds_by_round.items()
    }
