"""The model of rehearsals: practice events whose results the program enters."""

from datetime import timedelta

from django.db import models
from django.db.models import Q

from tournaments.models import Event, Session


class Rehearsal(models.Model):
    """The simulation of an event: the copied event, the seed and speed, and the progress.

    The simulated time is that of the event's round clock, which runs `speed` times as fast.
    """

    class Speed(models.IntegerChoices):
        # A released migration has these labels; pages show those of hall.rehearsal.sheets.
        REAL_TIME = 1, "as on the night"
        TEN_TIMES = 10, "ten times as fast"
        SIXTY_TIMES = 60, "an hour in a minute"

    event = models.OneToOneField(Event, models.CASCADE, related_name="rehearsal")
    # The session that was copied.
    of = models.OneToOneField(
        Session, models.SET_NULL, related_name="rehearsal", null=True, blank=True
    )
    seed = models.CharField(max_length=32)
    speed = models.PositiveSmallIntegerField(choices=Speed, default=Speed.REAL_TIME)
    # the elapsed time of the round clock at the last request
    reached = models.DurationField(default=timedelta)
    # The mishaps as `serialize_mishap` writes them; "told" marks those that have happened.
    script = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="rehearsal_speed_is_known", condition=Q(speed__in=[1, 10, 60])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}"
