"""Movements that a club keeps, and what was done when an evening changed."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs import Club
from tournaments.models.events import Event, Session


class SavedMovement(models.Model):
    """A movement of a club's own; its rows have been proved before they are kept."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="movements")
    name = models.CharField(_("name"), max_length=60)
    contest = models.CharField(
        max_length=10, choices=Event.Contest, default=Event.Contest.PAIRS
    )
    rows = models.JSONField()  # round, table, ns and ew (or n, e, s, w), group
    sharing = models.BooleanField(default=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name"], name="one_movement_a_club_and_name"
            ),
            models.CheckConstraint(name="movement_has_a_name", condition=~Q(name="")),
        ]

    def __str__(self) -> str:
        return self.name


class SeatingChange(models.Model):
    """One change of an evening under way, with the seating before and after it.

    `before` and `after` hold sections, places and sittings as plain data, so that the change
    can be taken back exactly.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="changes")
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    what = models.JSONField()  # what really happened, as data: {"kind": "turned", "table": 3}
    way = models.CharField(max_length=40)  # how play goes on: the key of a way
    before = models.JSONField()
    after = models.JSONField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.session}: {self.way}"
