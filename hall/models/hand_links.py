"""The models of hands that helpers type on their own phones after play."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from boards.whist import Seat
from clubs.links import SecretLink
from tournaments.models import Session


class HandLink(SecretLink):
    """The link with which helpers without a login type a session's hands, until it expires."""

    url_name: ClassVar[str] = "typing"

    session = models.ForeignKey(Session, models.CASCADE, related_name="hand_links")
    # Whether the director stated that no one with the link plays these boards.
    are_outsiders = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(revoked_at__isnull=True),
                name="one_live_hand_link_a_session",
            ),
            models.CheckConstraint(name="a_hand_link_ends", condition=Q(ends_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"helpers of {self.session}"


class TypedHand(models.Model):
    """One hand of a board as typed by a helper; the row remains after the deal is complete."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="typed_hands")
    board = models.PositiveSmallIntegerField()
    seat = models.CharField(max_length=1, choices=[(seat.value, seat.word) for seat in Seat])
    cards = models.CharField(max_length=20)
    turn_up = models.CharField(max_length=2, blank=True)  # "" if this helper typed none
    at = models.DateTimeField()

    class Meta:
        ordering = ["session", "board", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "board", "seat"], name="one_typed_hand_a_board_and_seat"
            ),
            models.CheckConstraint(
                name="typed_hands_sit_at_a_seat",
                condition=Q(board__gte=1, seat__in=["N", "E", "S", "W"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat} of board {self.board}, {self.session}"
