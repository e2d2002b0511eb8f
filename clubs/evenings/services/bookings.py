"""Services with which players book an evening, find a partner, accept, decline and cancel.

Directors can use the same services for any player.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import BookingRefused
from clubs.evenings import queue
from clubs.evenings.queue import QueuePerson
from clubs.evenings.services.booking_errors import format_booking_error
from clubs.evenings.services.booking_rows import (
    BookingChange,
    change_bookings,
    fill_free_places,
)
from clubs.evenings.services.fixtures import lock_fixture
from clubs.models import BookedPerson, Booking, BookingLink, Fixture, Player
from clubs.name_folding import fold_name
from clubs.names.tidy import build_name_key

MAX_TEAM_SIZE = 6


@dataclass(frozen=True, slots=True)
class NewPerson:
    """A person to be booked: a player of the club, or a guest with a name."""

    player: Player | None = None
    name: str = ""
    has_accepted: bool = True

    @property
    def key(self) -> str:
        """The key that identifies the person within the evening."""
        return f"p{self.player.pk}" if self.player else f"g{build_name_key(self.name)}"

    @property
    def full_name(self) -> str:
        """The full name of the player or guest."""
        return self.player.name if self.player else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingOptions:
    """The options of a booking that the players choose."""

    team: str = ""
    sits_north: bool = False
    needs_host: bool = False
    is_host: bool = False
    seeks: bool = False


@transaction.atomic
def create_booking(
    *,
    fixture: Fixture,
    people: Sequence[NewPerson],
    options: BookingOptions | None = None,
    is_director: bool = False,
    uid: str = "",
    by: Actor,
) -> Booking:
    """Book an evening for a single, a pair or a team: with a place, or on the waiting list.

    Players can book while booking is open, directors at any time. A repeated request for the
    same people returns the existing booking. Raises BookingRefused.
    """
    options = options or BookingOptions()
    person_keys = [person.key for person in people]
    with change_bookings(fixture, "booking.made", by=by) as change:
        _check_booking_open(change.fixture, is_director=is_director)
        _check_people(change.fixture, people, is_director=is_director)
        existing_booking = change.queue.find_booking(person_keys[0]) if person_keys else None
        if existing_booking is not None and {
            person.key for person in existing_booking.people
        } == set(person_keys):
            return next(
                booking
                for booking in change.bookings
                if booking.pk == existing_booking.booking_pk
            )
        booking = _create_booking_row(change, people, options, uid)
        queue_people = [QueuePerson(person.key, person.has_accepted) for person in people]
        new_booking = queue.QueueBooking(
            booking.pk, booking.order, tuple(queue_people), is_host=options.is_host
        )
        change.queue = queue.add_booking(change.queue, new_booking)
        change.act_location = {"name": ", ".join(person.full_name for person in people)}
    booking.refresh_from_db()
    return booking


def _create_booking_row(
    change: BookingChange, people: Sequence[NewPerson], options: BookingOptions, uid: str
) -> Booking:
    booked_people = [person for booking in change.bookings for person in booking.people.all()]
    if any(
        _is_same_person(new_person, person) for new_person in people for person in booked_people
    ):
        raise queue.InvalidQueueChange("booked")
    if any(
        _is_same_person(new_person, other_person)
        for new_person, other_person in combinations(people, 2)
    ):
        raise queue.InvalidQueueChange("twice")
    booking = Booking.objects.create(
        uid=uid or uuid4(),
        fixture=change.fixture,
        order=change.get_next_order(),
        made_at=timezone.now(),
        team=options.team[:60],
        sits_north=options.sits_north,
        needs_host=options.needs_host,
        is_host=options.is_host,
        seeks=options.seeks and len(people) == 1,
        is_fetched=bool(uid),
    )
    create_booked_people(booking, people)
    return booking


def create_booked_people(booking: Booking, people: Iterable[NewPerson]) -> None:
    """Store the people of a booking in the given order; the caller records the act."""
    BookedPerson.objects.bulk_create(build_booked_people(booking, people))


def build_booked_people(booking: Booking, people: Iterable[NewPerson]) -> list[BookedPerson]:
    """Return the unsaved people of a booking in the given order."""
    return [
        BookedPerson(
            fixture=booking.fixture,
            booking=booking,
            order=order,
            player=person.player,
            name="" if person.player else person.name,
            accepted=person.has_accepted,
        )
        for order, person in enumerate(people, start=1)
    ]


def _check_booking_open(fixture: Fixture, *, is_director: bool) -> None:
    if fixture.cancelled_at is not None:
        raise BookingRefused(_("This evening is cancelled."))
    if is_director or fixture.can_book:
        return
    if fixture.books and timezone.now() < fixture.opens_at:
        raise BookingRefused(_("Booking has not opened yet."))
    raise BookingRefused(_("Booking is closed. Ask the director."))


def _check_people(fixture: Fixture, people: Sequence[NewPerson], *, is_director: bool) -> None:
    if not people:
        raise queue.InvalidQueueChange("nobody")
    if len(people) > MAX_TEAM_SIZE:
        message = _("A team can have at most %(most)s players.")
        raise BookingRefused(message % {"most": MAX_TEAM_SIZE})
    for person in people:
        if person.player and person.player.club_id != fixture.evening.club_id:
            raise BookingRefused(_("Choose a player from this club."))
        if not person.player and not (fixture.guests or is_director):
            raise BookingRefused(_("Only the club’s players can book this evening."))
        if not 0 < len(person.full_name) <= 80 or not person.full_name.isprintable():
            raise BookingRefused(_("Enter a name of up to 80 characters."))


def _is_same_person(
    person: NewPerson | BookedPerson, other_person: NewPerson | BookedPerson
) -> bool:
    """Return whether two people are the same.

    The names of guests are compared without accents.
    """
    if person.player and other_person.player:
        return person.key == other_person.key
    return fold_name(person.full_name) == fold_name(other_person.full_name)


@transaction.atomic
def leave_booking(
    *,
    fixture: Fixture,
    person_key: str,
    should_cancel_all: bool = False,
    is_director: bool = False,
    by: Actor,
) -> None:
    """Remove a person from an evening's bookings, or the whole booking if `should_cancel_all`
    is True.

    A remaining partner becomes a single. Nothing happens if the person has no booking.
    """
    with change_bookings(fixture, "booking.left", by=by) as change:
        queue_booking = change.queue.find_booking(person_key)
        if queue_booking is None:
            return
        _check_can_leave_booking(change.fixture, is_director=is_director)
        booking = change.get_booking(person_key)
        leaving_people = [
            booked_person
            for booked_person in booking.people.all()
            if should_cancel_all or booked_person.key == person_key
        ]
        change.act_location = {
            "name": ", ".join(booked_person.full_name for booked_person in leaving_people)
        }
        change.queue = (
            queue.cancel_booking(change.queue, booking.pk)
            if should_cancel_all
            else queue.remove_person(change.queue, person_key)
        )


def _check_can_leave_booking(fixture: Fixture, *, is_director: bool) -> None:
    if not is_director and fixture.has_begun:
        raise BookingRefused(_("The evening has started. Speak to the director."))


@transaction.atomic
def answer_partner_booking(
    *, fixture: Fixture, person_key: str, is_accepting: bool, by: Actor
) -> None:
    """Accept or decline the booking that a partner has made for this person.

    After a refusal the partner remains booked as a single.
    """
    with change_bookings(
        fixture, "booking.accepted" if is_accepting else "booking.declined", by=by
    ) as change:
        booking = change.get_booking(person_key)
        answering_person = next(
            booked_person
            for booked_person in booking.people.all()
            if booked_person.key == person_key
        )
        change.act_location = {"name": answering_person.full_name}
        apply_answer = queue.accept_booking if is_accepting else queue.decline_booking
        change.queue = apply_answer(change.queue, person_key)


@transaction.atomic
def set_partner_search(
    *, fixture: Fixture, person_key: str, is_seeking: bool, by: Actor
) -> None:
    """Show a single's first name to other singles who need a partner, or hide it."""
    with change_bookings(fixture, "booking.seeks", by=by) as change:
        booking = change.get_booking(person_key)
        _check_is_single(change, person_key)
        booking.seeks = is_seeking
        booking.asks = booking.asks if is_seeking else None
        booking.save(update_fields=["seeks", "asks"])
        change.act_location = _build_names_data(booking)


@transaction.atomic
def invite_partner(
    *, fixture: Fixture, person_key: str, invited_booking_pk: int, by: Actor
) -> None:
    """Invite another single, given by the primary key of the booking, as a partner.

    If that single has already invited this person, the two become a pair.
    """
    with change_bookings(fixture, "booking.asked", by=by) as change:
        _check_is_single(change, person_key)
        booking = change.get_booking(person_key)
        invited_booking = next(
            (
                other_booking
                for other_booking in change.bookings
                if other_booking.pk == invited_booking_pk and other_booking.seeks
            ),
            None,
        )
        if invited_booking is None or invited_booking.pk == booking.pk:
            raise queue.InvalidQueueChange("not_single")
        change.act_location = _build_names_data(booking)
        if invited_booking.asks_id == booking.pk:
            _pair_bookings(change, booking, invited_booking)
            return
        booking.asks, booking.seeks = invited_booking, True
        booking.save(update_fields=["asks", "seeks"])


@transaction.atomic
def answer_invitation(
    *, fixture: Fixture, person_key: str, inviting_booking_pk: int, is_coming: bool, by: Actor
) -> None:
    """Accept another single's invitation, which creates a pair, or decline it."""
    with change_bookings(
        fixture, "booking.paired" if is_coming else "booking.refused", by=by
    ) as change:
        booking = change.get_booking(person_key)
        inviting_booking = next(
            (
                other_booking
                for other_booking in change.bookings
                if other_booking.pk == inviting_booking_pk
                and other_booking.asks_id == booking.pk
            ),
            None,
        )
        if inviting_booking is None:
            raise BookingRefused(format_booking_error("unknown"))
        change.act_location = _build_names_data(booking)
        if is_coming:
            _pair_bookings(change, inviting_booking, booking)
        else:
            inviting_booking.asks = None
            inviting_booking.save(update_fields=["asks"])


@transaction.atomic
def pair_singles(
    *, fixture: Fixture, first_booking_pk: int, second_booking_pk: int, by: Actor
) -> None:
    """Join two singles, given by their bookings, into a pair as the director decided."""
    with change_bookings(fixture, "booking.paired", by=by) as change:
        single_bookings = [
            booking
            for booking in change.bookings
            if booking.pk in (first_booking_pk, second_booking_pk)
        ]
        if len(single_bookings) != 2:
            raise BookingRefused(format_booking_error("unknown"))
        _pair_bookings(change, *sorted(single_bookings, key=lambda booking: booking.order))
        change.act_location = {
            "name": " & ".join(
                _build_names_data(booking)["name"] for booking in single_bookings
            )
        }


@transaction.atomic
def promote_booking(*, fixture: Fixture, booking_pk: int, by: Actor) -> None:
    """Give a waiting booking a place as the director decided, even beyond the capacity."""
    with change_bookings(fixture, "booking.promoted", by=by) as change:
        change.queue = queue.promote_booking(change.queue, booking_pk)
        change.act_location = _build_names_data(
            next(booking for booking in change.bookings if booking.pk == booking_pk)
        )


@transaction.atomic
def promote_waiting_bookings(*, fixture: Fixture, is_director: bool = False, by: Actor) -> None:
    """Give free places to waiting bookings after the number of places has increased.

    After booking has closed, nothing happens unless `is_director` is True.
    """
    should_fill_places = True if is_director else None
    with change_bookings(
        fixture, "booking.settled", by=by, should_fill_places=should_fill_places
    ) as change:
        fill_free_places(change)


@transaction.atomic
def get_or_create_booking_link(
    *, fixture: Fixture, new_person: NewPerson, by: Actor
) -> BookingLink:
    """Return a person's link for the bookings of an evening, and create it if needed."""
    fixture = lock_fixture(fixture)
    name = "" if new_person.player else new_person.name
    links = BookingLink.objects.filter(
        fixture=fixture, player=new_person.player, revoked_at=None
    )
    link = next(
        (
            booking_link
            for booking_link in links
            if booking_link.key == new_person.key and booking_link.path
        ),
        None,
    )
    if link is not None:
        return link
    new_link = BookingLink.create_link(fixture=fixture, player=new_person.player, name=name)
    audit.record(
        by,
        "booking.link",
        subject=fixture,
        where={"name": new_person.full_name},
        undo=Undo((f"booking link {new_link.pk}",)),
    )
    return new_link


def _pair_bookings(
    change: BookingChange, first_booking: Booking, second_booking: Booking
) -> None:
    [first_person_key], [second_person_key] = (
        [person.key for person in booking.people.all()]
        for booking in (first_booking, second_booking)
    )
    change.queue = queue.pair_singles(change.queue, first_person_key, second_person_key)


def _check_is_single(change: BookingChange, person_key: str) -> None:
    booking = change.queue.find_booking(person_key)
    if booking is None:
        raise queue.InvalidQueueChange("unknown")
    if not booking.is_single:
        raise queue.InvalidQueueChange("not_single")


def _build_names_data(booking: Booking) -> dict[str, str]:
    return {"name": ", ".join(person.full_name for person in booking.people.all())}
