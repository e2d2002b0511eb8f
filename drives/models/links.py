"""The address of one score card's own page."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from clubs.links import SecretLink
from drives.models.players import DrivePlayer


class CardLink(SecretLink):
    """The address of a player's own page, as the QR code on the score card has it."""

    page: ClassVar[str] = "drive_card"

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
