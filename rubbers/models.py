"""Models of rubber nights: nights, players, tables, table members, spells and hands.

Scores are not stored, but computed from the hands (`rubbers.rubber`). Services lock the night
before they change it, so concurrent changes of its tables happen one after the other.
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
from drives.models.scores import ValueVersion


class RubberNightQuerySet(ActivityQuerySet["RubberNight"]):
    """Filters for rubber nights."""

    def exclude_hidden(self) -> Self:
        """Exclude hidden nights, and the rubbers of drives, which are not listed as nights."""
        return super().exclude_hidden().filter(drive=None)


class RubberNight(EveningActivity):
    """A night of rubbers at one or more tables, or the rubbers that score a drive's rounds.

    The rubbers of a drive use its evening, players and seats. Their tables have no members and
    no cuts.
    """

    kind, argument_name, url_name = "rubbers", "night", "rubber_night"
    select_related_fields = ("club", "evening", "drive__club", "drive__evening")

    club = models.ForeignKey(Club, models.CASCADE, related_name="rubber_nights")
    evening = models.OneToOneField(Evening, models.PROTECT, related_name="rubber_night")
    drive = models.OneToOneField(
        Drive, models.CASCADE, related_name="rubbers", null=True, blank=True
    )
    code = models.CharField(
        _("code"), max_length=20
    )  # one of `rubbers.rubber.codes.LAW_CODES_BY_NAME`
    # the terms in which the night differs from its code, e.g. {"best_of": 5}
    terms: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    state = models.CharField(
        max_length=10, choices=EveningActivity.State, default=EveningActivity.State.OPEN
    )

    objects = RubberNightQuerySet.as_manager()


class RubberPlayer(ActivityPlayer):
    """A player of a rubber night, with a number, and a club's player or a typed name."""

    night = models.ForeignKey(RubberNight, models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="rubber_players", null=True, blank=True
    )
    name = NameField(_("name"), max_length=200)  # as typed, or a copy of the club player's name

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
    """A table of a night or, in a drive, a table in one round."""

    night = models.ForeignKey(RubberNight, models.CASCADE, related_name="tables")
    round = models.PositiveSmallIntegerField(default=0)  # the round of a drive, else 0
    number = models.PositiveSmallIntegerField()
    # whether a table of a drive has ended its round, so that an unfinished rubber is scored
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
        """The last part of the URL of the table's page, e.g. "3", or "2-3" in round 2."""
        return f"{self.round}-{self.number}" if self.round else str(self.number)

    @property
    def title(self) -> str:
        """The title of the table for pages, e.g. "Table 3"."""
        if self.round:
            message = gettext("Round %(round)s, table %(table)s")
            return message % {"round": self.round, "table": self.number}
        return gettext("Table %(table)s") % {"table": self.number}


class Belonging(models.Model):
    """The membership of a player (`holder`) at a table.

    `since` is the number of the member's first spell. `until` is the number of the last spell,
    or None if the player has not left the table.
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
    """A series of hands that the same four players play in the same partnerships.

    `seats` are the numbers of side A's two players, then of side B's.
    """

    table = models.ForeignKey(RubberTable, models.CASCADE, related_name="spells")
    number = models.PositiveSmallIntegerField()
    seats: models.JSONField[list[int]] = models.JSONField()  # e.g. [1, 4, 2, 3]
    dealer = (
        models.PositiveSmallIntegerField()
    )  # the number of the player who deals the first hand
    # The cuts that decided the seats, with the rank of each card by player number, e.g.
    # {"by": "lot", "out": [{"1": 5, …}], "in": [{…}]}. Empty if the players chose their seats.
    cuts: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    # the names of substitutes by the number of the absent member, e.g. {"3": "Eve"}
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
    """A hand of a spell; `told` is its recorded value, which is {} after an undo."""

    table = models.ForeignKey(RubberTable, models.CASCADE, related_name="hands")
    spell = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    # the hand in the format of the rubber file, e.g. {"tricks": {"A": 9, "B": 4}}
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


class HandVersion(ValueVersion):
    """A present or earlier value (`told`) of a hand; {} records that the hand was undone."""

    hand = models.ForeignKey(RubberHand, models.CASCADE, related_name="versions")
    told: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    reason = models.CharField(
        max_length=200, blank=True
    )  # the reason for a correction after the rubber was over

    def __str__(self) -> str:
        return f"{self.hand_id}: {self.told}"
