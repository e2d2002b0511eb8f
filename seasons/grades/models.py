"""The models of a club's grades: settings, current grades and their history."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from tournaments.models import Event


class RecomputationReason(models.TextChoices):
    """The reason why the grades of an evening were computed or recomputed."""

    PLAYED = "played", _("played")
    CORRECTED = "corrected", _("a score was corrected")
    PLAYER_CHANGED = "people", _("a player was changed")
    EVENINGS_CHANGED = "evenings", _("an earlier event was added or removed")
    CONSTANTS_CHANGED = "constants", _("the grade settings changed")
    PROGRAM_UPDATED = "program", _("Overplay was updated")


class GradeBook(models.Model):
    """A club's settings and constants for grades; a club without a row has no grades.

    `stamp` is the hash of the results that the grades were computed from. If it differs from
    the hash of the current results, pages mark the grades as outdated.
    """

    class Visibility(models.TextChoices):
        """The people who see the grades."""

        SELF = "self", _("only the player, on their own page")
        MEMBERS = "members", _("members, on their own pages")
        ALL = "all", _("everyone, on the players’ pages")

    club = models.OneToOneField(Club, models.CASCADE, related_name="grade_book")
    seen = models.CharField(
        _("who sees grades"), max_length=10, choices=Visibility, default=Visibility.SELF
    )
    is_on = models.BooleanField(default=True)
    # the constants that `GradeModelConstants` describes, in tricks per board
    s0 = models.FloatField(default=0.25)
    tau = models.FloatField(default=0.05)
    q = models.FloatField(default=0.07)
    # the hash of the results from which the grades were computed
    stamp = models.CharField(max_length=64, blank=True, default="", editable=False)
    # the number of evenings from which the grades were computed
    evenings = models.PositiveIntegerField(default=0, editable=False)
    noise = models.FloatField(default=1.69, editable=False)  # the variance of one play
    made_at = models.DateTimeField(null=True, blank=True, editable=False)
    # the reason for the recomputation in progress, or ""
    why = models.CharField(
        max_length=12,
        blank=True,
        default="",
        db_default="",
        choices=RecomputationReason,
        editable=False,
    )
    # the first changed event, from which on grades are recomputed
    because = models.ForeignKey(
        Event, models.SET_NULL, related_name="+", null=True, blank=True, editable=False
    )
    # pages compare this mark with the current standings; it is cheaper to compute than `stamp`
    mark = models.CharField(
        max_length=60, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="grades_are_seen_by_somebody",
                condition=Q(seen__in=["self", "members", "all"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club}"


class Grade(models.Model):
    """A person's current grade: the estimated strength in tricks per board."""

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="grades")
    player = models.ForeignKey(Player, models.CASCADE, related_name="grades")
    # the partner if `shown` is the grade of the pair, else None
    partner = models.ForeignKey(Player, models.CASCADE, related_name="+", null=True, blank=True)
    mean = models.FloatField()  # tricks per board; the club's mean is not subtracted
    sd = models.FloatField()  # the standard deviation of `mean`
    boards = models.PositiveIntegerField()  # the number of boards played
    column = models.FloatField()  # the percentage grade, a second kind of grade
    # tricks in 24 boards above the club's mean
    shown = models.FloatField(null=True, blank=True)
    range = models.FloatField(null=True, blank=True)  # half width of the 80 % interval
    word = models.CharField(
        max_length=10, blank=True, default=""
    )  # the reliability; "" if not shown

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["book", "player"], name="one_grade_a_player"),
            models.CheckConstraint(
                name="a_grade_shown_has_a_range",
                condition=Q(shown__isnull=True, range__isnull=True)
                | Q(shown__isnull=False, range__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.mean}"


class GradeConstants(models.Model):
    """One fit of the grade constants to a club's results, finished or in progress."""

    class FitCause(models.TextChoices):
        FIRST = "first", _("first twenty evenings")
        SEASON = "season", _("end of a season")
        OWNER = "owner", _("requested by an owner")
        OWNER_CHOICE = "chosen", _("chosen by an owner")

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="constants")
    cause = models.CharField(max_length=10, choices=FitCause)
    asked_by = models.CharField(max_length=200, blank=True, default="")
    asked_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)
    s0 = models.FloatField(default=0.25)
    tau = models.FloatField(default=0.05)
    q = models.FloatField(default=0.07)
    evenings = models.PositiveIntegerField(default=0)
    gain = models.FloatField(null=True, blank=True)
    """The log-likelihood of the evenings, relative to that with the default constants."""
    # hash of the evenings on which the constants were tried
    stamp = models.CharField(max_length=64, blank=True, default="")
    tried = models.JSONField(default=list)  # log-likelihoods, in the order of `TRIED_CONSTANTS`

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "grade constants"
        constraints = [
            models.UniqueConstraint(
                fields=["book"], condition=Q(done_at__isnull=True), name="one_fit_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.book}: {self.s0}, {self.tau}, {self.q}"


class GradeEvening(models.Model):
    """An event's results in the form in which the computation of grades uses them.

    The row is a cache, and is valid for one version of the event's results.
    """

    event = models.OneToOneField(Event, models.CASCADE, related_name="grade_evening")
    stamp = models.CharField(max_length=200)  # the versions of the event's sources
    # serialized by `seasons.grades.rating.serialization`; None if no board is usable
    facts = models.JSONField(null=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.event}"


class GradeCheckpoint(models.Model):
    """The state of a club's grades after the last evening of a quarter or the newest evening.

    A checkpoint is valid if its `stamp` equals the hash of the evenings up to it. Invalid
    checkpoints are deleted.
    """

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="checkpoints")
    evenings = models.PositiveIntegerField()  # the number of evenings that the state includes
    stamp = models.CharField(max_length=64)
    is_quarter = models.BooleanField()
    state = models.JSONField()  # serialized by `seasons.grades.rating.serialization`

    class Meta:
        ordering = ["evenings", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["book", "evenings"], name="one_checkpoint_after_an_evening"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.book}, {self.evenings}"


class GradeStep(models.Model):
    """The effect of one evening on a person's grade.

    Existing rows never change. The newest row of a person and an event is the current one.
    """

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="steps")
    player = models.ForeignKey(Player, models.CASCADE, related_name="grade_steps")
    event = models.ForeignKey(Event, models.CASCADE, related_name="grade_steps")
    why = models.CharField(
        max_length=12, choices=RecomputationReason, default=RecomputationReason.PLAYED
    )
    # the first changed event that caused the recomputation
    because = models.ForeignKey(Event, models.SET_NULL, related_name="+", null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    # the partner on this evening; None if there were several
    partner = models.ForeignKey(
        Player, models.SET_NULL, related_name="+", null=True, blank=True
    )
    boards = models.PositiveIntegerField()  # 0 if a correction removed the person
    expected = models.FloatField()  # tricks over the evening, relative to the compared pairs
    expected_sd = models.FloatField(null=True, blank=True)
    made = models.FloatField()  # the actual result, in the same unit as `expected`
    mean = models.FloatField()  # tricks per board; the club's mean is not subtracted
    sd = models.FloatField()
    all_boards = models.PositiveIntegerField()
    column = models.FloatField()  # the percentage grade, a second kind of grade
    # tricks in 24 boards above the club's mean
    shown = models.FloatField(null=True, blank=True)
    range = models.FloatField(null=True, blank=True)
    word = models.CharField(max_length=10, blank=True, default="")
    is_pair = models.BooleanField(default=False)  # whether `shown` is the grade of the pair

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="a_step_shown_has_a_range",
                condition=Q(shown__isnull=True, range__isnull=True)
                | Q(shown__isnull=False, range__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}, {self.event}: {self.mean}"


class HiddenGrade(models.Model):
    """The setting of a person whose grade is visible only to that person."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="hidden_grade")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player}"
