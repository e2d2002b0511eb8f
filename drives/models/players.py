"""Model of a player in a drive, with a club's player, a typed name, or only a number."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.activities.models import ActivityPlayer
from clubs.models import Player
from clubs.models.names import NameField
from drives.models.drives import Drive
from drives.scores.attendance import AttendedRounds


class DrivePlayer(ActivityPlayer):
    """A player in a drive, with a numbered score card.

    A house player (`house` is true) fills an empty seat and is never ranked. Numbers of house
    players are usually negative. The player takes part in the rounds from `from_round` to
    `to_round`.
    """

    class Role(models.TextChoices):
        """First or second of a partnership; many clubs call them ladies and gents."""

        NONE = "", _("neither")
        FIRST = "first", pgettext_lazy("role in a partnership", "first")
        SECOND = "second", pgettext_lazy("role in a partnership", "second")

    drive = models.ForeignKey(Drive, models.CASCADE, related_name="players")
    number = models.IntegerField()
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="drive_players", null=True, blank=True
    )
    # the name as it was typed, or a copy of the club player's name
    name = NameField(_("name"), max_length=200, blank=True)
    role = models.CharField(max_length=10, choices=Role, default=Role.NONE, blank=True)
    # the club to which the player belongs, for prizes of one club
    of_club = models.CharField(_("club"), max_length=200, blank=True)
    fort = models.CharField(_("fort"), max_length=200, blank=True)
    house = models.BooleanField(default=False)
    present = models.BooleanField(default=True)  # whether the player is present at the raffle
    stays_seated = models.BooleanField(default=False)
    from_round = models.PositiveSmallIntegerField(default=1)
    # the player's last round; empty if the player stays to the end
    to_round = models.PositiveSmallIntegerField(null=True, blank=True)
    # the player whom this player has replaced as a substitute; both have their own score card
    takes_over = models.OneToOneField(
        "self", models.PROTECT, related_name="substitute", null=True, blank=True
    )

    class Meta:
        ordering = ["house", "number"]
        constraints = [
            models.UniqueConstraint(fields=["drive", "number"], name="one_card_a_number"),
            models.UniqueConstraint(
                fields=["drive", "player"],
                condition=Q(player__isnull=False, to_round__isnull=True),
                name="a_club_player_once_a_drive",
            ),
            models.CheckConstraint(
                name="drive_role_is_known", condition=Q(role__in=["", "first", "second"])
            ),
            models.CheckConstraint(
                name="a_card_begins_before_it_ends",
                condition=Q(from_round__gte=1)
                & (Q(to_round__isnull=True) | Q(to_round__gte=F("from_round") - 1)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name}".strip()

    @property
    def attended_rounds(self) -> AttendedRounds:
        """The player's first and last round."""
        return AttendedRounds(self.from_round, self.to_round)
