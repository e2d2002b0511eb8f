"""A director's rulings on a result or an entry."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.models.results import Result
from tournaments.models import Entry, Session


class RulingQuerySet(models.QuerySet["Ruling"]):
    """Queries for rulings."""

    def exclude_withdrawn(self) -> "RulingQuerySet":
        """Exclude withdrawn rulings."""
        return self.filter(withdrawn_at__isnull=True)


class Ruling(models.Model):
    """A director's decision that changes how a result counts, or an entry's total.

    A ruling never changes the stored result. It can be withdrawn, but is never deleted.
    """

    class Kind(models.TextChoices):
        REVOKE = "revoke", _("revoke")
        AVERAGE = "average", _("average")
        NEW_DEAL = "new_deal", _("new deal")
        FOULED_BOARD = "fouled", _("fouled from here on")
        ADJUSTED = "adjusted", _("adjusted score")
        PENALTY = "penalty", _("penalty")
        NOTED_CORRECTION = "noted", _("corrected at the table")  # changes no score

    class Side(models.TextChoices):
        NS = "NS", _("N-S")
        EW = "EW", _("E-W")

    session = models.ForeignKey(Session, models.PROTECT, related_name="rulings")
    result = models.ForeignKey(
        Result, models.PROTECT, related_name="rulings", null=True, blank=True
    )
    entry = models.ForeignKey(
        Entry, models.PROTECT, related_name="rulings", null=True, blank=True
    )
    kind = models.CharField(max_length=10, choices=Kind)
    side = models.CharField(max_length=2, choices=Side, blank=True)
    revokes = models.PositiveSmallIntegerField(null=True, blank=True)
    # The tricks that the side won before its first revoke.
    won_before = models.PositiveSmallIntegerField(null=True, blank=True)
    full = models.BooleanField(default=False)  # the committee enforces the whole penalty
    ns_tricks = models.CharField(max_length=20, blank=True)  # exact fractions as text
    ew_tricks = models.CharField(max_length=20, blank=True)
    amount = models.CharField(max_length=20, blank=True)
    trump_recorded = models.CharField(max_length=2, blank=True)  # the card on the trump slip
    trump_turned = models.CharField(max_length=2, blank=True)  # the card turned in dealing
    law = models.CharField(max_length=20, blank=True)  # e.g. "X.4" for Law X §4
    situation = models.CharField(max_length=6, blank=True)  # its code, e.g. "I26"
    reason = models.CharField(max_length=500, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    made_by = models.CharField(max_length=150)  # the author's name at that time
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()
    withdrawn_by = models.CharField(max_length=150, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = RulingQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="ruling_kind_is_known",
                condition=Q(
                    kind__in=[
                        "revoke",
                        "average",
                        "new_deal",
                        "fouled",
                        "adjusted",
                        "penalty",
                        "noted",
                    ]
                ),
            ),
            models.CheckConstraint(
                name="penalty_has_an_entry_and_others_a_result",
                condition=Q(kind="penalty", entry__isnull=False, result__isnull=True)
                | (~Q(kind="penalty") & Q(entry__isnull=True, result__isnull=False)),
            ),
            models.CheckConstraint(
                name="revoke_says_whose_and_how_many",
                condition=Q(
                    kind="revoke",
                    side__in=["NS", "EW"],
                    revokes__isnull=False,
                    revokes__range=(1, 13),
                    won_before__isnull=False,
                    won_before__range=(0, 13),
                )
                | (
                    ~Q(kind="revoke")
                    & Q(side="", revokes__isnull=True, won_before__isnull=True, full=False)
                ),
            ),
            models.CheckConstraint(
                name="adjusted_says_both_sides_tricks",
                condition=(Q(kind="adjusted") & ~Q(ns_tricks="") & ~Q(ew_tricks=""))
                | (~Q(kind="adjusted") & Q(ns_tricks="", ew_tricks="")),
            ),
            models.CheckConstraint(
                name="penalty_says_how_much",
                condition=(Q(kind="penalty") & ~Q(amount=""))
                | (~Q(kind="penalty") & Q(amount="")),
            ),
            models.CheckConstraint(
                name="full_penalty_has_a_reason", condition=Q(full=False) | ~Q(reason="")
            ),
            models.CheckConstraint(
                name="withdrawn_says_who_and_when",
                condition=Q(withdrawn_at__isnull=True, withdrawn_by="")
                | (
                    Q(withdrawn_at__isnull=False, withdrawn_at__gte=F("made_at"))
                    & ~Q(withdrawn_by="")
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.result or self.entry}"
