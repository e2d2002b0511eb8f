"""Stored standings; they can be deleted and recomputed at any time."""

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event


class Ranking(models.Model):
    """The standings of an event as last computed."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="ranking")
    # Incremented by every computation that changes the standings.
    version = models.PositiveIntegerField(default=0)
    # The sum of the sessions' revisions when the standings were computed.
    revision = models.PositiveIntegerField(default=0)
    complete = models.BooleanField(default=False)
    missing = models.PositiveIntegerField(default=0)  # the number of results not entered yet
    # The number of rulings whose outcome may still change or needs a confirmation.
    provisional = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(null=True, blank=True)
    # The standings to show to the public while `standings` includes hidden results; None if
    # `standings` can be shown to the public.
    public = models.JSONField(null=True, blank=True)
    # The version in which the public standings last changed; 0 before they are computed.
    public_version = models.PositiveIntegerField(
        default=0,
        db_default=0,
    )

    def __str__(self) -> str:
        return f"{self.event}, version {self.version}"


class Standing(models.Model):
    """An entry's place in the stored standings; score and average are exact fractions as
    text.
    """

    ranking = models.ForeignKey(Ranking, models.CASCADE, related_name="standings")
    section = models.CharField(max_length=2)
    field = models.CharField(max_length=2, blank=True)
    average = models.CharField(max_length=40, blank=True)
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="standings")
    label = models.CharField(max_length=8)
    rank = models.PositiveIntegerField()
    tied = models.BooleanField(default=False)
    score = models.CharField(max_length=40)
    percent = models.CharField(max_length=40, blank=True)
    tricks = models.CharField(max_length=40)
    boards = models.PositiveIntegerField()
    penalty = models.CharField(max_length=40, blank=True)
    carried = models.CharField(max_length=40, blank=True)
    broken_by = models.CharField(max_length=20, blank=True)  # the deciding tie-break
    wins_overall = models.BooleanField(default=False)
    # The corrected total, with the mean of the opponents' totals, if the event's terms use it.
    corrected = models.CharField(max_length=40, blank=True, default="", db_default="")
    # The score per board, if entries are ranked by it.
    a_board = models.CharField(max_length=40, blank=True, default="", db_default="")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["ranking", "entry"], name="one_standing_an_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.rank} {self.entry}"


class StandingsVersion(models.Model):
    """An event's standings at the close of a session, or after a correction."""

    class Reason(models.TextChoices):
        """The cause of the version."""

        CLOSED = "closed", _("session closed")
        BOARD = "board", _("board corrected")
        PENALTY = "penalty", _("penalty changed")

    event = models.ForeignKey(Event, models.CASCADE, related_name="standings_versions")
    number = models.PositiveIntegerField()
    rows = models.JSONField(default=list)  # one dict for each standing; numbers are exact text
    reason = models.CharField(max_length=10, choices=Reason, default=Reason.CLOSED)
    board = models.PositiveSmallIntegerField(null=True, blank=True)  # the corrected board
    made_by = models.CharField(max_length=150)  # the author's name at that time
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number"], name="one_standings_version_a_number"
            ),
            models.CheckConstraint(
                name="standings_versions_count_from_one", condition=models.Q(number__gte=1)
            ),
            models.CheckConstraint(
                name="a_board_corrected_says_which",
                condition=models.Q(reason="board", board__isnull=False)
                | models.Q(reason__in=["closed", "penalty"], board__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}, standings version {self.number}"

    @property
    def change_reason_text(self) -> str:
        """The cause of the version as displayed text."""
        if self.board is not None:
            return gettext("board %(board)s corrected") % {"board": self.board}
        return self.get_reason_display()
