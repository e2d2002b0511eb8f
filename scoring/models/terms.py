"""The terms of an event: how it is scored."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.methods import list_methods, map_methods_by_code
from tournaments.models import Event


class Terms(models.Model):
    """The terms on which an event is scored; every event has one row, created with the
    event.
    """

    class RevokeReading(models.TextChoices):
        """The two readings of Law X §4 where its items 2 and 3 conflict."""

        KEEP_TRICKS_ABOVE_AVERAGE = (
            "keep_tricks_above_average",
            _("kept, even above the average"),
        )
        NEVER_ABOVE_AVERAGE = "never_above_average", _("kept up to the average")

    class UnequalBoardsScore(models.TextChoices):
        """The score that ranks a field if its entries played unequal numbers of boards."""

        PER_BOARD = "per_board", _("score per board")
        TOTAL = "sums", _("total score")

    class TotalsUpdateTime(models.TextChoices):
        """When a result counts in the public totals during play."""

        AFTER_EACH_ROUND = "rounds", _("after each table’s round")
        AFTER_EACH_RESULT = "results", _("after every score (reveals single scores)")

    event = models.OneToOneField(Event, models.CASCADE, related_name="terms")
    # The code of a method in `scoring.methods.METHODS`.
    method = models.CharField(_("scoring"), max_length=20)
    # The names of the tie-breaks, in the order in which they are applied.
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    # The share that is carried over: an exact fraction as text.
    carry_over = models.CharField(
        _("carried over from earlier sessions"), max_length=20, default="1"
    )
    revokes_read = models.CharField(
        _("tricks won before a revoke"),
        max_length=30,
        choices=RevokeReading,
        default=RevokeReading.KEEP_TRICKS_ABOVE_AVERAGE,
    )
    # A pair's result is its total less the rounded average, as the American Whist League did
    # in 1894. It has no effect while the event's method has no averages.
    whole_averages = models.BooleanField(
        _("averages to the nearest whole trick"), default=False
    )
    unequal_boards = models.CharField(
        _("unequal boards"),
        max_length=20,
        choices=UnequalBoardsScore,
        default=UnequalBoardsScore.PER_BOARD,
        db_default=UnequalBoardsScore.PER_BOARD,
    )
    # The corrected total is the entry's total plus the mean of its opponents' totals; only for
    # drawn rounds.
    by_corrected = models.BooleanField(
        _("the corrected total decides"), default=False, db_default=False
    )
    totals_grow = models.CharField(
        _("standings during play update"),
        max_length=20,
        choices=TotalsUpdateTime,
        default=TotalsUpdateTime.AFTER_EACH_ROUND,
        db_default=TotalsUpdateTime.AFTER_EACH_ROUND,
    )

    class Meta:
        verbose_name_plural = "terms"
        constraints = [
            models.CheckConstraint(name="terms_name_a_method", condition=~Q(method="")),
            models.CheckConstraint(
                name="terms_say_what_is_carried", condition=~Q(carry_over="")
            ),
            models.CheckConstraint(
                name="terms_read_the_law_on_revokes_in_a_known_way",
                condition=Q(
                    revokes_read__in=["keep_tricks_above_average", "never_above_average"]
                ),
            ),
            models.CheckConstraint(
                name="terms_place_unequal_boards_in_a_known_way",
                condition=Q(unequal_boards__in=["per_board", "sums"]),
            ),
            models.CheckConstraint(
                name="terms_let_totals_grow_in_a_known_way",
                condition=Q(totals_grow__in=["rounds", "results"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.method}"

    def validate_fields(self) -> None:
        """Raise ValidationError for an invalid field; the database checks its constraints."""
        self.clean_fields(exclude=["event"])
        self.clean()

    def clean(self) -> None:
        """Reject a method that cannot score the contest; the error names those that can."""
        methods_by_code = map_methods_by_code(
            list_methods(self.event.contest, is_in_points=self.event.is_scored_in_points)
        )
        if self.method not in methods_by_code:
            message = gettext(
                "This scoring doesn’t work for this event. Choose from: %(names)s."
            )
            raise ValidationError({"method": message % {"names": ", ".join(methods_by_code)}})
