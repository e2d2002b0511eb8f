"""The model of people who check in at the tables before play starts."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.evenings.first_seats import MAX_TABLE_NUMBER, Chair
from clubs.evenings.models import Evening
from clubs.models.names import NameField
from clubs.models.people import Player
from clubs.names.tidy import build_name_key


class CheckIn(models.Model):
    """A person present before the start, with their chair if they have one.

    The evening's row is locked for every change of its check-ins.
    """

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="check_ins")
    # the player of the club with exactly this name; None for a guest
    player = models.ForeignKey(
        Player, models.CASCADE, related_name="check_ins", null=True, blank=True
    )
    name = NameField(_("name"), max_length=80)  # as typed; phones show only this name
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 to 4, from North
    # the number of the pair or player in the event, which is set when play starts
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    at = models.DateTimeField()  # the time of check-in or of the last change of chairs

    class Meta:
        ordering = ["table", "seat", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "table", "seat"], name="one_check_in_a_chair"
            ),
            models.UniqueConstraint(
                fields=["evening", "player"], name="one_check_in_a_player_and_evening"
            ),
            models.UniqueConstraint(
                fields=["evening", "name"], name="one_check_in_a_name_and_evening"
            ),
            models.CheckConstraint(name="check_in_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="check_in_is_at_a_chair_or_at_none",
                condition=Q(table__range=(1, MAX_TABLE_NUMBER), seat__range=(1, 4))
                | Q(table__isnull=True, seat__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def chair(self) -> Chair | None:
        """The chair where the person sits, or None."""
        if self.table is None or self.seat is None:
            return None
        return Chair(self.table, self.seat)

    @property
    def key(self) -> str:
        """The key that identifies the person within the evening, as in bookings."""
        return f"p{self.player_id}" if self.player_id else f"g{build_name_key(self.name)}"
