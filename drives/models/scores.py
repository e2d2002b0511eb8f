"""Models of table scores and card totals, with all their earlier values."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from drives.models.players import DrivePlayer
from drives.models.rounds import Round


class Agreement(models.TextChoices):
    """Whether the other side has confirmed a score that was entered on the table's phone."""

    NONE = "", _("not asked for")
    AWAITED = "awaited", _("not confirmed yet")
    CONFIRMED = "given", _("confirmed by the other side")


class Sheet(models.Model):
    """One table's score of a hand, or of a whole round if `hand` is 0.

    A score has one number for each side, or for each seat. It is empty after an undo. In a
    game with contracts, the score is computed from the contract. If the contract is empty, the
    score was typed.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="sheets")
    table = models.PositiveSmallIntegerField()
    hand = models.PositiveSmallIntegerField(default=0)
    score = models.JSONField(default=list, blank=True)
    extras = models.JSONField(default=list, blank=True)
    # the contract and its result, as `drives.games.reading.build_hand_data` returns them
    contract = models.JSONField(default=dict, blank=True)
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


class ValueVersion(models.Model):
    """The author, the time and the source of an entered value."""

    entered_by = models.CharField(max_length=150)  # a copy of the user's name
    entered_at = models.DateTimeField()
    way = models.CharField(max_length=20)  # the source of the request, e.g. a phone
    # the idempotency key of a phone's request; a repeated request has the same key
    key = models.CharField(max_length=40, blank=True)

    class Meta:
        abstract = True
        ordering = ["id"]


class SheetVersion(ValueVersion):
    """A present or earlier value of a sheet; empty after an undo."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="versions")
    score = models.JSONField(default=list, blank=True)
    extras = models.JSONField(default=list, blank=True)
    contract = models.JSONField(default=dict, blank=True)

    class Meta(ValueVersion.Meta):
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

    `rows` are the scores of rounds or halves on the card, if they were typed too.
    """

    player = models.ForeignKey(DrivePlayer, models.PROTECT, related_name="totals")
    part = models.PositiveSmallIntegerField(default=1)
    total = models.IntegerField(null=True, blank=True)  # empty after an undo
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


class CardVersion(ValueVersion):
    """A present or earlier value of a card total; empty after an undo."""

    card = models.ForeignKey(CardTotal, models.CASCADE, related_name="versions")
    total = models.IntegerField(null=True, blank=True)
    rests = models.PositiveSmallIntegerField(default=0)
    rows = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return f"{self.card_id}: {self.total}"
