"""A club, who may run its events, and who plays there."""

from uuid import uuid4
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


def check_timezone(name: str) -> None:
    """Raise ValidationError when a time zone is not one that the computer knows."""
    if name not in available_timezones():
        raise ValidationError(
            _("“%(name)s” is not a time zone; write one like Europe/London."),
            params={"name": name},
        )


def check_room_plan(plan: object) -> None:
    """Raise ValidationError unless tables stand in rows and columns: {"3": [1, 2]}."""
    if not isinstance(plan, dict) or not all(
        isinstance(at, list)
        and len(at) == 2
        and all(isinstance(each, int) and each > 0 for each in at)
        for at in plan.values()
    ):
        raise ValidationError(_("A table stands in a row and a column, both counted from 1."))


ACCENTS = ("claret", "navy", "forest", "plum", "slate", "rust", "teal", "gold")


class Club(models.Model):
    """A club, to which players and events belong."""

    class Accent(models.TextChoices):
        """The eight that can be read on a light sheet and, in another shade, on a dark one."""

        CLARET = "claret", _("claret")
        NAVY = "navy", _("navy")
        FOREST = "forest", _("forest")
        PLUM = "plum", _("plum")
        SLATE = "slate", _("slate")
        RUST = "rust", _("rust")
        TEAL = "teal", _("teal")
        GOLD = "gold", _("gold")

    uid = models.UUIDField(
        default=uuid4, unique=True, editable=False
    )  # its name on other servers
    name = models.CharField(_("name"), max_length=100, unique=True)
    slug = models.SlugField(unique=True)
    timezone = models.CharField(
        _("time zone"), max_length=60, default="Europe/London", validators=[check_timezone]
    )
    correction_hours = models.PositiveSmallIntegerField(
        _("hours for corrections"), default=24
    )  # after closing, in which the director puts scores right without opening again

    short_name = models.CharField(
        _("short name"), max_length=14, blank=True, default=""
    )  # where a phone has no room for the whole one
    accent = models.CharField(
        _("accent"), max_length=10, choices=Accent, default=Accent.CLARET
    )  # of the line on top and the crest; it never means anything
    logo_mark = models.CharField(
        max_length=12, blank=True, default="", editable=False
    )  # changes with the logo, and stands in its address; "" is none

    asks_factor = models.BooleanField(
        default=False, db_default=False
    )  # whether all its logins need a second factor, on a server

    room_plan = models.JSONField(
        default=dict, blank=True, validators=[check_room_plan]
    )  # where each table stands in the hall: {"3": [row, column]}; empty is one after another
    moved_to = models.URLField(
        max_length=200, blank=True, default="", db_default="", editable=False
    )  # where the club is now, if it has moved to another machine: here it only rests

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="club_accent_is_known", condition=Q(accent__in=ACCENTS)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def audit_key(self) -> str:
        """Under what a history keeps what was done to it."""
        return f"club:{self.slug}"

    @property
    def club(self) -> "Club":
        """The club that what was done to it belongs to."""
        return self

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which this club's times are shown."""
        return ZoneInfo(self.timezone)


class Logo(models.Model):
    """A club's picture, as the program has drawn it anew from what was sent."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="logo")
    image = models.BinaryField()  # PNG, a few kilobytes; in a table of its own, rarely read

    def __str__(self) -> str:
        return f"{self.club}"


class Membership(models.Model):
    """What a login may do in a club."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        DIRECTOR = "director", _("director")
        SCORER = "scorer", _("scorer")

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role, default=Role.DIRECTOR)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"], name="one_membership_a_club_and_user"
            ),
            models.CheckConstraint(
                name="membership_role_is_known",
                condition=Q(role__in=["owner", "director", "scorer"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} – {self.get_role_display()}, {self.club}"


class Player(models.Model):
    """A person who plays at a club; no login is needed."""

    class Shown(models.TextChoices):
        """What everybody reads in place of the name; the results stay."""

        NAME = "name", _("the name")
        INITIALS = "initials", _("initials only")
        NOBODY = "nobody", _("“a player” and no name")

    class Kind(models.TextChoices):
        MEMBER = "member", _("member")
        VISITOR = "visitor", _("visitor")
        PAST = "past", _("past member")

    uid = models.UUIDField(
        default=uuid4, unique=True, editable=False
    )  # its name on other servers
    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = models.CharField(_("name"), max_length=80)
    shown = models.CharField(
        _("everybody sees"), max_length=10, choices=Shown, default=Shown.NAME
    )
    number = models.CharField(
        _("number"), max_length=20, blank=True, default="", db_default=""
    )  # text, so leading zeros stay; owner, directors and the person alone see it
    kind = models.CharField(
        _("kind"), max_length=10, choices=Kind, default=Kind.MEMBER, db_default=Kind.MEMBER
    )
    joined = models.DateField(_("joined"), null=True, blank=True)
    left = models.DateField(_("left"), null=True, blank=True)
    email = models.EmailField(_("e-mail"), blank=True, default="", db_default="")
    phone = models.CharField(
        _("telephone"), max_length=40, blank=True, default="", db_default=""
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="one_player_a_club_and_name"),
            models.CheckConstraint(name="player_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="player_shown_is_known",
                condition=Q(shown__in=["name", "initials", "nobody"]),
            ),
            models.UniqueConstraint(
                fields=["club", "number"],
                condition=~Q(number=""),
                name="one_player_a_club_and_number",
            ),
            models.CheckConstraint(
                name="player_kind_is_known",
                condition=Q(kind__in=["member", "visitor", "past"]),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_name(self) -> str:
        """The name as pages and papers have it: whole, as initials, or left out."""
        if self.shown == self.Shown.INITIALS:
            return " ".join(f"{word[0].upper()}." for word in self.name.split())
        return gettext("A player") if self.shown == self.Shown.NOBODY else self.name


class Consent(models.Model):
    """What a person has agreed to, or has not: the last word on each matter."""

    class What(models.TextChoices):
        MAIL = "mail", _("results by e-mail")
        CONTACT = "contact", _("contact shown to members")

    player = models.ForeignKey(Player, models.CASCADE, related_name="consents")
    what = models.CharField(max_length=10, choices=What)
    given = models.BooleanField()
    at = models.DateTimeField()
    by = models.CharField(max_length=150)  # a login, or whoever has none

    class Meta:
        ordering = ["what"]
        constraints = [
            models.UniqueConstraint(fields=["player", "what"], name="one_consent_a_matter"),
            models.CheckConstraint(
                name="consent_is_to_a_known_matter", condition=Q(what__in=["mail", "contact"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.what}, {self.given}"


class TwoPeople(models.Model):
    """Two names that look like one person and are two: remembered, so nobody asks again."""

    one = models.ForeignKey(Player, models.CASCADE, related_name="+")
    other = models.ForeignKey(Player, models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "two people"
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="two_people_said_once"),
            models.CheckConstraint(
                name="two_people_in_the_order_of_keys",
                condition=Q(one__lt=models.F("other")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} / {self.other}"
