"""A club's calendar: series of evenings, and each evening as it is announced."""

from datetime import datetime, time, timedelta
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.evenings.models import Evening
from clubs.evenings.queue import PAIRS, PLAYERS, TABLES
from clubs.evenings.recurrence import InvalidRule, RecurrenceRule, from_data
from clubs.models.clubs import Club


def validate_rule(kept: object) -> None:
    """Raise ValidationError unless a series' rule is valid."""
    try:
        from_data(kept)  # type: ignore[arg-type]  # a file may contain anything
    except InvalidRule as refused:
        raise ValidationError(str(refused)) from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ValidationError(_("This is not a rule of a series.")) from None


class Plan(models.Model):
    """The terms of an evening: what is played, booking and its deadline, and prices."""

    class Unit(models.TextChoices):
        PAIRS = PAIRS, _("pairs")
        PLAYERS = PLAYERS, _("players")
        TABLES = TABLES, _("tables")

    minutes = models.PositiveSmallIntegerField(_("length in minutes"), default=180)
    contest = models.CharField(_("contest"), max_length=20, default="pairs")
    method = models.CharField(_("scoring"), max_length=40, blank=True, default="")
    books = models.BooleanField(_("players book"), default=False)
    guests = models.BooleanField(_("guests may book"), default=False)
    unit = models.CharField(_("places are"), max_length=10, choices=Unit, default=Unit.PAIRS)
    places = models.PositiveSmallIntegerField(
        _("places"), null=True, blank=True
    )  # empty is unlimited
    opens_days = models.PositiveSmallIntegerField(_("opens days before"), default=28)
    closes_hours = models.PositiveSmallIntegerField(_("closes hours before"), default=3)
    fee_member = models.PositiveIntegerField(_("members pay"), default=0)  # smallest coin
    fee_visitor = models.PositiveIntegerField(_("visitors pay"), default=0)
    fee_junior = models.PositiveIntegerField(_("juniors pay"), default=0)

    class Meta:
        abstract = True


class Series(Plan):
    """Repeated evenings: the rule of their days, and their common values."""

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="series")
    slug = models.SlugField(max_length=60)
    title = models.CharField(_("name"), max_length=100)
    rule = models.JSONField(
        validators=[validate_rule]
    )  # as `clubs.evenings.recurrence` reads it
    holidays = models.JSONField(default=dict, blank=True)  # {"2026-12-25": "Christmas Day"}
    start = models.TimeField(_("start"), null=True, blank=True)
    place = models.CharField(_("place"), max_length=200, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)  # no evenings are added since then

    class Meta:
        ordering = ["title", "pk"]
        verbose_name_plural = "series"
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="one_series_a_slug"),
            models.CheckConstraint(name="series_has_a_title", condition=~Q(title="")),
            models.CheckConstraint(
                name="series_unit_is_known", condition=Q(unit__in=[PAIRS, PLAYERS, TABLES])
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def read_rule(self) -> RecurrenceRule:
        """Return the rule of its days."""
        return from_data(self.rule)


class Fixture(Plan):
    """An evening in the calendar: announced, open for booking, cancelled.

    Its day, time, place and title are the evening's own. `series_day` is the day from the
    series, and stays when the evening is moved.
    """

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    evening = models.OneToOneField(Evening, models.PROTECT, related_name="fixture")
    series = models.ForeignKey(
        Series, models.PROTECT, related_name="fixtures", null=True, blank=True
    )
    series_day = models.DateField(null=True, blank=True)
    is_own = models.BooleanField(default=False)  # does not follow the series
    sequence = models.PositiveIntegerField(default=0)  # for calendar programs
    changed_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True)
    entered = models.JSONField(
        default=list, blank=True
    )  # keys of the players entered from bookings

    class Meta:
        ordering = ["evening__date", "evening__start", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["series", "series_day"], name="one_fixture_a_day_of_a_series"
            ),
            models.CheckConstraint(
                name="fixture_unit_is_known", condition=Q(unit__in=[PAIRS, PLAYERS, TABLES])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}"

    @property
    def audit_key(self) -> str:
        """The key of its history."""
        return f"fixture:{self.uid}"

    @property
    def club(self) -> Club:
        """The club of the evening."""
        return self.evening.club

    @property
    def begins(self) -> datetime:
        """The start in the club's zone; midnight if no time is known."""
        start = self.evening.start or datetime.min.time()
        return datetime.combine(self.evening.date, start, self.club.zone)

    @property
    def opens_at(self) -> datetime:
        """The start of booking."""
        return self.begins - timedelta(days=self.opens_days)

    @property
    def closes_at(self) -> datetime:
        """The end of booking for players.

        Without a start the evening may begin at any time of its day. Booking then stays open to
        the end of the day, less the whole days of `closes_hours`.
        """
        if self.evening.start:
            return self.begins - timedelta(hours=self.closes_hours)
        return self._day_end - timedelta(days=self.closes_hours // 24)

    @property
    def has_begun(self) -> bool:
        """Whether it has begun; without a start, whether its day is over."""
        begins = self.begins if self.evening.start else self._day_end
        return timezone.now() >= begins

    @property
    def _day_end(self) -> datetime:
        """The last minute of its day, as pages show it."""
        return datetime.combine(self.evening.date, time(23, 59), self.club.zone)

    @property
    def is_closed(self) -> bool:
        """Whether only the director can move bookings now."""
        return timezone.now() >= self.closes_at

    @property
    def can_book(self) -> bool:
        """Whether players can book now."""
        is_on = self.books and self.cancelled_at is None
        return is_on and self.opens_at <= timezone.now() < self.closes_at
