"""A club's grades: whether they are kept, who sees them, and what they were last."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player


class GradeBook(models.Model):
    """That a club keeps grades; without a row it does not.

    While `stamp` is not that of the standings of today, the old figures stand and are said to
    be old.
    """

    class Seen(models.TextChoices):
        SELF = "self", _("each person alone, on the own page")
        MEMBERS = "members", _("members, on their own pages")

    club = models.OneToOneField(Club, models.CASCADE, related_name="grade_book")
    seen = models.CharField(_("who sees them"), max_length=10, choices=Seen, default=Seen.SELF)
    is_on = models.BooleanField(default=True)
    s0 = models.FloatField(default=0.25)
    tau = models.FloatField(default=0.05)
    q = models.FloatField(default=0.07)
    stamp = models.CharField(
        max_length=64, blank=True, default="", editable=False
    )  # of the standings that the grades were made from
    evenings = models.PositiveIntegerField(default=0, editable=False)
    noise = models.FloatField(default=1.69, editable=False)  # the variance of one play
    made_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="grades_are_seen_by_somebody_known",
                condition=Q(seen__in=["self", "members"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club}"


class Grade(models.Model):
    """What is known of somebody's strength, in tricks a board, after the last evening."""

    book = models.ForeignKey(GradeBook, models.CASCADE, related_name="grades")
    player = models.ForeignKey(Player, models.CASCADE, related_name="grades")
    partner = models.ForeignKey(
        Player, models.CASCADE, related_name="+", null=True, blank=True
    )  # where two cannot be told apart and what is shown is both of theirs
    mean = models.FloatField()  # not centred, as the filter has it
    sd = models.FloatField()
    boards = models.PositiveIntegerField()
    column = models.FloatField()  # the percent scale that clubs know
    shown = models.FloatField(null=True, blank=True)  # tricks above the club in 24 boards
    range = models.FloatField(null=True, blank=True)  # on each side, in four cases of five
    word = models.CharField(max_length=10, blank=True, default="")  # "" where nothing is shown

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
