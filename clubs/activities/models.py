"""Abstract models with the columns that events, drives and rubber nights share."""

from datetime import date as Date
from typing import ClassVar, Self, TypeVar
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.evenings.models import Evening
from clubs.models.clubs import Club
from clubs.models.people import Player
from clubs.slugs import create_free_slug

ActivityT = TypeVar("ActivityT", bound="Activity", covariant=True)


class ActivityQuerySet(models.QuerySet[ActivityT]):
    """A queryset of activities with filters for lists and repeated requests."""

    def exclude_hidden(self) -> Self:
        """Return the activities that lists show: neither archived nor a rehearsal."""
        return self.filter(put_away_at=None, is_rehearsal=False)

    def find_by_form_key(self, club: Club, form_key: str | None) -> ActivityT | None:
        """Return the activity that an earlier request with this form key created, if any."""
        return self.filter(club=club, form_key=form_key).first() if form_key else None


class Activity(models.Model):
    """The base of everything that a club plays, scores and publishes on its own public page.

    A subclass adds a foreign key `club` and sets the class variables below.
    """

    kind: ClassVar[str]
    """The prefix of the activity's audit key and of the action codes: "drive"."""
    argument_name: ClassVar[str]
    """The name of the keyword argument and template variable with the activity: "drive"."""
    url_name: ClassVar[str]
    """The URL name of the activity's public page."""
    select_related_fields: ClassVar[tuple[str, ...]] = ("club",)
    """The relations that `select_related` loads with every locked row."""

    # identifies the activity on other servers
    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    club: "models.ForeignKey[Club, Club]"
    club_id: int
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=200)
    form_key = models.CharField(max_length=40, null=True, blank=True, editable=False)  # noqa: DJ001 - unique, so "none" must not be a value
    # the time at which the activity was archived and so hidden from all lists
    put_away_at = models.DateTimeField(null=True, blank=True, editable=False)
    # for practice: only directors' lists show the activity, and seasons ignore it
    is_rehearsal = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(name="%(class)s_has_a_name", condition=~Q(name="")),
            models.UniqueConstraint(fields=["club", "form_key"], name="one_%(class)s_a_form"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the URL of the activity's public page."""
        return reverse(self.url_name, args=[self.slug])

    @property
    def audit_key(self) -> str:
        """The activity's key in the audit log, which stays valid after the row is deleted."""
        return f"{self.kind}:{self.slug}"

    @classmethod
    def create_slug(cls, name: str, day: Date) -> str:
        """Return an unused slug made of a name and a date."""
        return create_free_slug(f"{slugify(name)[:60] or cls.kind}-{day.isoformat()}", cls)


class EveningActivity(Activity):
    """An activity that is played on one evening and closed as a whole.

    All random draws of the activity are derived from `secret`. A subclass adds a one-to-one
    relation `evening`.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("not started")
        OPEN = "open", _("in play")
        CLOSED = "closed", _("finished")

    class PaperSize(models.TextChoices):
        A4 = "A4", _("A4")
        A5 = "A5", _("A5")
        LETTER = "Letter", _("Letter")

    evening: "models.OneToOneField[Evening, Evening]"
    evening_id: int
    paper_size = models.CharField(
        _("paper"), max_length=10, choices=PaperSize, default=PaperSize.A4
    )
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    # the seed of all draws, secret until closing; None if an imported file had none
    secret = models.BinaryField(max_length=512, null=True, blank=True)
    commitment = models.CharField(
        max_length=64, blank=True
    )  # the secret's hash, published before play
    closed_at = models.DateTimeField(null=True, blank=True)
    # is incremented by every write that can change a score or a seat
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta(Activity.Meta):
        abstract = True
        ordering = ["-evening__date", "-id"]
        constraints = [
            *Activity.Meta.constraints,
            models.CheckConstraint(
                name="%(class)s_state_is_known",
                condition=Q(state__in=["planned", "open", "closed"]),
            ),
            models.CheckConstraint(
                name="closed_%(class)s_says_when",
                condition=Q(state="closed", closed_at__isnull=False)
                | (~Q(state="closed") & Q(closed_at__isnull=True)),
            ),
        ]

    @property
    def date(self) -> Date:
        """The date of the activity's evening."""
        return self.evening.date

    @property
    def is_closed(self) -> bool:
        """Whether the activity is closed: the result is final, the secret may be published."""
        return self.state == self.State.CLOSED


class ActivityPlayer(models.Model):
    """A participant of an activity: a player of the club, or a typed name.

    A subclass adds a nullable foreign key `player`, a `name` and a `number`.
    """

    player: "models.ForeignKey[Player | None, Player | None]"
    name: "models.CharField[str, str]"
    number: "models.IntegerField[int, int]"

    class Meta:
        abstract = True

    @property
    def full_name(self) -> str:
        """The name for directors and scorers; "player 7" if the participant has no name."""
        name = self.player.name if self.player else self.name
        return name or gettext("player %(number)s") % {"number": self.number}

    @property
    def shown_name(self) -> str:
        """The public name, in the form that the player chose: full, initials, or none."""
        return self.player.shown_name if self.player else self.full_name
