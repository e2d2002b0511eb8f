"""A club's grades: its settings, the current grades, and their history."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from tournaments.models import Event


class RecomputationReason(models.TextChoices):
    """The reason why the numbers of an evening were stored, or stored again."""

    PLAYED = "played", _("played")
    CORRECTED = "corrected", _("a result was corrected")
    PEOPLE = "people", _("it was changed who sat there")
    EVENINGS = "evenings", _("an earlier evening came or went")
    CONSTANTS = "constants", _("the constants were fitted again")
    PROGRAM = "program", _("the program was renewed")


class GradeBook(models.Model):
    """A club's settings for grades; a club without a row has no grades.

    While `stamp` differs from that of the current standings, the old grades are shown and
    marked as outdated.
    """

    class Seen(models.TextChoices):
        SELF = "self", _("each person alone, on their own page")
        MEMBERS = "members", _("members, on their own pages")
        ALL = "all", _("everybody, on the players' pages")

    club = models.OneToOneField(Club, models.CASCADE, related_name="grade_book")
    seen = models.CharField(_("who sees them"), max_length=10, choices=Seen, default=Seen.SELF)
    is_on = models.BooleanField(default=True)
    s0 = models.FloatField(default=0.25)
    tau = models.FloatField(default=0.05)
    q = models.FloatField(default=0.07)
    stamp = models.CharField(
        max_length=64, blank=True, default="", editable=False
    )  # of the standings that the grades were computed from
    evenings = models.PositiveIntegerField(default=0, editable=False)
    noise = models.FloatField(default=1.69, editable=False)  # the variance of one play
    made_at = models.DateTimeField(null=True, blank=True, editable=False)
    why = models.CharField(
        max_length=12,
        blank=True,
        default="",
        db_default="",
        choices=RecomputationReason,
        editable=False,
    )  # the reason of the recomputation in progress, else ""
    because = models.ForeignKey(
        Event, models.SET_NULL, related_name="+", null=True, blank=True, editable=False
    )  # the first recomputed evening
    mark = models.CharField(
        max_length=60, blank=True, default="", db_default="", editable=False
    )  # compared with the standings by pages: cheaper to query than `stamp`

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
    """A person's estimated strength in tricks a board, after the last evening."""

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="grades")
    player = models.ForeignKey(Player, models.CASCADE, related_name="grades")
    partner = models.ForeignKey(
        Player, models.CASCADE, related_name="+", null=True, blank=True
    )  # if two strengths cannot be separated and the shown grade is the pair's
    mean = models.FloatField()  # not centred, as in the filter
    sd = models.FloatField()
    boards = models.PositiveIntegerField()
    column = models.FloatField()  # the percent scale that clubs know
    shown = models.FloatField(null=True, blank=True)  # tricks above the club in 24 boards
    range = models.FloatField(null=True, blank=True)  # half width of the 80 % interval
    word = models.CharField(max_length=10, blank=True, default="")  # "" if nothing is shown

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
    """The constants of a club's grades since a date, and why; or a fit in progress."""

    class Cause(models.TextChoices):
        FIRST = "first", _("twenty evenings are there")
        SEASON = "season", _("a season is over")
        OWNER = "owner", _("an owner asked for it")
        CHOSEN = "chosen", _("an owner took them by hand")

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="constants")
    cause = models.CharField(max_length=10, choices=Cause)
    asked_by = models.CharField(max_length=200, blank=True, default="")
    asked_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)
    s0 = models.FloatField(default=0.25)
    tau = models.FloatField(default=0.05)
    q = models.FloatField(default=0.07)
    evenings = models.PositiveIntegerField(default=0)
    gain = models.FloatField(null=True, blank=True)
    """The gain in log-likelihood of the evenings over the default constants."""
    stamp = models.CharField(max_length=64, blank=True, default="")  # of the evenings tried
    tried = models.JSONField(default=list)  # likelihoods, in the order of the grid

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
    """The input of one evening to grades, cached for each version of the evening's results."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="grade_evening")
    stamp = models.CharField(max_length=200)  # of its sources
    facts = models.JSONField(
        null=True
    )  # `seasons.grades.rating.serialization`; None if no board is usable

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.event}"


class GradeCheckpoint(models.Model):
    """The state of a club's grades after some evenings: at each quarter's end, and at the last.

    It is valid while its `stamp` equals the hash of the evenings before it. Invalid ones are
    deleted.
    """

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="checkpoints")
    evenings = models.PositiveIntegerField()  # the number that it includes
    stamp = models.CharField(max_length=64)
    is_quarter = models.BooleanField()
    state = models.JSONField()

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

    Rows are only added; the newest one counts.
    """

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="steps")
    player = models.ForeignKey(Player, models.CASCADE, related_name="grade_steps")
    event = models.ForeignKey(Event, models.CASCADE, related_name="grade_steps")
    why = models.CharField(
        max_length=12, choices=RecomputationReason, default=RecomputationReason.PLAYED
    )
    because = models.ForeignKey(
        Event, models.SET_NULL, related_name="+", null=True, blank=True
    )  # where the change began
    made_at = models.DateTimeField(auto_now_add=True)
    partner = models.ForeignKey(
        Player, models.SET_NULL, related_name="+", null=True, blank=True
    )  # the only one of that evening
    boards = models.PositiveIntegerField()  # counted ones; 0 if a correction removed the person
    expected = models.FloatField()  # tricks over the evening above the pairs compared
    expected_sd = models.FloatField(null=True, blank=True)
    made = models.FloatField()
    mean = models.FloatField()  # a board, not centred, as in `Grade`
    sd = models.FloatField()
    all_boards = models.PositiveIntegerField()
    column = models.FloatField()
    shown = models.FloatField(null=True, blank=True)  # tricks above the club in 24 boards
    range = models.FloatField(null=True, blank=True)
    word = models.CharField(max_length=10, blank=True, default="")
    is_pair = models.BooleanField(default=False)  # the shown grade is the pair's

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
    """A grade that only its owner sees, whatever the club's settings are."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="hidden_grade")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player}"
