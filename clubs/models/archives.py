"""The model of exports and imports of clubs."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs import Club


class ClubArchive(models.Model):
    """One export or import of a club; the file is in DATA_DIR, readable only by this program.

    Passphrases are never stored. An export is encrypted during its download, and an import is
    decrypted during its upload.
    """

    class Direction(models.TextChoices):
        EXPORT = "out", _("exported")
        IMPORT = "in", _("imported")

    class State(models.TextChoices):
        WAITING = "wanted", _("waiting")
        RUNNING = "doing", _("in progress")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    way = models.CharField(max_length=3, choices=Direction)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    club = models.ForeignKey(
        Club, models.SET_NULL, related_name="archives", null=True, blank=True
    )
    by = models.CharField(max_length=150)  # the login name of the user who requested it
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    wish = models.JSONField(default=dict, blank=True)  # the options: {"name": …}
    told = models.JSONField(default=dict, blank=True)  # the import report, or the export digest
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="archive_way_is_known", condition=models.Q(way__in=["out", "in"])
            ),
            models.CheckConstraint(
                name="archive_error_only_when_failed",
                condition=models.Q(state="failed") | models.Q(error=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.way} {self.club}, {self.state}"
