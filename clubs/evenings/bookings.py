"""The conversion of an evening's database bookings to the booking queue."""

from clubs.evenings.queue import Queue, QueueBooking, QueuePerson
from clubs.models import Booking, Fixture


def load_bookings(fixture: Fixture) -> list[Booking]:
    """Return the bookings of an evening with their people, in queue order, with two queries."""
    return list(fixture.bookings.prefetch_related("people__player"))


def build_queue(fixture: Fixture, rows: list[Booking], *, is_closed: bool) -> Queue:
    """Return the booking queue of an evening for its loaded bookings.

    `is_closed` disables the automatic assignment of free places.
    """
    return Queue(
        bookings=tuple(sorted((to_queue_booking(row) for row in rows), key=_sort_key)),
        unit=fixture.unit,
        places=fixture.places,
        is_closed=is_closed,
    )


def to_queue_booking(row: Booking) -> QueueBooking:
    """Return the queue's representation of one booking."""
    people = tuple(QueuePerson(person.key, person.accepted) for person in row.people.all())
    return QueueBooking(row.pk, row.order, people, row.has_place, row.is_host)


def _sort_key(booking: QueueBooking) -> tuple[bool, int, int]:
    return (booking.is_host, booking.order, booking.key)
