"""Evenings from elsewhere: results that a club brings along, without boards."""

from django.db import models
from django.db.models import Q

from clubs.models import Player
from seasons.models.seasons import Season


class EveningElsewhere(models.Model):
    """An evening of a season that was scored by other means."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="elsewhere")
    slug = models.SlugField(max_length=60)
    date = models.DateField()
    contest = models.CharField(max_length=10)
    boards = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["date", "slug"]
        verbose_name_plural = "evenings elsewhere"
        constraints = [
            models.UniqueConstraint(
                fields=["season", "slug"], name="one_evening_elsewhere_a_slug"
            ),
            models.CheckConstraint(
                name="evening_elsewhere_has_boards", condition=Q(boards__gte=1)
            ),
            models.CheckConstraint(
                name="evening_elsewhere_contest_is_known",
                condition=Q(
                    contest__in=["pairs", "individual", "teams", "memory", "drive", "rubbers"]
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.date:%Y-%m-%d} {self.slug}"


class EntryElsewhere(models.Model):
    """One entry of it; its figures are exact fractions as text, "" where nobody knows them."""

    evening = models.ForeignKey(EveningElsewhere, models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField()
    team = models.CharField(max_length=100, blank=True, default="")
    field = models.CharField(max_length=20, blank=True, default="")
    score = models.CharField(max_length=60)  # the plus over the evening
    boards = models.PositiveSmallIntegerField()
    percent = models.CharField(max_length=60, blank=True, default="")
    tricks = models.CharField(max_length=60, blank=True, default="")
    place = models.PositiveIntegerField(null=True, blank=True)  # None: it follows from scores
    handicap = models.CharField(
        max_length=40, blank=True, default="", db_default=""
    )  # that it was played with; "" where it is found

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "entries elsewhere"
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "number"], name="one_entry_elsewhere_a_number"
            ),
            models.CheckConstraint(name="entry_elsewhere_has_a_score", condition=~Q(score="")),
            models.CheckConstraint(
                name="entry_elsewhere_is_placed_from_one",
                condition=Q(place__isnull=True) | Q(place__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}: {self.number}"


class SeatElsewhere(models.Model):
    """A person in an entry of such an evening; nobody is in one evening twice."""

    evening = models.ForeignKey(EveningElsewhere, models.CASCADE, related_name="seats")
    entry = models.ForeignKey(EntryElsewhere, models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats_elsewhere")
    order = models.PositiveSmallIntegerField()
    was_member = models.BooleanField()  # as the file has it: of the day, not of today

    class Meta:
        ordering = ["order"]
        verbose_name_plural = "seats elsewhere"
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "player"], name="a_player_once_an_evening_elsewhere"
            ),
            models.UniqueConstraint(
                fields=["entry", "order"], name="one_seat_elsewhere_an_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.player}"
