"""After the game: an entry says what a result should be, and the other side is asked."""

from django.db import models
from django.db.models import Q

from scoring.models.results import Result
from tournaments.models import Entry


class Challenge(models.Model):
    """One side says that a result is wrong, the other agrees or not, the director decides."""

    result = models.ForeignKey(Result, models.CASCADE, related_name="challenges")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="challenges")  # who asks
    ns_tricks = models.PositiveSmallIntegerField()  # what N-S took, as the asker says
    was = models.CharField(max_length=2)  # what stood when it was asked: "8", "-"
    asked_at = models.DateTimeField()
    agreed = models.BooleanField(null=True, blank=True)  # none while the others have not said
    approved = models.BooleanField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["result"],
                condition=Q(decided_at__isnull=True),
                name="one_open_challenge_a_result",
            ),
            models.CheckConstraint(
                name="challenge_says_tricks", condition=Q(ns_tricks__range=(0, 13))
            ),
            models.CheckConstraint(
                name="challenge_decided_says_how",
                condition=Q(decided_at__isnull=True, approved__isnull=True)
                | Q(decided_at__isnull=False, approved__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry} about {self.result}"
