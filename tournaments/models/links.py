"""The secret link of an entry."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from clubs.links import SecretLink
from tournaments.models.events import Entry


class EntryLink(SecretLink):
    """The secret link of an entry's own page."""

    url_name: ClassVar[str] = "entry_page"

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="links")

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
