"""The address of an entry's own page."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from tournaments.models.events import Entry


class EntryLink(models.Model):
    """The address of an entry's own page; only the hash of its secret is kept."""

    page: ClassVar[str] = "entry_page"

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="links")
    salt = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry"],
                condition=Q(revoked_at__isnull=True),
                name="one_live_link_an_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"link of {self.entry}"
