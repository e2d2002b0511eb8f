"""The models of seasons, ladders, imported evenings, handicaps and trophies."""

from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.names import NameField
from tournaments.models import Entry


class Season(models.Model):
    """A named range of days of a club; all events on these days belong to it.

    Seasons of a club may overlap.
    """

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=100)
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))  # both days are included

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
        """Return the path of the season's public page."""
        return reverse("season", args=[self.club.slug, self.slug])

    @property
    def audit_key(self) -> str:
        """The key under which the action history stores this season."""
        return f"season:{self.slug}"


class Ladder(models.Model):
    """A ranking over the evenings of a season, defined by a rule.

    Its table is computed on request and never stored.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="ladders")
    slug = models.SlugField(max_length=60)
    name = models.CharField(_("name"), max_length=100)
    rule = models.JSONField()  # the format of `seasons.ladders.rules.read_rule`
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
    """A person's handicap in one ladder.

    It is in percentage points if the ladder's measure is the percentage, else in tricks per
    board.
    """

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="handicaps")
    player = models.ForeignKey(Player, models.CASCADE, related_name="handicaps")
    a_board = models.CharField(max_length=40)  # the handicap per board, a fraction as text

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
    """A snapshot of a season's ladders, taken at its close or after a later correction."""

    class Reason(models.TextChoices):
        CLOSED = "closed", _("season closed")
        CORRECTED = "corrected", _("a corrected evening")

    season = models.ForeignKey(Season, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    rows = models.JSONField()  # {ladder slug: [line]}; lines have players' primary keys
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


class EveningElsewhere(models.Model):
    """An evening of a season that was not scored with this program but imported."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="elsewhere")
    slug = models.SlugField(max_length=60)
    date = models.DateField()
    contest = models.CharField(max_length=10)
    boards = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["date", "slug"]
        verbose_name_plural = "evenings elsewhere"
        constraints = [
            models.UniqueConstraint(
                fields=["season", "slug"], name="one_evening_elsewhere_a_slug"
            ),
            models.CheckConstraint(
                name="evening_elsewhere_has_boards", condition=Q(boards__gte=1)
            ),
            models.CheckConstraint(
                name="evening_elsewhere_contest_is_known",
                condition=Q(
                    contest__in=["pairs", "individual", "teams", "memory", "drive", "rubbers"]
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.date:%Y-%m-%d} {self.slug}"


class EntryElsewhere(models.Model):
    """An entry (pair, player or team) of an imported evening.

    Scores and the handicap are stored as exact fractions in text, "" if unknown.
    """

    evening = models.ForeignKey(EveningElsewhere, models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField()
    team = models.CharField(max_length=100, blank=True, default="")
    # the section or direction in which the entry is ranked
    field = models.CharField(max_length=20, blank=True, default="")
    score = models.CharField(max_length=60)  # tricks above average, over the whole evening
    boards = models.PositiveSmallIntegerField()
    percent = models.CharField(max_length=60, blank=True, default="")
    tricks = models.CharField(max_length=60, blank=True, default="")
    place = models.PositiveIntegerField(null=True, blank=True)  # None: computed from the scores
    # the handicap used on that evening; "": it is computed
    handicap = models.CharField(max_length=40, blank=True, default="", db_default="")

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "entries elsewhere"
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "number"], name="one_entry_elsewhere_a_number"
            ),
            models.CheckConstraint(name="entry_elsewhere_has_a_score", condition=~Q(score="")),
            models.CheckConstraint(
                name="entry_elsewhere_is_placed_from_one",
                condition=Q(place__isnull=True) | Q(place__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}: {self.number}"


class SeatElsewhere(models.Model):
    """The link between a player and an entry of an imported evening.

    A player is in at most one entry of an evening.
    """

    evening = models.ForeignKey(EveningElsewhere, models.CASCADE, related_name="seats")
    entry = models.ForeignKey(EntryElsewhere, models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats_elsewhere")
    order = models.PositiveSmallIntegerField()
    was_member = models.BooleanField()  # membership on that day, from the imported file

    class Meta:
        ordering = ["order"]
        verbose_name_plural = "seats elsewhere"
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "player"], name="a_player_once_an_evening_elsewhere"
            ),
            models.UniqueConstraint(
                fields=["entry", "order"], name="one_seat_elsewhere_an_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.player}"


class SeasonHandicap(models.Model):
    """The terms by which a season computes handicaps.

    A season without this row has no handicaps.
    """

    season = models.OneToOneField(Season, models.CASCADE, related_name="handicap")
    terms = models.JSONField()  # the format of `seasons.ladders.rules.handicaps.read_terms`

    def __str__(self) -> str:
        return f"{self.season}"


class HandicapByHand(models.Model):
    """A handicap that the director set for a person; it replaces the computed one."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="by_hand")
    player = models.ForeignKey(Player, models.CASCADE, related_name="handicaps_by_hand")
    a_board = models.CharField(max_length=40)  # the handicap per board, a fraction as text
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
    """The handicap of an event's entry, stored when play opens.

    Later results do not change it.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="entry_handicaps")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="handicaps")
    # an exact fraction as text, rounded to hundredths
    a_board = models.CharField(max_length=40)

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


class Trophy(models.Model):
    """A trophy that is awarded once a year.

    The winner is the leader of a ladder, or is entered manually.
    """

    slug = models.SlugField(max_length=60, unique=True)
    club = models.ForeignKey(Club, models.CASCADE, related_name="trophies")
    name = models.CharField(_("name"), max_length=100)
    # the slug of the ladder whose leader wins it; "": engraved manually
    ladder = models.SlugField(max_length=60, blank=True, default="")
    # a trophy whose winner cannot win this one in the same year
    not_with = models.ForeignKey(
        "self", models.SET_NULL, related_name="+", null=True, blank=True
    )
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
        """The key under which the action history stores this trophy."""
        return f"trophy:{self.slug}"


class Engraving(models.Model):
    """The winners of a trophy for one year; joint winners are in the same engraving."""

    trophy = models.ForeignKey(Trophy, models.CASCADE, related_name="engravings")
    year = models.CharField(_("year"), max_length=20)  # "2026", "2025/26"
    # the season whose ladder decided the winners; None: entered manually
    season = models.ForeignKey(
        Season, models.SET_NULL, related_name="engravings", null=True, blank=True
    )

    class Meta:
        ordering = ["-year", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["trophy", "year"], name="one_engraving_a_year"),
            models.CheckConstraint(name="engraving_has_a_year", condition=~Q(year="")),
        ]

    def __str__(self) -> str:
        return f"{self.trophy}, {self.year}"

    @property
    def shown_names(self) -> str:
        """The public names of the winners; players who were merged appear once."""
        names_by_winner = {
            engraved_name.player_id or engraved_name.name: engraved_name.shown_name
            for engraved_name in self.names.all()
        }
        return " & ".join(names_by_winner.values())


class EngravedName(models.Model):
    """One winner in an engraving: a player of the club, or a text.

    A text is the name of a team or of a person who is not in the club's player list.
    """

    engraving = models.ForeignKey(Engraving, models.CASCADE, related_name="names")
    order = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="engraved", null=True, blank=True
    )
    # the winner's text if `player` is None
    name = NameField(max_length=100, blank=True, default="")

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
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The public name of the winner."""
        return self.player.shown_name if self.player else self.name
