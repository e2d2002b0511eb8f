"""The conversion of an evening's booking rows to the queue."""

from clubs.evenings.queue import Booked, Person, Queue
from clubs.models import Booking, Fixture


def bookings_of(fixture: Fixture) -> list[Booking]:
    """Return the bookings of an evening with their people, in order, in two queries."""
    return list(fixture.bookings.prefetch_related("people__player"))


def queue_of(fixture: Fixture, rows: list[Booking], *, is_closed: bool) -> Queue:
    """Return the queue of bookings; people are identified by their keys."""
    return Queue(
        bookings=tuple(sorted((booked(row) for row in rows), key=_order)),
        unit=fixture.unit,
        places=fixture.places,
        is_closed=is_closed,
    )


def booked(row: Booking) -> Booked:
    """Return one booking as the queue represents it."""
    people = tuple(Person(each.key, each.accepted) for each in row.people.all())
    return Booked(row.pk, row.order, people, row.has_place, row.is_host)


def _order(each: Booked) -> tuple[bool, int, int]:
    return (each.is_host, each.order, each.key)
