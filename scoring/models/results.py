"""The result of each board at each sitting, and every value that was entered for it."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from boards.whist import ALL_DECLARATIONS
from scoring.models.written_score import Outcome, WrittenScore
from tournaments.models import MAX_POINTS_PER_BOARD, Sitting


class Doubt(models.TextChoices):
    """Whether the plausibility check has queried a result, and a user has accepted it."""

    NONE = "", _("none")
    QUERIED = "queried", _("queried")
    KEPT = "kept", _("queried and kept")


class Agreement(models.TextChoices):
    """Whether the other side has confirmed a result that its table's phone sent."""

    NONE = "", _("not asked for")  # a director or scorer entered it
    AWAITED = "awaited", _("not confirmed yet")
    CONFIRMED = "given", _("confirmed by the other side")


def _build_value_constraint(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        name=name,
        condition=Q(
            outcome=Outcome.PLAYED,
            ns_tricks__isnull=False,
            ns_tricks__range=(0, 13),
            ns_points__isnull=True,
            ew_points__isnull=True,
        )
        | Q(
            outcome=Outcome.PLAYED,
            ns_tricks__isnull=True,
            ns_points__isnull=False,
            ns_points__range=(0, MAX_POINTS_PER_BOARD),
            ew_points__isnull=False,
            ew_points__range=(0, MAX_POINTS_PER_BOARD),
        )
        | (
            ~Q(outcome=Outcome.PLAYED)
            & Q(ns_tricks__isnull=True, ns_points__isnull=True, ew_points__isnull=True)
        ),
    )


_HAS_RULING_IN_FORCE = Q(rulings__isnull=False, rulings__withdrawn_at__isnull=True)
_HAS_NEW_DEAL_IN_FORCE = Q(rulings__kind="new_deal", rulings__withdrawn_at__isnull=True)


class Result(models.Model):
    """The tricks or points of N-S on one board at one sitting, before any ruling."""

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="results")
    board = models.PositiveSmallIntegerField()
    # The deal of the board: 2 after a new deal was ruled at this table or a later one.
    deal = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.PLAYED)
    ns_tricks = models.PositiveSmallIntegerField(null=True, blank=True)
    # The points that each side won, if the event counts points.
    ns_points = models.PositiveSmallIntegerField(null=True, blank=True)
    ew_points = models.PositiveSmallIntegerField(null=True, blank=True)
    # The code of the table's declaration, if the event notes it: H, N, NX.
    trump = models.CharField(max_length=3, blank=True, default="", db_default="")
    doubt = models.CharField(max_length=10, choices=Doubt, default=Doubt.NONE, blank=True)
    agreement = models.CharField(
        max_length=10, choices=Agreement, default=Agreement.NONE, blank=True
    )

    new_deal_ruling_count: int
    """The number of rulings of a new deal in force. Set by `query_round_results` and by session
    snapshots.
    """
    ruling_count: int
    """The number of all rulings in force. Set where `new_deal_ruling_count` is set."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="agreement_is_known", condition=Q(agreement__in=["", "awaited", "given"])
            ),
            models.CheckConstraint(
                name="doubt_is_known", condition=Q(doubt__in=["", "queried", "kept"])
            ),
            models.UniqueConstraint(
                fields=["sitting", "board", "deal"], name="one_result_a_sitting_board_and_deal"
            ),
            models.CheckConstraint(name="deals_count_from_one", condition=Q(deal__gte=1)),
            _build_value_constraint("tricks_or_points_when_played"),
            models.CheckConstraint(
                name="trump_is_declared_on_a_board_played",
                condition=Q(trump="")
                | Q(
                    outcome=Outcome.PLAYED,
                    trump__in=[declaration.code for declaration in ALL_DECLARATIONS],
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"board {self.board}, {self.sitting}: {self.mark or 'to come'}"

    @property
    def history_location(self) -> dict[str, int | str]:
        """The table and the board of the result, in the format of the history."""
        return {**self.sitting.history_location, "board": self.board}

    @classmethod
    def find_or_create_current_result(cls, sitting: Sitting, board_number: int) -> "Result":
        """Return the current result of a board at a sitting; a new one is not saved."""
        results = cls.query_round_results(sitting.section_id, sitting.round, board_number)
        return cls.choose_current_result(results, sitting, board_number)

    @classmethod
    def choose_current_result(
        cls, results: "Iterable[Result]", sitting: Sitting, board_number: int
    ) -> "Result":
        """Choose the current result of a sitting from the results of its board and round.

        `results` has the last deal first, as `query_round_results` returns it. After a new deal
        was ruled at this table, the result is that of the new deal. The same is true at a
        table that shares the boards of the round and plays them later; a table that had played
        them before has its own result. If the new deal is withdrawn, the earlier result is
        current again.
        """
        board_results = list(results)
        current_deal_number = (
            max(
                (result.deal for result in board_results if result.new_deal_ruling_count),
                default=0,
            )
            + 1
        )
        table_results = [
            result
            for result in board_results
            if result.sitting_id == sitting.pk and not result.new_deal_ruling_count
        ]
        current_deal_results = [
            result for result in table_results if result.deal == current_deal_number
        ]
        earlier_results = [
            result
            for result in table_results
            if result.deal < current_deal_number and result.has_score_or_ruling
        ]
        for existing_result in (*current_deal_results, *earlier_results):
            existing_result.sitting = sitting
            return existing_result
        new_result = cls(
            sitting=sitting,
            board=board_number,
            deal=current_deal_number,
            outcome=Outcome.CLEARED,
        )
        new_result.new_deal_ruling_count = new_result.ruling_count = 0
        return new_result

    @property
    def has_score_or_ruling(self) -> bool:
        """Whether the result has a score or a ruling. Requires that `ruled` is set."""
        return self.outcome != Outcome.CLEARED or self.ruling_count > 0

    @classmethod
    def query_round_results(
        cls, section_id: int, round_number: int, board_number: int
    ) -> "models.QuerySet[Any]":
        """Return a board's results in a round, the last deal first, annotated with `replaced`
        and `ruled`.
        """
        results = cls.objects.filter(
            sitting__section=section_id, sitting__round=round_number, board=board_number
        )
        return results.annotate(
            new_deal_ruling_count=models.Count("rulings", filter=_HAS_NEW_DEAL_IN_FORCE),
            ruling_count=models.Count("rulings", filter=_HAS_RULING_IN_FORCE),
        ).order_by("-deal")

    @property
    def ew_tricks(self) -> int | None:
        """The tricks of E-W, which are thirteen less those of N-S."""
        return None if self.ns_tricks is None else 13 - self.ns_tricks

    @property
    def written_score(self) -> WrittenScore:
        """The result as a `WrittenScore`."""
        return WrittenScore(self.outcome, self.ns_tricks, self.ns_points, self.ew_points)

    @property
    def mark(self) -> str:
        """The text in the score grid: "8", "120-40", "-" for not played, "" for none."""
        return self.written_score.mark


class ResultVersion(models.Model):
    """One value entered for a result, with its author, time and source; it is never deleted."""

    class InputChannel(models.TextChoices):
        GRID = "grid", _("score grid")
        API = "api", _("API")
        FILE = "file", _("event file")
        DEMO = "demo", _("demo")
        PHONE = "phone", _("phone at the table")
        UNDO = "undo", _("undo")
        REHEARSAL = "rehearsal", _("rehearsal")

    result = models.ForeignKey(Result, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=10, choices=Outcome)
    ns_tricks = models.PositiveSmallIntegerField(null=True, blank=True)
    ns_points = models.PositiveSmallIntegerField(null=True, blank=True)
    ew_points = models.PositiveSmallIntegerField(null=True, blank=True)
    trump = models.CharField(max_length=3, blank=True, default="", db_default="")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    by = models.CharField(max_length=150)  # the author's name at that time
    at = models.DateTimeField()
    via = models.CharField(max_length=10, choices=InputChannel)
    # Chosen by the phone, so that a retry after a lost response is recognised.
    key = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["result", "number"], name="one_version_a_number"),
            models.UniqueConstraint(
                fields=["result", "key"], condition=~Q(key=""), name="one_version_a_key"
            ),
            _build_value_constraint("version_tricks_or_points_when_played"),
        ]

    def __str__(self) -> str:
        return f"{self.result}, version {self.number}"

    @property
    def written_score(self) -> WrittenScore:
        """The entered value as a `WrittenScore`."""
        return WrittenScore(self.outcome, self.ns_tricks, self.ns_points, self.ew_points)

    @property
    def mark(self) -> str:
        """The text in the score grid: "8", "120-40", "-" for not played, "" for none."""
        return self.written_score.mark
