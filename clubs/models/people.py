"""The people of a club: who they are, what they agreed to, their own secret address."""

from typing import Any, ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.letters import PLAIN_LENGTH, kept_plain
from clubs.links import SecretLink
from clubs.models.clubs import Club
from clubs.models.names import NameField
from clubs.names.unknown import shown_partner


class PlainLetters(models.CharField):  # type: ignore[type-arg]  # not at run time
    """A name in plain letters, kept beside it so that the database can sort and search.

    It follows the name whenever the row is written; nobody sets it. To a migration it is text.
    """

    def deconstruct(self) -> Any:
        """Say what a migration has to know of it."""
        name, _path, given, options = super().deconstruct()
        return name, "django.db.models.CharField", given, options

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Make it of the name as it is now."""
        plain = kept_plain(model_instance.name)  # type: ignore[attr-defined]  # of a player, as the field is
        setattr(model_instance, self.attname, plain)
        return plain


class Player(models.Model):
    """A person who plays at a club; no login is needed.

    Whoever was forgotten has a name made up, and nothing else that tells who it was.
    """

    class Shown(models.TextChoices):
        """What everybody reads in place of the name; the results stay."""

        NAME = "name", _("the name")
        INITIALS = "initials", _("initials only")
        NOBODY = "nobody", _("“a player” and no name")
        UNKNOWN = "unknown", _("a partner who is not known yet")

    class Kind(models.TextChoices):
        MEMBER = "member", _("member")
        VISITOR = "visitor", _("visitor")
        PAST = "past", _("past member")

    uid = models.UUIDField(
        default=uuid4, unique=True, editable=False
    )  # its name on other servers
    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = NameField(_("name"), max_length=80)
    plain = PlainLetters(
        max_length=PLAIN_LENGTH, blank=True, default="", db_default="", editable=False
    )  # by which lists sort and searches find
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
    forgotten_on = models.DateField(
        null=True, blank=True, editable=False
    )  # the day on which all that told who it was went

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["club", "plain"], name="players_in_order")]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="one_player_a_club_and_name"),
            models.CheckConstraint(name="player_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="player_shown_is_known",
                condition=Q(shown__in=["name", "initials", "nobody", "unknown"]),
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
        if self.shown == self.Shown.UNKNOWN:
            return shown_partner()
        return gettext("A player") if self.shown == self.Shown.NOBODY else self.name

    @classmethod
    def shown_choices(cls) -> list[tuple[str, Any]]:
        """Return the ways to be shown that a person or a director can choose."""
        return [each for each in cls.Shown.choices if each[0] != cls.Shown.UNKNOWN]


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


class PersonLink(SecretLink):
    """A person's own address for the year: it opens `/me/`, and enters no score.

    The newest that is live is the one that is printed; one taken back answers no more.
    """

    page: ClassVar[str] = "me_open"

    player = models.ForeignKey(Player, models.CASCADE, related_name="links")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player}"
