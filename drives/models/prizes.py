"""Models of the prizes of a drive, and of their winners."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from drives.models.drives import Drive
from drives.models.players import DrivePlayer


class Prize(models.Model):
    """One prize in a drive's prize list; `number` is the order in which prizes are given."""

    class TieRule(models.TextChoices):
        SHARE = "share", _("shared")
        CUT = "cut", _("cards are cut")
        LOT = "lot", _("drawn at random")

    drive = models.ForeignKey(Drive, models.CASCADE, related_name="prizes")
    number = models.PositiveSmallIntegerField()
    words = models.CharField(_("prize"), max_length=200)
    # the players who may win: "all", "first", "second", "club:NAME" or "fort:NAME"
    field = models.CharField(_("open to"), max_length=210, default="all")
    measure = models.CharField(_("measured by"), max_length=20, default="total-high")
    count = models.PositiveSmallIntegerField(_("how many"), default=1)
    ties = models.CharField(_("ties"), max_length=10, choices=TieRule, default=TieRule.SHARE)
    places = models.JSONField(
        default=list, blank=True
    )  # ranks that win the prize, e.g. [1, 4, 8]; the first `count` ranks if empty
    then = models.JSONField(default=list, blank=True)  # measures that break a tie, in order
    round = models.PositiveSmallIntegerField(
        default=0
    )  # the round whose score counts; 0 means each player's best round
    least = models.PositiveSmallIntegerField(default=0)  # the minimum score of a round to count
    won = models.JSONField(default=list, blank=True)  # the card numbers of the cut's winners
    # the card numbers of the players who cut cards; empty if unknown
    cut_by = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["drive", "number"], name="one_prize_a_number"),
            models.CheckConstraint(
                name="prize_ties_are_known", condition=Q(ties__in=["share", "cut", "lot"])
            ),
            models.CheckConstraint(name="prizes_count_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return self.words


class Award(models.Model):
    """The winner of a prize, saved when the drive is closed.

    `player` is empty if tied players still have to cut cards.
    """

    prize = models.ForeignKey(Prize, models.CASCADE, related_name="awards")
    order = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        DrivePlayer, models.PROTECT, related_name="awards", null=True, blank=True
    )
    # the reason at the close, with placeholders such as "{12}" instead of players' names
    why = models.TextField(blank=True)

    class Meta:
        ordering = ["prize__number", "order"]
        constraints = [
            models.UniqueConstraint(fields=["prize", "order"], name="one_award_an_order"),
        ]

    def __str__(self) -> str:
        return f"{self.prize}: {self.player or 'nobody yet'}"
