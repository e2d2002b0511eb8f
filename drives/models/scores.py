"""What was entered: sheets of tables and totals of cards, and every value they ever had."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from drives.models.players import DrivePlayer
from drives.models.rounds import Round


class Agreement(models.TextChoices):
    """Whether the other side has said yes to what its table's phone sent."""

    NONE = "", _("not asked for")
    AWAITED = "awaited", _("not confirmed yet")
    GIVEN = "given", _("confirmed by the other side")


class Sheet(models.Model):
    """One table's score of a hand, or of a whole round, where `hand` is 0.

    A score has a figure a side, or one of each seat; one that was taken back has none.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="sheets")
    table = models.PositiveSmallIntegerField()
    hand = models.PositiveSmallIntegerField(default=0)
    score = models.JSONField(default=list, blank=True)
    extras = models.JSONField(default=list, blank=True)
    agreement = models.CharField(
        max_length=10, choices=Agreement, default=Agreement.NONE, blank=True
    )

    class Meta:
        ordering = ["round", "table", "hand"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "table", "hand"], name="one_sheet_a_round_table_and_hand"
            ),
            models.CheckConstraint(name="a_sheet_has_a_table", condition=Q(table__gte=1)),
            models.CheckConstraint(
                name="sheet_agreement_is_known",
                condition=Q(agreement__in=["", "awaited", "given"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}, table {self.table}: {self.score}"


class Version(models.Model):
    """Who entered a value, when, and by what way."""

    entered_by = models.CharField(max_length=150)  # the name as it was then
    entered_at = models.DateTimeField()
    way = models.CharField(max_length=20)
    key = models.CharField(max_length=40, blank=True)  # a phone's own, so that what it sends
    # again after a lost answer is known

    class Meta:
        abstract = True
        ordering = ["id"]


class SheetVersion(Version):
    """One value that a sheet has had; empty where it was taken back."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="versions")
    score = models.JSONField(default=list, blank=True)
    extras = models.JSONField(default=list, blank=True)

    class Meta(Version.Meta):
        abstract = False
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "key"], condition=~Q(key=""), name="one_sheet_version_a_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id}: {self.score}"


class CardTotal(models.Model):
    """The total of a score card, or of a part of it, as it was handed in.

    `rows` are its own rounds or halves where they were typed too.
    """

    player = models.ForeignKey(DrivePlayer, models.PROTECT, related_name="totals")
    part = models.PositiveSmallIntegerField(default=1)
    total = models.IntegerField(null=True, blank=True)  # empty once it was taken back
    rests = models.PositiveSmallIntegerField(default=0)
    rows = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["player", "part"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "part"], name="one_total_a_card_and_part"
            ),
            models.CheckConstraint(name="a_part_counts_from_one", condition=Q(part__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.player}, part {self.part}: {self.total}"


class CardVersion(Version):
    """One value that a card's total has had; empty where it was taken back."""

    card = models.ForeignKey(CardTotal, models.CASCADE, related_name="versions")
    total = models.IntegerField(null=True, blank=True)
    rests = models.PositiveSmallIntegerField(default=0)
    rows = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return f"{self.card_id}: {self.total}"
