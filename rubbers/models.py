"""Models of rubber nights: nights, players, tables, table members, spells and hands.

No scores are stored: they follow from the hands (`rubbers.rubber`). Writers lock the night's
row, so writes to its tables are serialised.
"""

from typing import Any, Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.activities.models import ActivityPlayer, ActivityQuerySet, EveningActivity
from clubs.models import Club, Evening, Player
from clubs.models.names import NameField
from drives.models.drives import Drive
from drives.models.scores import Version


class RubberNightQuerySet(ActivityQuerySet["RubberNight"]):
    """Filters of rubber nights."""

    def exclude_hidden(self) -> Self:
        """Return the nights that lists show: all except the rubbers of drives."""
        return super().exclude_hidden().filter(drive=None)


class RubberNight(EveningActivity):
    """A night of rubbers at one or more tables, or the rubbers that score a drive's rounds.

    A drive's rubbers use the drive's evening, players and seats; they have no members and no
    cuts.
    """

    kind, argument_name, url_name = "rubbers", "night", "rubber_night"
    related_fields = ("club", "evening", "drive__club", "drive__evening")

    club = models.ForeignKey(Club, models.CASCADE, related_name="rubber_nights")
    evening = models.OneToOneField(Evening, models.PROTECT, related_name="rubber_night")
    drive = models.OneToOneField(
        Drive, models.CASCADE, related_name="rubbers", null=True, blank=True
    )
    code = models.CharField(_("code"), max_length=20)  # one of `rubbers.rubber.codes.CODES`
    # only the terms whose values differ from the code: {"best_of": 5}
    terms: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    state = models.CharField(
        max_length=10, choices=EveningActivity.State, default=EveningActivity.State.OPEN
    )

    objects = RubberNightQuerySet.as_manager()


class RubberPlayer(ActivityPlayer):
    """A numbered player of a rubber night: a club's player, or a typed name."""

    night = models.ForeignKey(RubberNight, models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="rubber_players", null=True, blank=True
    )
    name = NameField(_("name"), max_length=200)  # for a club's player, the name at that time

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["night", "number"], name="one_rubber_player_a_number"
            ),
            models.UniqueConstraint(
                fields=["night", "player"],
                condition=Q(player__isnull=False),
                name="a_club_player_once_a_rubber_night",
            ),
            models.CheckConstraint(
                name="rubber_players_count_from_one", condition=Q(number__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RubberTable(models.Model):
    """One table of a night; in a drive, one table of one round."""

    night = models.ForeignKey(RubberNight, models.CASCADE, related_name="tables")
    round = models.PositiveSmallIntegerField(default=0)  # 0 outside a drive
    number = models.PositiveSmallIntegerField()
    # in a drive: whether the table has ended its round, so that an unfinished rubber is scored
    settled = models.BooleanField(default=False)

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["night", "round", "number"], name="one_rubber_table_a_number"
            ),
            models.CheckConstraint(
                name="rubber_tables_count_from_one", condition=Q(number__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.number}, {self.night}"

    @property
    def address(self) -> str:
        """The last part of the URL of the table's page: "3", or "2-3" in round 2 of a drive."""
        return f"{self.round}-{self.number}" if self.round else str(self.number)

    @property
    def title(self) -> str:
        """The title of the table on a page."""
        if self.round:
            message = gettext("Round %(round)s, table %(table)s")
            return message % {"round": self.round, "table": self.number}
        return gettext("Table %(table)s") % {"table": self.number}


class Belonging(models.Model):
    """The membership of a player (`holder`) at a table.

    `since` is the number of the first spell. `until` is the number of the last spell, or None
    while the player is a member.
    """

    table = models.ForeignKey(RubberTable, models.CASCADE, related_name="members")
    holder = models.ForeignKey(RubberPlayer, models.CASCADE, related_name="belongings")
    since = models.PositiveSmallIntegerField(default=1)
    until = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "holder"], name="a_player_belongs_to_a_table_once"
            ),
            models.CheckConstraint(
                name="a_belonging_begins_before_it_ends",
                condition=Q(since__gte=1)
                & (Q(until__isnull=True) | Q(until__gte=F("since") - 1)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.holder} at {self.table}"


class Spell(models.Model):
    """Consecutive hands of the same four players in the same partnerships, with the cuts that
    seated them.

    The seats are the numbers of side A's two players and of side B's two.
    """

    table = models.ForeignKey(RubberTable, models.CASCADE, related_name="spells")
    number = models.PositiveSmallIntegerField()
    seats: models.JSONField[list[int]] = models.JSONField()  # [A, A, B, B]
    dealer = (
        models.PositiveSmallIntegerField()
    )  # the number of the player who deals the first hand
    # the cards of each cut by player number: {"by": "lot", "out": [{"1": 5, …}], "in": [{…}]};
    # empty if the players chose their seats
    cuts: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    # the name of the substitute by the number of the absent member: {"3": "Eve"}
    substitutes: models.JSONField[dict[str, str]] = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_spell_a_number"),
            models.CheckConstraint(name="spells_count_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"spell {self.number}, {self.table}"


class RubberHand(models.Model):
    """One recorded hand; after an undo the row remains with an empty `told`."""

    table = models.ForeignKey(RubberTable, models.CASCADE, related_name="hands")
    spell = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    # the hand in the format of the rubber file: {"tricks": {"A": 9, "B": 4}}
    told: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["spell", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "spell", "number"], name="one_hand_a_spell_and_number"
            ),
            models.CheckConstraint(
                name="rubber_hands_count_from_one", condition=Q(spell__gte=1, number__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"hand {self.number} of spell {self.spell}, {self.table}"


class HandVersion(Version):
    """One value of a hand; `told` is empty if this version undid the hand."""

    hand = models.ForeignKey(RubberHand, models.CASCADE, related_name="versions")
    told: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    reason = models.CharField(
        max_length=200, blank=True
    )  # the reason for a correction after the rubber

    def __str__(self) -> str:
        return f"{self.hand_id}: {self.told}"
