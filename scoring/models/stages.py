"""The models of events in stages: finals, brackets, strata and prizes."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event


class Stage(models.Model):
    """The rule that assigns an event's entries to finals by rank, and the drawn finals."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="stage")
    rule = models.JSONField()  # the data of `tournaments.stages.rules.StageRules`
    drawn_at = models.DateTimeField(null=True, blank=True)
    # For each entry, its final and the reason; ordered by entry number, fixed after the draw.
    drawn = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="a_stage_drawn_says_who_goes_on",
                condition=Q(drawn_at__isnull=True, drawn=[]) | Q(drawn_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: finals"


class Final(models.Model):
    """An event that took its entries from the ranking of another."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="finals")
    order = models.PositiveSmallIntegerField()  # 1 is the final of the best entries
    name = models.CharField(max_length=40)
    event = models.OneToOneField(Event, models.CASCADE, related_name="final")
    # Maps the entry's number in this event to its plus or minus in the qualifying event (an
    # exact fraction as text) and its number of boards there.
    brought = models.JSONField(default=dict, blank=True)
    # Changes to `brought` by corrections of the qualifying event after play in this event
    # began.
    told = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "order"], name="one_final_an_order"),
            models.UniqueConstraint(fields=["stage", "name"], name="one_final_a_name"),
            models.CheckConstraint(name="final_has_a_name", condition=~Q(name="")),
        ]

    def __str__(self) -> str:
        return f"{self.stage.event}: {self.name}"


class Knockout(models.Model):
    """The bracket of an event: its seeds and the scores of its matches."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="knockout")
    seeds = models.JSONField()  # the numbers of the entries, the first seed first
    segments = models.PositiveSmallIntegerField(default=1)  # the number of segments of a match
    # A match level after its extra boards goes to the higher seed.
    seed_wins = models.BooleanField(default=False)
    three_way = models.BooleanField(default=False)  # three-way matches replace byes in round 1
    # The margins by segment, those of extra boards, and the winners chosen by the director. The
    # key "2-1" is match 1 of round 2.
    matches = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="match_has_sensible_segments", condition=Q(segments__range=(1, 8))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: knock-out"


class Strata(models.Model):
    """The strata of an event, the highest first, and the rule that assigns entries to them."""

    class Rule(models.TextChoices):
        """The ratings that decide an entry's stratum."""

        HIGHER_RATING = "higher", _("the higher rating of its members")
        LOWER_RATING = "lower", _("the lower rating of its members")
        MEAN_RATING = "mean", _("the mean rating of its members")
        MANUAL = "hand", _("set by the director")

    event = models.OneToOneField(Event, models.CASCADE, related_name="strata")
    rule = models.CharField(max_length=10, choices=Rule, default=Rule.MANUAL)
    lines = models.JSONField()  # [name, minimum rating as exact text], highest first

    class Meta:
        verbose_name_plural = "strata"
        constraints = [
            models.CheckConstraint(
                name="strata_have_a_known_rule",
                condition=Q(rule__in=["higher", "lower", "mean", "hand"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {', '.join(name for name, _minimum_rating in self.lines)}"


class EntryProfile(models.Model):
    """The seed, ratings, stratum and tags of an entry."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="profile")
    seed = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 for the strongest entry
    ratings = models.JSONField(default=list, blank=True)  # of its members, as exact text
    stratum = models.CharField(max_length=20, blank=True)  # set by the director, or ""
    tags = models.JSONField(default=list, blank=True)  # words such as "mixed", for prizes

    def __str__(self) -> str:
        return f"{self.entry}: seed {self.seed or 'none'}"

    def to_data(self) -> dict[str, Any]:
        """Return the profile in the input format of `set_entry_profiles`."""
        return {
            "seed": self.seed,
            "ratings": list(self.ratings),
            "stratum": self.stratum,
            "tags": list(self.tags),
        }


class EventPrize(models.Model):
    """A prize of an event for a place in one of its lists: money or an honour."""

    class Kind(models.TextChoices):
        MONEY = "money", _("money")
        HONOUR = "honour", _("trophy")

    event = models.ForeignKey(Event, models.CASCADE, related_name="prizes")
    order = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    # The ranking in which `place` wins: "all", "stratum:B", "side:NS" or "tag:mixed"; or "lot".
    listed = models.CharField(max_length=40, default="all")
    place = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.HONOUR)
    value = models.PositiveIntegerField(default=0)  # in cents; 0 for an honour

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["event", "order"], name="one_prize_an_order"),
            models.CheckConstraint(name="prize_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="prize_of_money_is_worth_some",
                condition=Q(kind="money", value__gte=1) | Q(kind="honour", value=0),
            ),
            models.CheckConstraint(name="prize_is_for_a_place", condition=Q(place__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.name}"
