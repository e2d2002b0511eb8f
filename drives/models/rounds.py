"""Models of the seats of each round, and of the input of each draw."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from drives.models.drives import Drive
from drives.models.players import DrivePlayer


class Draw(models.Model):
    """A draw or a move of players, with all its input, so that anyone can repeat it."""

    class Kind(models.TextChoices):
        PLANNED = "planned", _("all rounds drawn before play")
        DRAWN = "drawn", _("drawn")
        MOVED = "moved", _("moved by results")
        # The organiser entered the seats, or they come from an imported file without draws.
        MANUAL = "given", _("seated by hand")

    drive = models.ForeignKey(Drive, models.CASCADE, related_name="draws")
    kind = models.CharField(max_length=10, choices=Kind)
    first = models.PositiveSmallIntegerField()  # the number of the first drawn round
    # the input of the draw (`DrawInput.to_data`), e.g. players, preferences and winners
    given: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    drawn_at = models.DateTimeField()
    drawn_by = models.CharField(max_length=150)  # a copy of the user's name

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="draw_kind_is_known",
                condition=Q(kind__in=["planned", "drawn", "moved", "given"]),
            ),
        ]

    def __str__(self) -> str:
        return f"draw of round {self.first}, {self.drive}"


class Round(models.Model):
    """One round of a drive: the hands that are played before players move."""

    drive = models.ForeignKey(Drive, models.CASCADE, related_name="played")
    number = models.PositiveSmallIntegerField()
    # the trump suits of the hands in order, such as "HCDS"
    trumps = models.CharField(max_length=20, blank=True)
    draw = models.ForeignKey(Draw, models.PROTECT, related_name="rounds")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["drive", "number"], name="one_round_a_number"),
            models.CheckConstraint(
                name="rounds_count_from_one", condition=Q(number__range=(1, 1000))
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number}, {self.drive}"


class Seat(models.Model):
    """A player's table and seat in a round; both are empty if the player rests.

    Seats 1 and 3 are partners (side A), 2 and 4 (side B).
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    player = models.ForeignKey(DrivePlayer, models.PROTECT, related_name="seats")
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    order = models.PositiveSmallIntegerField(default=0)  # position among the resting players

    class Meta:
        ordering = ["round", "table", "seat", "order"]
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="a_player_once_a_round"),
            models.UniqueConstraint(
                fields=["round", "table", "seat"], name="a_seat_once_a_round"
            ),
            models.CheckConstraint(
                name="a_seat_is_at_a_table_or_a_rest",
                condition=Q(table__gte=1, seat__range=(1, 4))
                | Q(table__isnull=True, seat__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table}, seat {self.seat}" if self.table else "rest"


class DriveChange(models.Model):
    """The data of players and seats that an act changed, before and after the act.

    Unchanged data is not stored. Before an undo restores `before`, it checks that the current
    data still equals `after`.
    """

    drive = models.ForeignKey(Drive, models.CASCADE, related_name="changes")
    made_at = models.DateTimeField(auto_now_add=True)
    before: models.JSONField[dict[str, Any]] = models.JSONField(default=dict)
    after: models.JSONField[dict[str, Any]] = models.JSONField(default=dict)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"change {self.pk}, {self.drive}"
