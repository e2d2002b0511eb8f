"""A drive of a club, and the terms that the club's house has for its drives."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.activities.models import ActivityQuerySet, EveningActivity
from clubs.models import Club, Evening

TURNED, DECLARED = "turned", "declared"
SUITS = "HCDSN"
"""Hearts, clubs, diamonds, spades, and no trumps."""


def check_trumps(trumps: str) -> None:
    """Raise ValidationError unless trumps are turned, declared, or a cycle such as HCDS."""
    cycle = 0 < len(trumps) <= 20 and set(trumps) <= set(SUITS)
    if not cycle and trumps not in (TURNED, DECLARED):
        raise ValidationError(_("Trumps are turned, declared, or a cycle of H, C, D, S and N."))


def check_apart(pairs: object) -> None:
    """Raise ValidationError unless pairs of numbers are kept apart: [[3, 7]]."""
    if not isinstance(pairs, list) or not all(
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(each, int) for each in pair)
        and pair[0] != pair[1]
        for pair in pairs
    ):
        raise ValidationError(_("Two different players are kept apart."))


class Drive(EveningActivity):
    """An evening of whist without trays; its form says who goes where after each round."""

    kind = argument = page = "drive"
    related = ("club", "evening")

    class Shown(models.TextChoices):
        """When players see who stands where."""

        ALWAYS = "always", _("always, while the scores come in")
        HALF = "half", _("until the last half begins")
        AFTER = "after", _("after the prizes")

    club = models.ForeignKey(Club, models.CASCADE, related_name="drives")
    evening = models.OneToOneField(Evening, models.PROTECT, related_name="drive")
    form = models.CharField(_("form"), max_length=20)  # the code of one of `drives.forms.FORMS`
    terms = models.JSONField(
        default=dict, blank=True
    )  # of the form, where the house changes its custom: {"first": -1}
    score = models.JSONField(
        default=dict, blank=True
    )  # as files have it: {"kind": "tricks", "rest": "round-average", "ties": [...]}
    hands = models.PositiveSmallIntegerField(_("hands a round"), default=1)
    rounds = models.PositiveSmallIntegerField(
        _("rounds"), null=True, blank=True
    )  # how many are planned; empty where nobody has said
    trumps = models.CharField(
        _("trumps"), max_length=20, default="HCDS", validators=[check_trumps]
    )  # the cycle of the hands, or "turned" or "declared" at the table
    first_word = models.CharField(
        _("word for the firsts"), max_length=30, blank=True
    )  # the house's own, in one number: "lady"; empty is the usual one
    second_word = models.CharField(_("word for the seconds"), max_length=30, blank=True)
    apart = models.JSONField(
        default=list, blank=True, validators=[check_apart]
    )  # the numbers of two who are not to be partners: [[3, 7]]
    one_prize_each = models.BooleanField(_("one prize a person"), default=True)
    halves = models.BooleanField(
        _("score cards are handed in at half-time too"), default=False
    )  # their totals then have two parts
    standings_shown = models.CharField(
        _("players see the standing"), max_length=10, choices=Shown, default=Shown.AFTER
    )
    at_round = models.PositiveSmallIntegerField(
        default=0
    )  # the round in play, 0 before the first; those after it may still be drawn anew
    without = models.JSONField(
        default=list, blank=True, editable=False
    )  # how the file that it came from is written otherwise than this program writes it

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
    """What a club's drives begin with, so that nobody types it again.

    `terms` may name form, hands, rounds, score, trumps, words of the roles, prizes and when the
    standing is shown; what is not named is the program's own. `presets` are scores of the
    club's own, by their names.
    """

    club = models.OneToOneField(Club, models.CASCADE, related_name="house_terms")
    terms: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)
    presets: models.JSONField[dict[str, Any]] = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"terms of {self.club}"
