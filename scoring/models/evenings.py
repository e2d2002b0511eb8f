"""What the hall needs: links for the tables' phones, calls for the director, the clock."""

from datetime import timedelta
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.evenings.timetable import Timetable
from tournaments.models import Section, Session


class TableLink(models.Model):
    """The address of one table's page in one session; only the hash of its secret is kept.

    `salt` and the program's key make the secret anew, so that it can be printed again. It is
    of no use to somebody who has the database alone.
    """

    page: ClassVar[str] = "table"

    session = models.ForeignKey(Session, models.CASCADE, related_name="table_links")
    section = models.ForeignKey(Section, models.CASCADE, related_name="table_links")
    table = models.PositiveSmallIntegerField()
    salt = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["section__letter", "table", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "table"],
                condition=Q(revoked_at__isnull=True),
                name="one_live_link_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table}, {self.section}"

    @property
    def is_live(self) -> bool:
        """Whether the table's page answers: neither revoked nor of a closed session."""
        return self.revoked_at is None and self.session.state != Session.State.CLOSED


class DirectorCall(models.Model):
    """A table that asked for the director, and who answered."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="calls")
    section = models.ForeignKey(Section, models.CASCADE, related_name="calls")
    table = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "table"],
                condition=Q(answered_at__isnull=True),
                name="one_open_call_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table}, {self.session}"

    @property
    def is_new(self) -> bool:
        """Whether it came within the last minute."""
        return (timezone.now() - self.at).total_seconds() < 60

    @property
    def is_being_answered(self) -> bool:
        """Whether somebody said within the last five minutes that he goes to the table."""
        at = self.answered_at
        return at is not None and (timezone.now() - at).total_seconds() < 300

    @property
    def letter(self) -> str:
        """The section's letter; empty where there is one section only."""
        return self.section.letter if self.session.sections.count() > 1 else ""


def check_seconds(added: object) -> None:
    """Raise ValidationError unless seconds are added to rounds: {"2": 60}."""
    if not isinstance(added, dict) or not all(
        isinstance(key, str) and key.isdigit() and isinstance(value, int)
        for key, value in added.items()
    ):
        raise ValidationError(_("Seconds are added to rounds, each named by its number."))


class RoundClock(models.Model):
    """The clock of a session: how long its rounds are, and what was added to each."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="clock")
    minutes = models.PositiveSmallIntegerField(_("minutes a round"), default=25)
    moving = models.PositiveSmallIntegerField(_("minutes to move"), default=2)
    started_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    added = models.JSONField(
        default=dict, blank=True, validators=[check_seconds]
    )  # seconds by round, "2": 60; what comes after moves with it
    added_moving = models.JSONField(
        default=dict, blank=True, validators=[check_seconds]
    )  # the same for the move after a round

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="rounds_take_some_minutes",
                condition=Q(minutes__range=(1, 240), moving__range=(0, 60)),
            ),
        ]

    def __str__(self) -> str:
        return f"clock of {self.session}"

    def timetable(self, rounds: int) -> Timetable:
        """When each round begins and ends, seen from the clock's start."""
        return Timetable(
            rounds=rounds,
            length=timedelta(minutes=self.minutes),
            moving=timedelta(minutes=self.moving),
            added=_by_round(self.added),
            added_moving=_by_round(self.added_moving),
        )


def _by_round(seconds: dict[str, int]) -> dict[int, timedelta]:
    return {int(round_): timedelta(seconds=amount) for round_, amount in seconds.items()}
