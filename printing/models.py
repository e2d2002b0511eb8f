"""The model of an ordered paper, and the private storage of its file."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from server.private_files import PrivateFiles


def get_private_storage() -> PrivateFiles:
    """Return the storage of the papers' files."""
    return PrivateFiles()


private_storage = get_private_storage
"""The name that migrations of 1.0 use; it must not change."""


class OrderedPaper(models.Model):
    """An ordered PDF; subclasses in each app add the object for which it was ordered."""

    class State(models.TextChoices):
        WAITING = "wanted", _("waiting")
        RENDERING = "making", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    class Size(models.TextChoices):
        A4 = "A4", _("A4")
        LETTER = "Letter", _("Letter")

    kind = models.CharField(max_length=20)
    size = models.CharField(max_length=10, choices=Size)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    error = models.CharField(max_length=300, blank=True)
    file = models.FileField(upload_to="papers/", storage=get_private_storage, blank=True)
    bytes = models.BigIntegerField(
        default=0,
        db_default=0,
        help_text=_("size of the file in bytes (0 if unknown)"),
    )
    ordered_by = models.CharField(max_length=150)
    ordered_at = models.DateTimeField()
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="%(class)s_ready_has_a_file",
                condition=~Q(state="ready") | (~Q(file="") & Q(made_at__isnull=False)),
            ),
        ]
