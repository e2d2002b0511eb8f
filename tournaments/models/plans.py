"""Custom movements of a club, and changes of the seating during play."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs import Club
from tournaments.models.events import Event, Session


class SavedMovement(models.Model):
    """A club's custom movement; its rows are validated before they are stored."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="movements")
    name = models.CharField(_("name"), max_length=60)
    contest = models.CharField(
        max_length=10, choices=Event.Contest, default=Event.Contest.PAIRS
    )
    rows = models.JSONField()  # dicts with round, table, ns and ew (or n, e, s, w), group
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
    """A change of seats during play, with the seating before and after it.

    `before` and `after` are sections, places and sittings as plain data, so that the change can
    be undone exactly.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="changes")
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    what = models.JSONField()  # the incident as data: {"kind": "turned", "table": 3}
    way = models.CharField(max_length=40)  # the key of the chosen way to continue play
    before = models.JSONField()
    after = models.JSONField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.session}: {self.way}"
