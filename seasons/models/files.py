"""Files of a club that somebody has asked for: a worker makes them, and they lie for a day."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from seasons.models.seasons import Season


class ClubFile(models.Model):
    """A zip on its way; it lies in DATA_DIR until somebody fetches it or it is old."""

    class Kind(models.TextChoices):
        SITE = "site", _("pages for a folder")
        EVERYTHING = "everything", _("all tables")

    class State(models.TextChoices):
        WANTED = "wanted", _("waiting")
        DONE = "done", _("done")
        FAILED = "failed", _("not done")

    club = models.ForeignKey(Club, models.CASCADE, related_name="files")
    kind = models.CharField(max_length=10, choices=Kind)
    season = models.ForeignKey(
        Season, models.CASCADE, related_name="files", null=True, blank=True
    )  # None: all of the club
    in_full = models.BooleanField(default=False)  # whole names and contact, for an owner
    state = models.CharField(max_length=10, choices=State, default=State.WANTED)
    by = models.CharField(max_length=150)  # the login that asked for it
    asked_at = models.DateTimeField()
    parts = models.PositiveIntegerField(default=0)  # files in it
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="club_file_kind_is_known",
                condition=models.Q(kind__in=["site", "everything"]),
            ),
            models.CheckConstraint(
                name="club_file_error_only_when_failed",
                condition=models.Q(state="failed") | models.Q(error=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.club}, {self.state}"
