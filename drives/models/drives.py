"""Models of a club's drive, and of the club's defaults for its drives."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.activities.models import ActivityQuerySet, EveningActivity
from clubs.models import Club, Evening

TRUMPS_TURNED_UP, TRUMPS_DECLARED = "turned", "declared"
SUIT_CODES = "HCDSN"
"""Hearts, clubs, diamonds, spades, and no trumps."""
MAX_TRUMP_CYCLE_LENGTH = 20
"""The most suits of a cycle that the database column can store."""


def check_trumps(trumps: str) -> None:
    """Raise ValidationError unless trumps are turned, declared, or a cycle such as HCDS."""
    is_trump_cycle = 0 < len(trumps) <= MAX_TRUMP_CYCLE_LENGTH and set(trumps) <= set(
        SUIT_CODES
    )
    if not is_trump_cycle and trumps not in (TRUMPS_TURNED_UP, TRUMPS_DECLARED):
        raise ValidationError(
            _("trumps must be turned, declared, or a cycle of H, C, D, S and N.")
        )


def check_kept_apart_pairs(pairs: object) -> None:
    """Raise ValidationError unless `pairs` is a list of pairs of numbers, e.g. [[3, 7]]."""
    if not isinstance(pairs, list) or not all(
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(number, int) for number in pair)
        and pair[0] != pair[1]
        for pair in pairs
    ):
        raise ValidationError(_("Choose two different players to keep apart."))


class Drive(EveningActivity):
    """An evening of whist without boards; the type of drive decides who moves after a round."""

    kind = argument_name = url_name = "drive"
    select_related_fields = ("club", "evening")

    class StandingsVisibility(models.TextChoices):
        """The times during which players can see the ranking."""

        ALWAYS = "always", _("always, while the scores come in")
        HALF = "half", _("until the last half begins")
        AFTER = "after", _("after the prizes")

    club = models.ForeignKey(Club, models.CASCADE, related_name="drives")
    evening = models.OneToOneField(Evening, models.PROTECT, related_name="drive")
    form = models.CharField(
        _("form"), max_length=20
    )  # the type of drive, a key of `drives.play_forms.PLAY_FORMS`
    terms = models.JSONField(
        default=dict, blank=True
    )  # the club's changes to the settings of the type of drive, e.g. {"first": -1}
    score = models.JSONField(
        default=dict, blank=True
    )  # the rules of scoring as in drive files, e.g. {"kind": "tricks", "ties": [...]}
    hands = models.PositiveSmallIntegerField(_("hands per round"), default=1)
    rounds = models.PositiveSmallIntegerField(
        _("rounds"), null=True, blank=True
    )  # the planned number of rounds; empty if it is unknown
    trumps = models.CharField(
        _("trumps"),
        max_length=MAX_TRUMP_CYCLE_LENGTH,
        default="HCDS",
        validators=[check_trumps],
    )  # a cycle of suits for successive hands, or "turned", or "declared"
    first_word = models.CharField(
        _("name for 1st players"), max_length=30, blank=True
    )  # the club's word for firsts, e.g. "lady"; empty for the default word
    second_word = models.CharField(_("name for 2nd players"), max_length=30, blank=True)
    apart = models.JSONField(
        default=list, blank=True, validators=[check_kept_apart_pairs]
    )  # card numbers of pairs that should not be partners, e.g. [[3, 7]]
    one_prize_each = models.BooleanField(_("one prize per person"), default=True)
    halves = models.BooleanField(
        _("score cards are handed in at half-time too"), default=False
    )  # the totals of score cards then have two parts
    standings_shown = models.CharField(
        _("players see the standings"),
        max_length=10,
        choices=StandingsVisibility,
        default=StandingsVisibility.AFTER,
    )
    at_round = models.PositiveSmallIntegerField(
        default=0
    )  # the round in play; 0 before round 1. Rounds with higher numbers may be drawn again.
    without = models.JSONField(
        default=list, blank=True, editable=False
    )  # the patches that restore the imported file (`drives.files.patches`)

    objects = ActivityQuerySet["Drive"].as_manager()

    class Meta(EveningActivity.Meta):
        constraints = [
            *EveningActivity.Meta.constraints,
            models.CheckConstraint(
                name="drive_standings_shown_is_known",
                condition=Q(standings_shown__in=["always", "half", "after"]),
            ),
            models.CheckConstraint(
                name="drive_has_hands_and_rounds",
                condition=Q(hands__range=(1, 1000))
                & (Q(rounds__isnull=True) | Q(rounds__range=(1, 100))),
            ),
        ]


class HouseTerms(models.Model):
    """A club's defaults for new drives.

    `terms` may contain the type of drive, hands, rounds, score, trumps, words for the roles,
    prizes and the time when players can see the ranking. Missing terms have the program's
    defaults. `presets` contains the club's own ways of scoring, by name. `contract_words`
    applies to all drives of the club.
    """

    class ContractNameStyle(models.TextChoices):
        """The kind of names that pages, phones and papers use for contracts."""

        LOCAL = "local", _("the players’ own words")
        TITLE = "title", _("plain words in your language")

    club = models.OneToOneField(Club, models.CASCADE, related_name="house_terms")
    terms: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    presets: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    contract_words = models.CharField(
        max_length=10, choices=ContractNameStyle, default=ContractNameStyle.LOCAL
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="house_contract_words_are_known",
                condition=Q(contract_words__in=["local", "title"]),
            ),
        ]

    def __str__(self) -> str:
        return f"terms of {self.club}"
