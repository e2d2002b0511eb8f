"""Events, their entries and sessions."""

from collections.abc import Iterable, Sequence
from datetime import date as Date
from datetime import datetime, timedelta
from functools import reduce
from operator import or_

from django.db import models
from django.db.models import Prefetch, Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from boards.models import BoardSet
from boards.whist import ALL_DECLARATIONS, SUIT_DECLARATIONS, Deal, Declaration, Seat, Suit
from clubs.activities.models import Activity, ActivityQuerySet
from clubs.models import Club, Evening, Player
from clubs.models.names import NameField
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.stray_boards import BoardNumbers, list_boards_played

MAX_POINTS_PER_BOARD = 9999
"""The highest maximum of points on a board that an event can set."""
CONGRESS_MOVEMENTS = frozenset({DRAWN_MOVEMENT_NAME, "barometer", "custom"})
"""The movements of congresses: Swiss and knock-out rounds, barometer, and custom movements."""
CONGRESS_RELATIONS = ("stage", "final", "knockout", "strata", "prizes", "entries__profile")
"""The relations of an event to rows that only congresses use."""


class EventQuerySet(ActivityQuerySet["Event"]):
    """Filters of events."""

    def filter_finished(self) -> "EventQuerySet":
        """Filter to events whose sessions are all closed."""
        unfinished_sessions = Session.objects.exclude(state=Session.State.CLOSED).values(
            "event"
        )
        return self.exclude(pk__in=unfinished_sessions)

    def public(self) -> "EventQuerySet":
        """Filter to listed events that are over and whose standings are public."""
        return (
            self.exclude_hidden()
            .filter_finished()
            .exclude(standings_shown=Event.StandingsVisibility.NEVER)
        )

    def with_sessions(self) -> "EventQuerySet":
        """Fetch the club, the sessions and the evening of each session with the events."""
        return self.select_related("club").prefetch_related(self.build_sessions_prefetch())

    @staticmethod
    def build_sessions_prefetch() -> "Prefetch[str]":
        """Return the prefetch of sessions with evenings, for events that are already loaded."""
        return Prefetch("sessions", Session.objects.select_related("evening"))


class Event(Activity):
    """A competition of one club: one or more sessions, ranked as one."""

    kind = argument_name = url_name = "event"

    class Contest(models.TextChoices):
        PAIRS = "pairs", _("pairs")
        TEAMS = "teams", _("teams of four")
        INDIVIDUAL = "individual", _("individuals")
        MEMORY = "memory", _("memory duplicate")

    class StandingsVisibility(models.TextChoices):
        ALWAYS = "always", _("always, while the scores come in")
        AFTER = "after", _("after the session")
        NEVER = "never", _("never")

    class Trumps(models.TextChoices):
        """How trumps are determined.

        A card is turned up unless all players agree on another way (rules B8).
        """

        TURNED = "turned", _("a card is turned up")
        DECLARED = "declared", _("declared at the table for each board")
        SPADES = "S", _("spades on every board")
        HEARTS = "H", _("hearts on every board")
        DIAMONDS = "D", _("diamonds on every board")
        CLUBS = "C", _("clubs on every board")

    class PaperSize(models.TextChoices):
        A4 = "A4", _("A4")
        LETTER = "Letter", _("Letter")

    club = models.ForeignKey(Club, models.CASCADE, related_name="events")
    # whether entries keep their numbers, because a bracket or a carry-over refers to them
    numbers_stand = models.BooleanField(default=False, db_default=False, editable=False)
    name = models.CharField(_("name"), max_length=100)
    date = models.DateField(_("date"))  # the date in lists; each session has its own
    contest = models.CharField(
        _("contest"), max_length=10, choices=Contest, default=Contest.PAIRS
    )
    standings_shown = models.CharField(
        _("players see the standings"),
        max_length=10,
        choices=StandingsVisibility,
        default=StandingsVisibility.ALWAYS,
    )
    paper_size = models.CharField(
        _("paper"), max_length=10, choices=PaperSize, default=PaperSize.A4
    )
    # values other than "turned" require that every player agrees (Law IV §11)
    trumps = models.CharField(
        _("trumps"),
        max_length=8,
        choices=Trumps,
        default=Trumps.TURNED,
        db_default=Trumps.TURNED,
    )
    # memory duplicate: whether the second play of a board exchanges the suits, so that players
    # don't recognise the hands of the first play
    other_suits = models.BooleanField(
        _("second play in other suits"), default=False, db_default=False
    )
    # the maximum of points for a side on a board; null if results are tricks
    most_points = models.PositiveSmallIntegerField(
        _("points that a side can win on a board"), null=True, blank=True
    )
    # incremented with every corrected name, so that open pages reload
    renamings = models.PositiveIntegerField(default=0, editable=False)

    objects = EventQuerySet.as_manager()

    class Meta(Activity.Meta):
        ordering = ["-date", "-id"]
        constraints = [
            *Activity.Meta.constraints,
            models.CheckConstraint(
                name="event_says_what_is_trumps",
                condition=Q(trumps__in=["turned", "declared", "S", "H", "D", "C"]),
            ),
            models.CheckConstraint(
                name="event_limits_its_points",
                condition=Q(most_points__isnull=True)
                | Q(most_points__range=(1, MAX_POINTS_PER_BOARD)),
            ),
            models.CheckConstraint(
                name="other_suits_in_memory_duplicate",
                condition=Q(other_suits=False) | (Q(contest="memory") & ~Q(trumps="declared")),
            ),
        ]

    @property
    def is_scored_in_points(self) -> bool:
        """Whether results are points won and lost (The Standard Hoyle), instead of tricks."""
        return self.most_points is not None

    @property
    def has_turn_up(self) -> bool:
        """Whether the dealer turns a card up for trumps, as the law requires."""
        return self.trumps == self.Trumps.TURNED

    @cached_property
    def is_drawn(self) -> bool:
        """Whether any session of the event has drawn rounds (one query)."""
        if self.contest not in (self.Contest.PAIRS, self.Contest.TEAMS):
            return False
        return self.sessions.filter(sections__movement=DRAWN_MOVEMENT_NAME).exists()

    @property
    def should_offer_congress_features(self) -> bool:
        """Whether pages offer congress features: the club enabled or the event uses them."""
        return self.club.has_congress_features or self.uses_congress_features

    @cached_property
    def uses_congress_features(self) -> bool:
        """Whether the event already uses congress features (at most two queries).

        Finals, brackets, strata and prizes belong to `scoring`. They are checked through the
        names of relations, because this package cannot import their models.
        """
        if self.is_scored_in_points or self.contest == self.Contest.MEMORY:
            return True
        seated_sessions = Session.objects.filter(event=self, sections__isnull=False)
        session_pks_and_movements = list(
            seated_sessions.values_list("pk", "sections__movement")
        )
        if len(session_pks_and_movements) > len(
            dict(session_pks_and_movements)
        ) or not CONGRESS_MOVEMENTS.isdisjoint(
            movement for _session_pk, movement in session_pks_and_movements
        ):
            return True
        conditions = (Q(**{f"{name}__isnull": False}) for name in CONGRESS_RELATIONS)
        return Event.objects.filter(reduce(or_, conditions), pk=self.pk).exists()

    @property
    def has_declared_trumps(self) -> bool:
        """Whether tables declare trumps for each board, so that pages can record them."""
        return self.trumps == self.Trumps.DECLARED

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """The declarations that a table may make; empty if trumps are not recorded.

        In an event scored in points they include no trump and doubled declarations.
        Sources: Law IV §11; The Standard Hoyle, Duplicate Bridge.
        """
        if not self.has_declared_trumps:
            return ()
        return ALL_DECLARATIONS if self.is_scored_in_points else SUIT_DECLARATIONS

    @property
    def trump_suit(self) -> Suit | None:
        """The suit agreed on for every board, or None."""
        return Suit(self.trumps) if self.trumps in list(Suit) else None

    def build_played_deal(self, deal: Deal, declared_trumps: Suit | None = None) -> Deal:
        """Return a deal as this event plays it: without the turn-up if no card is turned up.

        `declared_trumps` is the suit that the table declared for the deal.
        """
        if self.has_turn_up:
            return deal
        return deal.with_declared_trumps(self.trump_suit or declared_trumps)

    @property
    def state(self) -> str:
        """The event's state: planned, open or closed; open while any session is open."""
        states = {session.state for session in self.sessions.all()}
        if Session.State.OPEN in states:
            return Session.State.OPEN
        return (
            Session.State.CLOSED if states == {Session.State.CLOSED} else Session.State.PLANNED
        )


class Entry(models.Model):
    """The ranked unit of an event: a pair, a player or a team."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField()
    name = NameField(_("name"), max_length=170)
    # whether the entry cannot walk between tables and needs a stationary place
    stays_seated = models.BooleanField(default=False)
    players = models.ManyToManyField(Player, through="EntryPlayer", related_name="entries")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_entry_a_number"),
            models.CheckConstraint(name="entry_counts_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


class EntryPlayer(models.Model):
    """A player of an entry, with the player's position in the entry's name."""

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entry_memberships")
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "player"], name="a_player_once_an_entry"),
            models.UniqueConstraint(fields=["entry", "order"], name="one_player_an_order"),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.player}"


class Session(models.Model):
    """One session of an event, with a state, boards and sections."""

    class State(models.TextChoices):
        PLANNED = "planned", _("being set up")
        OPEN = "open", _("in play")
        CLOSED = "closed", _("closed")

    class DealsState(models.TextChoices):
        UNDECIDED = "undecided", _("not decided")
        RECORDED = "recorded", _("known to the program")
        NONE = "none", _("shuffled at the table")

    event = models.ForeignKey(Event, models.CASCADE, related_name="sessions")
    number = models.PositiveSmallIntegerField(default=1)
    evening = models.OneToOneField(Evening, models.PROTECT, related_name="session")
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    deals = models.CharField(max_length=10, choices=DealsState, default=DealsState.UNDECIDED)
    board_set = models.ForeignKey(
        BoardSet, models.PROTECT, related_name="sessions", null=True, blank=True
    )
    # the board set whose request was undone; the next requested set replaces it
    set_aside = models.ForeignKey(
        BoardSet, models.PROTECT, related_name="laid_aside_by", null=True, blank=True
    )
    boards_a_round = models.PositiveSmallIntegerField(default=4)
    # whether all sections play the same deals and are ranked together
    across_sections = models.BooleanField(default=False)
    # incremented with every write that can change a score
    revision = models.PositiveIntegerField(default=0)
    # how many of the writes counted in `revision` also replaced a section's stamp
    stamped = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_session_a_number"),
            models.CheckConstraint(
                name="boards_a_round_is_sensible", condition=Q(boards_a_round__range=(1, 60))
            ),
            models.CheckConstraint(
                name="deals_recorded_with_a_board_set",
                condition=Q(deals="recorded", board_set__isnull=False)
                | (~Q(deals="recorded") & Q(board_set__isnull=True)),
            ),
            models.CheckConstraint(
                name="closed_session_says_when",
                condition=Q(state="closed", closed_at__isnull=False)
                | (~Q(state="closed") & Q(closed_at__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}, session {self.number}"

    @property
    def day(self) -> Date:
        """The day on which the session is played."""
        return self.evening.date

    @property
    def corrections_end(self) -> datetime | None:
        """The end of a closed session's period for corrections; None unless it is closed."""
        if self.closed_at is None:
            return None
        return self.closed_at + timedelta(hours=self.event.club.correction_hours)

    def load_known_deals(self) -> dict[int, Deal]:
        """Return the recorded deals by board, as the event plays them, in one query."""
        if self.board_set is None:
            return {}
        deals_by_board = self.board_set.load_deals().items()
        return {
            board_number: self.event.build_played_deal(deal)
            for board_number, deal in deals_by_board
        }

    def load_dealers(self, board_numbers: Iterable[int]) -> dict[int, Seat]:
        """Return the dealer of each board, in one query.

        The dealer has the turn-up (the laws' definition d), so a stored deal determines the
        dealer. If there is no deal, the board's number does (rules C5). The dealer is printed
        on the board, and is not secret.
        """
        stored_dealers = self.board_set.load_dealers() if self.board_set else {}
        return {
            board_number: stored_dealers.get(board_number, Seat.find_dealer(board_number))
            for board_number in board_numbers
        }

    def get_group_boards(self, board_group: int) -> range:
        """Return the board numbers of a group, e.g. 1 to 4 for group 1 with four boards."""
        first_board = (board_group - 1) * self.boards_a_round + 1
        return range(first_board, first_board + self.boards_a_round)

    def find_board_group(self, board_number: int) -> int:
        """Return the number of the board group that contains a board."""
        return (board_number - 1) // self.boards_a_round + 1

    def list_boards_at_table(
        self, board_group: int, stray_pairs: Sequence[Sequence[int]]
    ) -> BoardNumbers:
        """Return the boards that a table really plays.

        They are the boards of the group, except those in `stray_pairs`. A stray is a pair: a
        board of the group, and the board that was played instead (0 if none).
        """
        group_boards = self.get_group_boards(board_group)
        return list_boards_played(group_boards, stray_pairs) if stray_pairs else group_boards
