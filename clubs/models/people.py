"""The models of a club's people: personal data, consents and personal links."""

from typing import Any, ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.links import SecretLink
from clubs.models.clubs import Club
from clubs.models.names import NameField
from clubs.name_folding import MAX_FOLDED_LENGTH, fold_name_for_storage
from clubs.names.unknown import format_unknown_partner


class FoldedNameField(models.CharField):  # type: ignore[type-arg]  # not at run time
    """A field with the row's name in lower case and without accents, for sorting and searching.

    The copy is computed each time the row is saved.
    """

    def deconstruct(self) -> Any:
        """Return the field as a plain text field for migrations."""
        name, _path, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the object's current name in lower case and without accents."""
        plain_name = fold_name_for_storage(model_instance.name)  # type: ignore[attr-defined]  # a Player
        setattr(model_instance, self.attname, plain_name)
        return plain_name


class Player(models.Model):
    """A person who plays at a club and needs no login.

    After an erasure the person has an invented name and no other personal data.
    """

    class Shown(models.TextChoices):
        """The forms in which a person's name can be published."""

        NAME = "name", _("name")
        INITIALS = "initials", _("initials only")
        NO_NAME = "nobody", _("“a player” (no name)")
        UNKNOWN = "unknown", _("an unknown partner")

    class Kind(models.TextChoices):
        MEMBER = "member", _("member")
        VISITOR = "visitor", _("visitor")
        PAST_MEMBER = "past", _("past member")

    # identifies the person on other servers
    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = NameField(_("name"), max_length=80)
    # the name in lower case and without accents
    plain = FoldedNameField(
        max_length=MAX_FOLDED_LENGTH, blank=True, default="", db_default="", editable=False
    )
    shown = models.CharField(_("public name"), max_length=10, choices=Shown, default=Shown.NAME)
    # a text, because a number may begin with zeros; only owners, directors and the person see
    # it
    number = models.CharField(_("number"), max_length=20, blank=True, default="", db_default="")
    kind = models.CharField(
        _("kind"), max_length=10, choices=Kind, default=Kind.MEMBER, db_default=Kind.MEMBER
    )
    joined = models.DateField(_("joined"), null=True, blank=True)
    left = models.DateField(_("left"), null=True, blank=True)
    email = models.EmailField(_("e-mail"), blank=True, default="", db_default="")
    phone = models.CharField(
        _("telephone"), max_length=40, blank=True, default="", db_default=""
    )
    # the day on which the personal data was deleted
    forgotten_on = models.DateField(null=True, blank=True, editable=False)

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
        """The name on public pages and papers, in the form that the person chose."""
        if self.shown == self.Shown.INITIALS:
            return " ".join(f"{word[0].upper()}." for word in self.name.split())
        if self.shown == self.Shown.UNKNOWN:
            return format_unknown_partner()
        return gettext("A player") if self.shown == self.Shown.NO_NAME else self.name

    @classmethod
    def list_public_name_choices(cls) -> list[tuple[str, Any]]:
        """Return the form choices for `shown`, without the one for unknown partners."""
        return [choice for choice in cls.Shown.choices if choice[0] != cls.Shown.UNKNOWN]


class Consent(models.Model):
    """A person's current consent to one use of personal data, or the refusal of it."""

    class ConsentPurpose(models.TextChoices):
        RESULTS_BY_EMAIL = "mail", _("results by e-mail")
        CONTACT = "contact", _("contact shown to members")

    player = models.ForeignKey(Player, models.CASCADE, related_name="consents")
    what = models.CharField(max_length=10, choices=ConsentPurpose)
    given = models.BooleanField()
    at = models.DateTimeField()
    by = models.CharField(max_length=150)  # see clubs.audit.format_author_key

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
    """A record that two similar names belong to different people, who are not to be merged."""

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
    """A person's secret link to the page `/me/`, on which no scores can be entered.

    The newest valid link of a person is the one that is printed.
    """

    url_name: ClassVar[str] = "me_open"

    player = models.ForeignKey(Player, models.CASCADE, related_name="links")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player}"
