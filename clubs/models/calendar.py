"""The models of a club's calendar: series of evenings, and single announced evenings."""

from datetime import datetime, time, timedelta
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.evenings.models import Evening
from clubs.evenings.queue import UNIT_PAIRS, UNIT_PLAYERS, UNIT_TABLES
from clubs.evenings.recurrence import InvalidRecurrenceRule, RecurrenceRule, parse_recurrence
from clubs.models.clubs import Club


def validate_rule(rule_data: object) -> None:
    """Raise ValidationError unless the JSON data are a valid rule of a series."""
    try:
        parse_recurrence(rule_data)  # type: ignore[arg-type]  # a file may contain anything
    except InvalidRecurrenceRule as error:
        raise ValidationError(str(error)) from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ValidationError(_("This isn’t a valid repeat rule.")) from None


class Plan(models.Model):
    """The settings that a series and an evening share: the game, the booking and the fees."""

    class Unit(models.TextChoices):
        PAIRS = UNIT_PAIRS, _("pairs")
        PLAYERS = UNIT_PLAYERS, _("players")
        TABLES = UNIT_TABLES, _("tables")

    minutes = models.PositiveSmallIntegerField(_("length in minutes"), default=180)
    contest = models.CharField(_("contest"), max_length=20, default="pairs")
    method = models.CharField(_("scoring"), max_length=40, blank=True, default="")
    books = models.BooleanField(_("players can book"), default=False)
    guests = models.BooleanField(_("guests can book"), default=False)
    unit = models.CharField(
        _("places counted by"), max_length=10, choices=Unit, default=Unit.PAIRS
    )
    # None means no limit
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    opens_days = models.PositiveSmallIntegerField(_("booking opens (days before)"), default=28)
    closes_hours = models.PositiveSmallIntegerField(
        _("booking closes (hours before)"), default=3
    )
    # the fees are numbers of smallest coins, e.g. pence
    fee_member = models.PositiveIntegerField(_("members’ fee"), default=0)
    fee_visitor = models.PositiveIntegerField(_("visitors’ fee"), default=0)
    fee_junior = models.PositiveIntegerField(_("juniors’ fee"), default=0)

    class Meta:
        abstract = True


class Series(Plan):
    """A series of evenings: the rule for its days, and the settings of its evenings."""

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="series")
    slug = models.SlugField(max_length=60)
    title = models.CharField(_("name"), max_length=100)
    # the JSON data that `clubs.evenings.recurrence.serialize_recurrence` returns
    rule = models.JSONField(validators=[validate_rule])
    holidays = models.JSONField(default=dict, blank=True)  # {"2026-12-25": "Christmas Day"}
    start = models.TimeField(_("start"), null=True, blank=True)
    place = models.CharField(_("place"), max_length=200, blank=True)
    # the time at which the series was ended; no evenings are created afterwards
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["title", "pk"]
        verbose_name_plural = "series"
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="one_series_a_slug"),
            models.CheckConstraint(name="series_has_a_title", condition=~Q(title="")),
            models.CheckConstraint(
                name="series_unit_is_known",
                condition=Q(unit__in=[UNIT_PAIRS, UNIT_PLAYERS, UNIT_TABLES]),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def read_rule(self) -> RecurrenceRule:
        """Return the parsed rule for the days of the series."""
        return parse_recurrence(self.rule)


class Fixture(Plan):
    """An announced evening in the calendar, which can be open for booking or cancelled.

    The related `Evening` has its date, time, place and title. `series_day` is the original
    date in the series, even after the evening is moved.
    """

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    evening = models.OneToOneField(Evening, models.PROTECT, related_name="fixture")
    series = models.ForeignKey(
        Series, models.PROTECT, related_name="fixtures", null=True, blank=True
    )
    series_day = models.DateField(null=True, blank=True)
    is_own = models.BooleanField(default=False)  # whether it no longer follows the series
    sequence = models.PositiveIntegerField(default=0)  # the iCalendar SEQUENCE
    changed_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True)
    # the keys of players who were entered in the event from their bookings
    entered = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["evening__date", "evening__start", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["series", "series_day"], name="one_fixture_a_day_of_a_series"
            ),
            models.CheckConstraint(
                name="fixture_unit_is_known",
                condition=Q(unit__in=[UNIT_PAIRS, UNIT_PLAYERS, UNIT_TABLES]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}"

    @property
    def audit_key(self) -> str:
        """The fixture's key in the audit log."""
        return f"fixture:{self.uid}"

    @property
    def club(self) -> Club:
        """The club of the evening."""
        return self.evening.club

    @property
    def start_time(self) -> datetime:
        """The start of the evening in the club's time zone; midnight if it is unknown."""
        time_of_day = self.evening.start or datetime.min.time()
        return datetime.combine(self.evening.date, time_of_day, self.club.zone)

    @property
    def opens_at(self) -> datetime:
        """The time at which booking opens."""
        return self.start_time - timedelta(days=self.opens_days)

    @property
    def booking_closes_at(self) -> datetime:
        """The time at which booking closes for players.

        This is `closes_hours` before the start. If the start is unknown, the hours are rounded
        down to whole days before the end of the evening's day: with 30 hours, booking closes at
        the end of the previous day.
        """
        if self.evening.start:
            return self.start_time - timedelta(hours=self.closes_hours)
        return self._day_end - timedelta(days=self.closes_hours // 24)

    @property
    def has_begun(self) -> bool:
        """Whether the evening has begun; if the start is unknown, whether its day is over."""
        start_time = self.start_time if self.evening.start else self._day_end
        return timezone.now() >= start_time

    @property
    def _day_end(self) -> datetime:
        """The last minute of the evening's day in the club's time zone."""
        return datetime.combine(self.evening.date, time(23, 59), self.club.zone)

    @property
    def is_closed(self) -> bool:
        """Whether the booking deadline has passed and only the director can change places."""
        return timezone.now() >= self.booking_closes_at

    @property
    def can_book(self) -> bool:
        """Whether players can book the evening now."""
        is_bookable = self.books and self.cancelled_at is None
        return is_bookable and self.opens_at <= timezone.now() < self.booking_closes_at
