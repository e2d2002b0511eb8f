"""Handicaps of a season: the terms, those given by hand, and those of evenings' entries."""

from django.db import models
from django.db.models import Q

from clubs.models import Player
from seasons.models.seasons import Season
from tournaments.models import Entry


class SeasonHandicap(models.Model):
    """That a season ranks with handicaps too; without a row it does not."""

    season = models.OneToOneField(Season, models.CASCADE, related_name="handicap")
    terms = models.JSONField()  # as `seasons.ladders.handicaps.terms_of` reads it

    def __str__(self) -> str:
        return f"{self.season}"


class HandicapByHand(models.Model):
    """What a director gave somebody for a season instead of what evenings say, and why."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="by_hand")
    player = models.ForeignKey(Player, models.CASCADE, related_name="handicaps_by_hand")
    a_board = models.CharField(max_length=40)  # an exact fraction as text
    reason = models.CharField(max_length=200)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "player"], name="one_handicap_by_hand_a_season_and_player"
            ),
            models.CheckConstraint(
                name="handicap_by_hand_has_a_reason", condition=~Q(a_board="") & ~Q(reason="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.a_board}"


class EntryHandicap(models.Model):
    """The handicap that an entry had when play opened; later evenings do not change it."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="entry_handicaps")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="handicaps")
    a_board = models.CharField(max_length=40)  # in hundredths, as an exact fraction

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "entry"], name="one_handicap_a_season_and_entry"
            ),
            models.CheckConstraint(name="entry_handicap_is_written", condition=~Q(a_board="")),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.a_board}"
