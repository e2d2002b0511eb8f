"""Model of the link to a score card's own page."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from clubs.links import SecretLink
from drives.models.players import DrivePlayer


class CardLink(SecretLink):
    """The secret link to a player's own page, printed as a QR code on the score card."""

    url_name: ClassVar[str] = "drive_card"

    holder = models.ForeignKey(DrivePlayer, models.CASCADE, related_name="links")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["holder"],
                condition=Q(revoked_at__isnull=True),
                name="one_live_link_a_card",
            ),
        ]

    def __str__(self) -> str:
        return f"link of {self.holder}"
