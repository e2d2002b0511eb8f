"""The model of rehearsals: practice events whose results the program enters."""

from datetime import timedelta

from django.db import models
from django.db.models import Q

from tournaments.models import Event, Session


class Rehearsal(models.Model):
    """The simulation of an event: the copied event, its seed and speed, and its progress.

    Its time is the elapsed time of the round clock, which runs `speed` times as fast.
    """

    class Speed(models.IntegerChoices):
        # A released migration has these labels; pages show those of hall.rehearsal.sheets.
        REAL = 1, "as on the night"
        TEN = 10, "ten times as fast"
        SIXTY = 60, "an hour in a minute"

    event = models.OneToOneField(Event, models.CASCADE, related_name="rehearsal")
    of = models.OneToOneField(
        Session, models.SET_NULL, related_name="rehearsal", null=True, blank=True
    )  # the session that was copied
    seed = models.CharField(max_length=32)
    speed = models.PositiveSmallIntegerField(choices=Speed, default=Speed.REAL)
    reached = models.DurationField(
        default=timedelta
    )  # the clock's elapsed time at the last request
    script = models.JSONField(
        default=list, blank=True
    )  # the mishaps; "told" once they have happened

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="rehearsal_speed_is_known", condition=Q(speed__in=[1, 10, 60])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}"
