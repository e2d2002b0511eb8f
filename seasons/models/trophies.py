"""Trophies, and the names that are engraved on them year by year."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.names import NameField
from seasons.models.seasons import Season


class Trophy(models.Model):
    """Something that is won once a year, by the first of a ladder or by hand."""

    slug = models.SlugField(max_length=60, unique=True)
    club = models.ForeignKey(Club, models.CASCADE, related_name="trophies")
    name = models.CharField(_("name"), max_length=100)
    ladder = models.SlugField(
        max_length=60, blank=True, default=""
    )  # whose first wins it, by the ladder's short name in each season; "" is by hand
    not_with = models.ForeignKey(
        "self", models.SET_NULL, related_name="+", null=True, blank=True
    )  # who wins that one in the same year cannot have this one
    order = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["order", "pk"]
        verbose_name_plural = "trophies"
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="one_trophy_a_club_and_name"),
            models.CheckConstraint(name="trophy_has_a_name", condition=~Q(name="")),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def audit_key(self) -> str:
        """Under what a history keeps what was done to it."""
        return f"trophy:{self.slug}"


class Engraving(models.Model):
    """One year of a trophy; several who share it stand in one."""

    trophy = models.ForeignKey(Trophy, models.CASCADE, related_name="engravings")
    year = models.CharField(_("year"), max_length=20)  # "2026", "2025/26"
    season = models.ForeignKey(
        Season, models.SET_NULL, related_name="engravings", null=True, blank=True
    )  # None: typed by hand

    class Meta:
        ordering = ["-year", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["trophy", "year"], name="one_engraving_a_year"),
            models.CheckConstraint(name="engraving_has_a_year", condition=~Q(year="")),
        ]

    def __str__(self) -> str:
        return f"{self.trophy}, {self.year}"

    @property
    def shown(self) -> str:
        """Who stands on it, as everybody reads them; who turned out to be one, once."""
        found = {each.player_id or each.name: each.shown for each in self.names.all()}
        return " & ".join(found.values())


class EngravedName(models.Model):
    """A name on a trophy: somebody of the club, or a name alone (a team, somebody of old)."""

    engraving = models.ForeignKey(Engraving, models.CASCADE, related_name="names")
    order = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="engraved", null=True, blank=True
    )
    name = NameField(max_length=100, blank=True, default="")  # where it is nobody's

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(
                fields=["engraving", "order"], name="one_engraved_name_an_order"
            ),
            models.CheckConstraint(
                name="an_engraved_name_is_somebody_or_text",
                condition=Q(player__isnull=False, name="")
                | Q(player__isnull=True) & ~Q(name=""),
            ),
        ]

    def __str__(self) -> str:
        return self.shown

    @property
    def shown(self) -> str:
        """As everybody reads it."""
        return self.player.shown_name if self.player else self.name
