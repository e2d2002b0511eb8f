"""The models of clubs, their logos, and the roles of their members."""

from uuid import uuid4
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


def check_timezone(name: str) -> None:
    """Raise ValidationError unless this computer knows the time zone."""
    if name not in available_timezones():
        raise ValidationError(
            _("“%(name)s” isn’t a time zone. Enter a city such as London or Europe/London."),
            params={"name": name},
        )


def validate_room_plan(plan: object) -> None:
    """Raise ValidationError unless the plan maps tables to row and column: {"3": [1, 2]}."""
    if not isinstance(plan, dict) or not all(
        isinstance(position, list)
        and len(position) == 2
        and all(isinstance(coordinate, int) and coordinate > 0 for coordinate in position)
        for position in plan.values()
    ):
        raise ValidationError(_("Give each table a row and a column, starting from 1."))


ACCENT_COLOURS = ("claret", "navy", "forest", "plum", "slate", "rust", "teal", "gold")


class Club(models.Model):
    """A club, to which players, members and events belong."""

    class AccentColour(models.TextChoices):
        """The accent colours, each with a readable shade for light mode and for dark mode."""

        CLARET = "claret", _("claret")
        NAVY = "navy", _("navy")
        FOREST = "forest", _("forest")
        PLUM = "plum", _("plum")
        SLATE = "slate", _("slate")
        RUST = "rust", _("rust")
        TEAL = "teal", _("teal")
        GOLD = "gold", _("gold")

    # identifies the club on other servers
    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=100, unique=True)
    slug = models.SlugField(unique=True)
    timezone = models.CharField(
        _("time zone"), max_length=60, default="Europe/London", validators=[check_timezone]
    )
    # the hours after closing in which results can be corrected without reopening
    correction_hours = models.PositiveSmallIntegerField(_("hours for corrections"), default=24)

    # shown on phones instead of the long name
    short_name = models.CharField(
        _("short name"), max_length=14, blank=True, default="", db_default=""
    )
    # the colour of the line and the crest at the top of the club's pages
    accent = models.CharField(
        _("accent"),
        max_length=10,
        choices=AccentColour,
        default=AccentColour.CLARET,
        db_default=AccentColour.CLARET,
    )
    # the hash of the logo in its URL; "" without a logo
    logo_mark = models.CharField(
        max_length=12, blank=True, default="", db_default="", editable=False
    )

    # the currency of the table money
    currency = models.CharField(_("currency"), max_length=3, default="GBP", db_default="GBP")

    # the language of papers, mail, the big screen and directors' pages; "" for the language of
    # the installation
    language = models.CharField(
        _("language"), max_length=10, blank=True, default="", db_default=""
    )

    # on a server: whether all members need a second factor
    asks_factor = models.BooleanField(default=False, db_default=False)

    # whether the club's data is invented; if so, its pages contain a notice
    is_demo = models.BooleanField(default=False, db_default=False, editable=False)
    # whether forms, menus and search also offer the features that only congresses need
    has_congress_features = models.BooleanField(default=False, db_default=False)

    # {"3": [row, column]} by table; if empty, tables are shown in one sequence
    room_plan = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
        validators=[validate_room_plan],
    )
    # the new site of a club that has moved and is read-only here
    moved_to = models.URLField(
        max_length=200, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="club_accent_is_known", condition=Q(accent__in=ACCENT_COLOURS)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def audit_key(self) -> str:
        """The club's key in the audit log."""
        return f"club:{self.slug}"

    @property
    def club(self) -> "Club":
        """The club itself, as the `clubs.audit.AuditSubject` protocol requires."""
        return self

    @property
    def paper_branding(self) -> tuple[bytes, str]:
        """The logo as PNG (b"" if there is none) and the short name, for printed papers."""
        logo = Logo.objects.filter(club=self).first() if self.logo_mark else None
        return bytes(logo.image) if logo else b"", self.short_name

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which the club's times are shown."""
        return ZoneInfo(self.timezone)


class Logo(models.Model):
    """A club's logo as a PNG that the program has redrawn."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="logo")
    image = models.BinaryField()  # a PNG of a few kilobytes

    def __str__(self) -> str:
        return f"{self.club}"


class Membership(models.Model):
    """The role of one user in one club."""

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
