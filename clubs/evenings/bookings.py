"""The conversion of an evening's database bookings to the booking queue."""

from clubs.evenings.queue import Queue, QueueBooking, QueuePerson
from clubs.models import Booking, Fixture


def load_bookings(fixture: Fixture) -> list[Booking]:
    """Return the bookings of an evening with their people, in queue order, with two queries."""
    return list(fixture.bookings.prefetch_related("people__player"))


def build_queue(fixture: Fixture, bookings: list[Booking], *, is_closed: bool) -> Queue:
    """Return the booking queue of an evening for its loaded bookings.

    `is_closed` disables the automatic assignment of free places.
    """
    return Queue(
        bookings=tuple(
            sorted((build_queue_booking(booking) for booking in bookings), key=_get_sort_key)
        ),
        place_unit=fixture.unit,
        place_count=fixture.places,
        is_closed=is_closed,
    )


def build_queue_booking(booking: Booking) -> QueueBooking:
    """Return the queue's representation of one booking."""
    people = tuple(QueuePerson(person.key, person.accepted) for person in booking.people.all())
    return QueueBooking(booking.pk, booking.order, people, booking.has_place, booking.is_host)


def _get_sort_key(booking: QueueBooking) -> tuple[bool, int, int]:
    return (booking.is_host, booking.order, booking.booking_pk)
