"""The rows of what happened and what it is worth.

A result is altered only by entering it anew, and every value ever entered is kept.
Ranking and Standing can be deleted and computed again at any time.
"""

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event, Session, Sitting


class Outcome(models.TextChoices):
    """What became of a board at a sitting."""

    PLAYED = "played", _("played")
    NOT_PLAYED = "not_played", _("not played")
    CLEARED = "cleared", _("cleared")  # taken back: still to come


def _tricks_fit_outcome(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        name=name,
        condition=Q(outcome=Outcome.PLAYED, ns_tricks__range=(0, 13))
        | (~Q(outcome=Outcome.PLAYED) & Q(ns_tricks__isnull=True)),
    )


class Result(models.Model):
    """The tricks N-S took on one board at one sitting, before any ruling."""

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="results")
    board = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.PLAYED)
    ns_tricks = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sitting", "board"], name="one_result_a_sitting_and_board"
            ),
            _tricks_fit_outcome("tricks_only_when_played"),
        ]

    def __str__(self) -> str:
        return f"board {self.board}, {self.sitting}: {self.mark or 'to come'}"

    @property
    def mark(self) -> str:
        """What a scorer's screen shows: "8", "-" for not played, "" while it is to come."""
        return mark(self.outcome, self.ns_tricks)


def mark(outcome: str, ns_tricks: int | None) -> str:
    """Write an outcome as the score grid does: "8", "-" for not played, "" for none."""
    if outcome == Outcome.PLAYED:
        return str(ns_tricks)
    return "-" if outcome == Outcome.NOT_PLAYED else ""


class ResultVersion(models.Model):
    """One value entered for a result, kept for ever with who, when and by what way."""

    class Via(models.TextChoices):
        GRID = "grid", _("score grid")
        API = "api", _("API")
        FILE = "file", _("event file")
        DEMO = "demo", _("demo")

    result = models.ForeignKey(Result, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=10, choices=Outcome)
    ns_tricks = models.PositiveSmallIntegerField(null=True, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    by = models.CharField(max_length=150)  # the name as it was then
    at = models.DateTimeField()
    via = models.CharField(max_length=10, choices=Via)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["result", "number"], name="one_version_a_number"),
            _tricks_fit_outcome("version_tricks_only_when_played"),
        ]

    def __str__(self) -> str:
        return f"{self.result}, version {self.number}"


class Ranking(models.Model):
    """The standings of an event as last computed."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="ranking")
    version = models.PositiveIntegerField(
        default=0
    )  # grows with every computation that changed it
    revision = models.PositiveIntegerField(
        default=0
    )  # the sum of sessions' revisions it was made from
    complete = models.BooleanField(default=False)
    missing = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.event}, version {self.version}"


class Standing(models.Model):
    """One entry's stored placing; score and average are exact fractions as text."""

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
    wins_overall = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["ranking", "entry"], name="one_standing_an_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.rank} {self.entry}"


class PrivateStorage(FileSystemStorage):
    """Files that only a view may hand out; they lie in DATA_DIR and have no address."""

    def url(self, name: str | None) -> str:
        """Refuse: a view hands the file out to who may have it."""
        raise ValueError("A private file has no address.")


def _private() -> PrivateStorage:
    return PrivateStorage(location=settings.MEDIA_ROOT)


class Paper(models.Model):
    """A printed PDF that was ordered."""

    class State(models.TextChoices):
        WANTED = "wanted", _("waiting")
        MAKING = "making", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    session = models.ForeignKey(Session, models.CASCADE, related_name="papers")
    kind = models.CharField(max_length=20)
    size = models.CharField(max_length=10, choices=Event.PaperSize)
    state = models.CharField(max_length=10, choices=State, default=State.WANTED)
    error = models.CharField(max_length=300, blank=True)
    file = models.FileField(upload_to="papers/", storage=_private, blank=True)
    ordered_by = models.CharField(max_length=150)
    ordered_at = models.DateTimeField()
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="paper_ready_has_a_file",
                condition=~Q(state="ready") | (~Q(file="") & Q(made_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {self.session}"
