"""Papers that were ordered, and the private place where their files lie."""

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event, Session


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
