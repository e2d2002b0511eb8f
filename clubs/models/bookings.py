"""The models of an evening's bookings, attendance and payments."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.links import SecretLink
from clubs.models.calendar import Fixture
from clubs.models.names import NameField
from clubs.models.people import Player
from clubs.names.tidy import build_name_key


class Booking(models.Model):
    """One booking of a single, a pair or a team, which has a place or is on the waiting list.

    The fixture's row is locked for every change of its bookings.
    """

    uid = models.UUIDField(unique=True, editable=False)  # is the same on other computers
    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="bookings")
    order = models.PositiveIntegerField()  # the position in the order of arrival
    has_place = models.BooleanField(default=False)
    # a host plays only if the number of other players is odd
    is_host = models.BooleanField(default=False)
    made_at = models.DateTimeField()
    is_fetched = models.BooleanField(default=False)  # was imported from the club's server
    team = models.CharField(_("team"), max_length=60, blank=True)
    sits_north = models.BooleanField(_("needs a fixed seat"), default=False)
    needs_host = models.BooleanField(_("needs a host"), default=False)
    seeks = models.BooleanField(_("needs a partner"), default=False)
    # the booking of the single whom this single has invited
    asks = models.ForeignKey(
        "self", models.SET_NULL, related_name="asked_by", null=True, blank=True
    )

    class Meta:
        ordering = ["order", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["fixture", "order"], name="bookings_come_one_after_another"
            ),
        ]

    def __str__(self) -> str:
        return f"booking {self.order}, {self.fixture}"


class BookedPerson(models.Model):
    """One person in a booking: a player of the club, or a guest with a name."""

    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="booked")
    booking = models.ForeignKey(Booking, models.CASCADE, related_name="people")
    order = models.PositiveSmallIntegerField(default=1)
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="booked", null=True, blank=True
    )
    name = NameField(_("name"), max_length=80, blank=True)  # only of a guest
    # False until the person accepts the booking that a partner has made
    accepted = models.BooleanField(default=True)

    class Meta:
        ordering = ["order", "pk"]
        verbose_name_plural = "booked people"
        constraints = [
            models.UniqueConstraint(
                fields=["fixture", "player"], name="one_booking_a_person_and_evening"
            ),
            models.UniqueConstraint(
                fields=["fixture", "name"],
                condition=~Q(name=""),
                name="one_booking_a_guest_and_evening",
            ),
            models.CheckConstraint(
                name="booked_is_a_player_or_a_guest",
                condition=Q(player__isnull=False, name="")
                | (Q(player__isnull=True) & ~Q(name="")),
            ),
        ]

    def __str__(self) -> str:
        return self.full_name

    @property
    def key(self) -> str:
        """The key that identifies the person within the evening."""
        return f"p{self.player_id}" if self.player_id else f"g{build_name_key(self.name)}"

    @property
    def full_name(self) -> str:
        """The full name, which the director and the people in the booking see."""
        return self.player.name if self.player else self.name


class BookingLink(SecretLink):
    """The secret link with which one person books one evening and manages that booking."""

    url_name: ClassVar[str] = "booking_own"

    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="links")
    player = models.ForeignKey(
        Player, models.CASCADE, related_name="booking_links", null=True, blank=True
    )
    name = NameField(max_length=80, blank=True)  # only of a guest

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player or self.name}, {self.fixture}"

    @property
    def key(self) -> str:
        """The key that identifies the person within the evening."""
        return f"p{self.player_id}" if self.player_id else f"g{build_name_key(self.name)}"


class Attendance(models.Model):
    """A person's attendance at an evening, with the fee and its payment.

    A fee is owed until it is paid or waived. A payment may be made on a later evening, in
    whose cash box it is counted (`settled_on`).
    """

    class Kind(models.TextChoices):
        MEMBER = "member", _("member")
        VISITOR = "visitor", _("visitor")
        JUNIOR = "junior", _("junior")

    class Settlement(models.TextChoices):
        OWING = "owing", _("owing")
        CASH = "cash", _("cash")
        OTHER = "other", _("paid another way")
        FREE = "free", _("free")

    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="attendances")
    player = models.ForeignKey(Player, models.PROTECT, related_name="attendances")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.MEMBER)
    fee = models.PositiveIntegerField(default=0)  # the number of smallest coins, e.g. pence
    settled = models.CharField(max_length=10, choices=Settlement, default=Settlement.OWING)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.CharField(max_length=150, blank=True)
    settled_on = models.ForeignKey(
        Fixture, models.SET_NULL, related_name="takings", null=True, blank=True
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["fixture", "player"], name="one_attendance_a_person_and_evening"
            ),
            models.CheckConstraint(
                name="attendance_kind_is_known",
                condition=Q(kind__in=["member", "visitor", "junior"]),
            ),
            models.CheckConstraint(
                name="attendance_is_settled_at_a_time",
                condition=Q(settled="owing", settled_at__isnull=True)
                | Q(settled__in=["cash", "other", "free"], settled_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}, {self.fixture}: {self.settled}"
