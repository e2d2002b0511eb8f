"""Play records: the cards of one play of a deal, trick by trick."""

from django.db import models
from django.db.models import Q

from boards.whist import CARDS_BY_CODE, Card, Deal, Play, Seat, Suit
from boards.whist.notation import read_deal
from clubs.models import Club
from tournaments.models import Session
from tournaments.movements.formatting import format_table


class PlayRecordQuerySet(models.QuerySet["PlayRecord"]):
    """Queries for play records."""

    def exclude_undone(self) -> "PlayRecordQuerySet":
        """Exclude records that were undone."""
        return self.filter(is_taken_back=False)


class PlayRecord(models.Model):
    """The cards that each player played to each trick, with the deal as it was played.

    A record of a session's board is shown once the hands of the session are public. A record
    that belongs to no session is shown immediately.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="play_records")
    session = models.ForeignKey(
        Session, models.CASCADE, related_name="play_records", null=True, blank=True
    )
    board = models.PositiveSmallIntegerField(null=True, blank=True)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    # The section's letter, if the session has several sections.
    section = models.CharField(max_length=2, blank=True, default="", db_default="")
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    title = models.CharField(max_length=200, blank=True)
    north = models.CharField(max_length=100, blank=True)
    east = models.CharField(max_length=100, blank=True)
    south = models.CharField(max_length=100, blank=True)
    west = models.CharField(max_length=100, blank=True)
    dealer = models.CharField(max_length=1)
    deal = models.CharField(max_length=80)
    turn_up = models.CharField(max_length=2, blank=True)  # empty if trumps were declared
    # The suit declared: S, H, D or C.
    declared = models.CharField(max_length=1, blank=True, default="", db_default="")
    cards = models.CharField(max_length=160)  # in order of play: "SK S5 S6 SJ ..."
    # The total tricks of N/S with best play, from the deal and after each trick.
    best = models.JSONField(default=list, blank=True)
    entered_by = models.CharField(max_length=150)
    entered_at = models.DateTimeField()
    is_taken_back = models.BooleanField(default=False)  # entered by mistake; no page shows it

    objects = PlayRecordQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="a_play_of_a_session_names_its_board",
                condition=Q(session__isnull=True, board__isnull=True)
                | Q(session__isnull=False, board__gte=1),
            ),
            models.CheckConstraint(name="a_play_has_cards", condition=~Q(cards="")),
            models.CheckConstraint(
                name="a_play_has_one_way_of_trumps",
                condition=~Q(turn_up="") & Q(declared="")
                | Q(turn_up="", declared__in=["S", "H", "D", "C"]),
            ),
        ]

    def __str__(self) -> str:
        return self.title or f"play record {self.pk}"

    def build_deal(self) -> Deal:
        """Return the deal as it was played."""
        turn_up = Card.parse(self.turn_up) if self.turn_up else None
        declared = Suit(self.declared) if self.declared else None
        return read_deal(self.deal, Seat(self.dealer), turn_up, declared)

    def build_play(self) -> Play:
        """Return the whole play, with its revokes."""
        return Play.from_cards(
            self.build_deal(), [CARDS_BY_CODE[code] for code in self.cards.split()]
        )

    @property
    def table_label(self) -> str:
        """The table's label: "13", in one of several sections "A13"; "" without a table."""
        return format_table(self.table, self.section) if self.table is not None else ""

    @property
    def players(self) -> dict[Seat, str]:
        """The player's name in each seat; "" if none was recorded."""
        player_names = (self.north, self.east, self.south, self.west)
        return dict(zip(Seat, player_names, strict=True))
