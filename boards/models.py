"""The models of board sets and their boards."""

from functools import lru_cache
from uuid import uuid4

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from boards.proof import Proof
from boards.whist import CARDS_BY_CODE, Card, Deal, Seat, Side, Suit
from boards.whist.notation import format_hands, read_deal

MAX_SET_SIZE = 1000
"""The maximum number of boards in a set; a session usually plays 24 to 36."""


class BoardSet(models.Model):
    """The boards of one session, numbered from `first`: dealt, typed or imported."""

    class Source(models.TextChoices):
        GENERATED = "generated", _("dealt by the program")
        TYPED = "typed", _("typed in")
        IMPORTED = "imported", _("read from a file")

    class State(models.TextChoices):
        WAITING = "wanted", _("waiting to be dealt")
        DEALING = "making", _("being dealt")
        READY = "ready", _("ready")
        FAILED = "failed", _("not dealt")

    # identifies the set on other servers
    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    name = models.CharField(max_length=200)
    source = models.CharField(max_length=10, choices=Source, default=Source.GENERATED)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    size = models.PositiveSmallIntegerField()
    first = models.PositiveSmallIntegerField(default=1)
    # the number of boards dealt so far
    made = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    secret = models.BinaryField(max_length=32, null=True, blank=True)
    commitment = models.CharField(max_length=64, blank=True)
    # a list of [size, commitment] as they were before each enlargement, oldest first
    promised_before = models.JSONField(default=list, blank=True)
    awaits_public = models.BooleanField(default=False)
    public_value = models.CharField(max_length=200, blank=True)
    # True if the director plays too: no paper or file then shows cards before the session is
    # closed
    is_sealed = models.BooleanField(default=False)
    # whether to compute the slow best-play tables (`Board.table`), which bridge programs show
    wants_tables = models.BooleanField(default=False)
    replaces = models.OneToOneField(
        "self", models.PROTECT, related_name="replaced_by", null=True, blank=True
    )
    # 1 for the first set of a session, 2 for the set that replaces it, and so on
    ordinal = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="a_board_set_has_boards",
                condition=Q(size__range=(1, MAX_SET_SIZE), first__gte=1),
            ),
            models.CheckConstraint(
                name="no_more_boards_made_than_wanted",
                condition=Q(made__lte=F("size")),
            ),
            models.CheckConstraint(
                name="a_secret_only_when_generated",
                condition=Q(source="generated", secret__isnull=False)
                | (~Q(source="generated") & Q(secret__isnull=True, commitment="")),
            ),
            models.CheckConstraint(
                name="an_error_only_when_failed",
                condition=Q(state="failed") | Q(error=""),
            ),
            models.CheckConstraint(
                name="a_public_value_only_when_awaited",
                condition=Q(awaits_public=True) | Q(public_value=""),
            ),
            models.CheckConstraint(
                name="a_set_that_replaces_another_is_counted",
                condition=Q(ordinal=1, replaces__isnull=True)
                | Q(ordinal__gt=1, replaces__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def board_numbers(self) -> range:
        """The range of board numbers in this set."""
        return range(self.first, self.first + self.size)

    @property
    def is_ready(self) -> bool:
        """Whether all boards of the set are dealt."""
        return self.state == self.State.READY

    @property
    def is_waiting_for_public_value(self) -> bool:
        """Whether dealing waits for the public value, such as tonight's lottery numbers."""
        return self.awaits_public and not self.public_value

    def list_earlier_sets(self) -> list["BoardSet"]:
        """Return the sets that this set has replaced, oldest first."""
        earlier_sets: list[BoardSet] = []
        replaced_set = self.replaces
        while replaced_set is not None:
            earlier_sets.insert(0, replaced_set)
            replaced_set = replaced_set.replaces
        return earlier_sets

    def load_deals(self) -> dict[int, Deal]:
        """Return the current deals by board number, in one query."""
        return {board.number: board.as_deal() for board in self.boards.current()}

    def load_dealers(self) -> dict[int, Seat]:
        """Return the dealers of the current deals by board number, in one query."""
        numbers_and_dealers = self.boards.current().values_list("number", "dealer")
        return {board_number: Seat(dealer) for board_number, dealer in numbers_and_dealers}

    def build_proof(self) -> Proof | None:
        """Return the proof of the dealing, or None if the set has no secret.

        Anyone can deal the boards again from the proof. The proof has only the first deal of
        each board, because later deals were shuffled at the table. It must stay
        secret while anyone may still play these boards (rules D2).
        """
        if self.secret is None:
            return None
        return Proof(
            secret=bytes(self.secret),
            commitment=self.commitment,
            first_number=self.first,
            board_count=self.size,
            public_value=self.public_value if self.awaits_public else None,
            deals_by_board={
                board.number: board.as_deal() for board in self.boards.filter(version=1)
            },
            versions_by_board={},
            previous_commitments=tuple(
                (board_count, commitment) for board_count, commitment in self.promised_before
            ),
        )


class BoardQuerySet(models.QuerySet["Board"]):
    """Queries for boards."""

    def current(self) -> "BoardQuerySet":
        """Return the current deal of each board, ordered by number.

        Replaced and undone deals are excluded.
        """
        later_versions = Board.objects.filter(
            is_taken_back=False,
            board_set=OuterRef("board_set"),
            number=OuterRef("number"),
            version__gt=OuterRef("version"),
        )
        return self.filter(~Exists(later_versions), is_taken_back=False).order_by("number")


class Board(models.Model):
    """One version of a board's deal; a new deal adds a version (rules E5)."""

    board_set = models.ForeignKey(BoardSet, models.CASCADE, related_name="boards")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveSmallIntegerField(default=1)
    dealer = models.CharField(max_length=1, choices=[(seat.value, seat.word) for seat in Seat])
    deal = models.CharField(max_length=80)
    # empty if trumps are declared and no card is turned up
    turn_up = models.CharField(max_length=2, blank=True)
    # True if undone; the previous deal is then current
    is_taken_back = models.BooleanField(default=False)
    # N/S's tricks with best play and the turn-up's suit as trumps; None if not computed
    best_tricks = models.PositiveSmallIntegerField(null=True, blank=True)
    # N/S's tricks with best play after each opening lead, by the card led, e.g. {"H6": 7}
    leads = models.JSONField(default=dict, blank=True)
    # 20 hex digits: the tricks of N, E, S and W, each in NT, S, H, D and C; "" if not computed
    table = models.CharField(max_length=20, blank=True)

    objects = BoardQuerySet.as_manager()

    class Meta:
        ordering = ["board_set", "number", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["board_set", "number", "version"],
                name="one_deal_a_board_and_version",
            ),
            models.CheckConstraint(
                name="boards_and_versions_count_from_one",
                condition=Q(number__gte=1, version__gte=1),
            ),
            models.CheckConstraint(
                name="the_dealer_is_a_seat",
                condition=Q(dealer__in=["N", "E", "S", "W"]),
            ),
            models.CheckConstraint(
                name="best_tricks_of_thirteen",
                condition=Q(best_tricks__isnull=True) | Q(best_tricks__range=(0, 13)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.board_set}, {self.number}"

    @classmethod
    def from_deal(
        cls, board_set: BoardSet, board_number: int, deal: Deal, *, version: int = 1
    ) -> "Board":
        """Return an unsaved board with the given deal."""
        return cls(
            board_set=board_set,
            number=board_number,
            version=version,
            dealer=deal.dealer.value,
            deal=format_hands(deal),
            turn_up=deal.turn_up.code if deal.turn_up else "",
        )

    def as_deal(self) -> Deal:
        """Return the deal that this row stores."""
        return _parse_deal(self.deal, self.dealer, self.turn_up)

    def get_best_tricks(self, trumps: Suit | None) -> int | None:
        """Return N/S's tricks with best play and the given trumps; None if not computed.

        The player on the dealer's left leads, whatever suit is trumps.
        """
        if trumps is None:
            return None
        if self.turn_up and CARDS_BY_CODE[self.turn_up].suit is trumps:
            return self.best_tricks
        if not self.table:
            return None
        dealer = Seat(self.dealer)
        cell_index = list(Seat).index(dealer) * (len(Suit) + 1) + 1 + list(Suit).index(trumps)
        tricks = int(self.table[cell_index], 16)
        return tricks if dealer.side is Side.NS else 13 - tricks


@lru_cache(maxsize=256)
def _parse_deal(hands_text: str, dealer_letter: str, turn_up_code: str) -> Deal:
    """Return the deal for the texts in a database row.

    The deal is cached, because one page or file uses it several times.
    """
    return read_deal(
        hands_text, Seat(dealer_letter), Card.parse(turn_up_code) if turn_up_code else None
    )
