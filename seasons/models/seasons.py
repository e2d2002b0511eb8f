"""A season, its ladders, and how they stood when it was closed."""

from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player


class Season(models.Model):
    """Some of a club's days: the events of these days are in it; seasons may overlap."""

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=100)
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))  # both belong to it

    class Meta:
        ordering = ["-last_day", "-pk"]
        constraints = [
            models.CheckConstraint(name="season_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="season_ends_after_it_begins", condition=Q(last_day__gte=F("first_day"))
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The public page."""
        return reverse("season", args=[self.club.slug, self.slug])

    @property
    def audit_key(self) -> str:
        """Under what a history keeps what was done to it."""
        return f"season:{self.slug}"


class Ladder(models.Model):
    """A rule over a season; the table is made when somebody looks, and is nowhere stored."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="ladders")
    slug = models.SlugField(max_length=60)
    name = models.CharField(_("name"), max_length=100)
    rule = models.JSONField()  # as `seasons.ladders.rule_of` reads it
    order = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["order", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "slug"], name="one_ladder_a_slug"),
            models.CheckConstraint(name="ladder_has_a_name", condition=~Q(name="")),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.name}"


class Handicap(models.Model):
    """What a ladder adds to somebody's figures: tricks a board, or per cent."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="handicaps")
    player = models.ForeignKey(Player, models.CASCADE, related_name="handicaps")
    a_board = models.CharField(max_length=40)  # an exact fraction as text

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "player"], name="one_handicap_a_ladder_and_player"
            ),
            models.CheckConstraint(name="handicap_is_written", condition=~Q(a_board="")),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.a_board}"


class SeasonVersion(models.Model):
    """The ladders of a season as they stood when it was closed, or after a correction."""

    class Reason(models.TextChoices):
        CLOSED = "closed", _("season closed")
        CORRECTED = "corrected", _("an evening corrected")

    season = models.ForeignKey(Season, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    rows = models.JSONField()  # by ladder: people by keys and teams by names, never a name
    reason = models.CharField(max_length=10, choices=Reason, default=Reason.CLOSED)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "number"], name="one_season_version_a_number"
            ),
            models.CheckConstraint(
                name="season_versions_count_from_one", condition=Q(number__gte=1)
            ),
            models.CheckConstraint(
                name="season_version_reason_is_known",
                condition=Q(reason__in=["closed", "corrected"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season}, version {self.number}"
