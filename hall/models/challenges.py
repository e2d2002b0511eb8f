"""The model of challenges, with which entries dispute results after the game."""

from django.db import models
from django.db.models import Q

from scoring.models.results import Result
from tournaments.models import Entry


class Challenge(models.Model):
    """An entry's claim that a result is wrong, its opponents' reply, and the decision."""

    result = models.ForeignKey(Result, models.CASCADE, related_name="challenges")
    # The entry that disputes the result.
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="challenges")
    ns_tricks = models.PositiveSmallIntegerField()  # the tricks that the entry claims
    was = models.CharField(max_length=2)  # the disputed result: tricks of N-S, "-" unplayed
    asked_at = models.DateTimeField()
    agreed = models.BooleanField(null=True, blank=True)  # None until the other side replies
    approved = models.BooleanField(null=True, blank=True)  # the director's decision
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
