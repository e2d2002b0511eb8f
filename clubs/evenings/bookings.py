"""The bookings of an evening as the queue sees them, read from their rows."""

from clubs.evenings.queue import Booked, Person, Queue
from clubs.models import Booking, Fixture


def bookings_of(fixture: Fixture) -> list[Booking]:
    """The bookings of an evening with their people, in order; two questions."""
    return list(fixture.bookings.prefetch_related("people__player"))


def queue_of(fixture: Fixture, rows: list[Booking], *, is_closed: bool) -> Queue:
    """Put bookings into a queue; people are named by their keys."""
    return Queue(
        bookings=tuple(sorted((booked(row) for row in rows), key=_order)),
        unit=fixture.unit,
        places=fixture.places,
        is_closed=is_closed,
    )


def booked(row: Booking) -> Booked:
    """One booking as the queue has it."""
    people = tuple(Person(each.key, each.accepted) for each in row.people.all())
    return Booked(row.pk, row.order, people, row.has_place, row.is_host)


def _order(each: Booked) -> tuple[bool, int, int]:
    return (each.is_host, each.order, each.key)
