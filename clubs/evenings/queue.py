"""The booking queue of an evening: its places, its waiting list, and the changes of both.

Places are assigned in the order of booking. Once the evening is full, new bookings wait. A
free place is given to the first waiting booking that fits. A single may get a place before a
waiting pair, because a pair is never split. Hosts come last and get a place regardless of the
capacity. If places are counted in pairs or tables, two singles share a pair's place.

This module has no database queries and does not read the current time.
"""

from dataclasses import dataclass, replace
from math import inf

UNIT_PAIRS, UNIT_PLAYERS, UNIT_TABLES = "pairs", "players", "tables"
PLACE_UNITS = (UNIT_PAIRS, UNIT_PLAYERS, UNIT_TABLES)
"""The units in which an evening's places can be counted."""
PEOPLE_PER_PLACE = {UNIT_PLAYERS: 1, UNIT_PAIRS: 2, UNIT_TABLES: 4}
"""The number of people in one place, by unit."""


@dataclass(frozen=True, slots=True)
class QueuePerson:
    """A person in a booking, who counts as booked even before accepting the booking."""

    key: str
    has_accepted: bool = True


@dataclass(frozen=True, slots=True)
class QueueBooking:
    """A booking in the queue, ordered by `order` (the sequence of arrival).

    A booking without `has_place` is on the waiting list. A host plays only if the number of
    other players is odd.
    """

    booking_pk: int
    order: int
    people: tuple[QueuePerson, ...]
    has_place: bool = False
    is_host: bool = False

    @property
    def person_count(self) -> int:
        """The number of people in the booking."""
        return len(self.people)

    @property
    def is_single(self) -> bool:
        """Whether the booking has only one person, who needs a partner."""
        return len(self.people) == 1


@dataclass(frozen=True, slots=True)
class Queue:
    """All bookings of one evening, with and without a place.

    If `place_count` is None, there is no limit. If `is_closed`, no booking gets a place
    automatically.
    """

    bookings: tuple[QueueBooking, ...] = ()
    place_unit: str = UNIT_PAIRS
    place_count: int | None = None
    is_closed: bool = False

    @property
    def capacity(self) -> float:
        """The number of people for whom there are places; infinite without a limit."""
        return (
            inf
            if self.place_count is None
            else self.place_count * PEOPLE_PER_PLACE[self.place_unit]
        )

    @property
    def placed_bookings(self) -> tuple[QueueBooking, ...]:
        """The bookings with a place, in order of arrival, with hosts at the end."""
        return tuple(
            sorted(
                (booking for booking in self.bookings if booking.has_place), key=_get_sort_key
            )
        )

    @property
    def waiting_bookings(self) -> tuple[QueueBooking, ...]:
        """The bookings on the waiting list, in order of arrival, with hosts at the end."""
        return tuple(
            sorted(
                (booking for booking in self.bookings if not booking.has_place),
                key=_get_sort_key,
            )
        )

    @property
    def used_capacity(self) -> float:
        """The number of people in placed bookings, without hosts.

        Teams are rounded up to whole pairs (`_compute_used_capacity`).
        """
        return sum(
            _compute_used_capacity(booking, self.place_unit)
            for booking in self.placed_bookings
            if not booking.is_host
        )

    @property
    def free_capacity(self) -> float:
        """The number of further people for whom there is a place."""
        return max(0, self.capacity - self.used_capacity)

    @property
    def places_left(self) -> int | None:
        """The number of completely free places; None if there is no limit."""
        return (
            None
            if self.place_count is None
            else int(self.free_capacity // PEOPLE_PER_PLACE[self.place_unit])
        )

    def find_booking(self, person_key: str) -> QueueBooking | None:
        """Return the booking that includes the person with this key, or None."""
        return next(
            (booking for booking in self.bookings if person_key in _get_person_keys(booking)),
            None,
        )

    def must_host_play(self) -> bool:
        """Return whether the host must play because the number of other players is odd."""
        expected_player_count = sum(
            booking.person_count for booking in self.placed_bookings if not booking.is_host
        )
        return expected_player_count % 2 == 1


class InvalidQueueChange(ValueError):
    """An impossible change of a queue; `code` identifies the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _get_person_keys(booking: QueueBooking) -> set[str]:
    return {person.key for person in booking.people}


def _get_sort_key(booking: QueueBooking) -> tuple[bool, int, int]:
    return (booking.is_host, booking.order, booking.booking_pk)


def _compute_used_capacity(booking: QueueBooking, place_unit: str) -> int:
    """Return the capacity in people that a booking uses.

    A team is rounded up to whole pairs: a team of three uses four seats.
    """
    people_per_place = PEOPLE_PER_PLACE[place_unit]
    if booking.person_count <= 2:
        return booking.person_count
    return -(-booking.person_count // min(people_per_place, 2)) * min(people_per_place, 2)


def add_booking(queue: Queue, new_booking: QueueBooking) -> Queue:
    """Add a booking to the queue; it gets a place if it fits, and otherwise waits.

    Raises InvalidQueueChange if one of its people is already in a booking.
    """
    new_person_keys = [person.key for person in new_booking.people]
    if not new_person_keys:
        raise InvalidQueueChange("nobody")
    if len(set(new_person_keys)) < len(new_person_keys):
        raise InvalidQueueChange("twice")
    if any(queue.find_booking(person_key) for person_key in new_person_keys):
        raise InvalidQueueChange("booked")
    return fill_places(_insert_booking(queue, replace(new_booking, has_place=False)))


def cancel_booking(queue: Queue, booking_pk: int) -> Queue:
    """Remove a booking, and give its place to waiting bookings that fit.

    Raises InvalidQueueChange if there is no such booking.
    """
    remaining_bookings = tuple(
        booking for booking in queue.bookings if booking.booking_pk != booking_pk
    )
    if len(remaining_bookings) == len(queue.bookings):
        raise InvalidQueueChange("unknown")
    return fill_places(replace(queue, bookings=remaining_bookings))


def remove_person(queue: Queue, person_key: str) -> Queue:
    """Remove one person from a booking; the remaining partner becomes a single."""
    booking = _find_booking(queue, person_key)
    remaining_people = tuple(
        queue_person for queue_person in booking.people if queue_person.key != person_key
    )
    if not remaining_people:
        return cancel_booking(queue, booking.booking_pk)
    return fill_places(
        _insert_booking(
            _remove_booking(queue, booking), replace(booking, people=remaining_people)
        )
    )


def accept_booking(queue: Queue, person_key: str) -> Queue:
    """Record that a person accepts the booking that a partner has made; idempotent."""
    booking = _find_booking(queue, person_key)
    people = tuple(
        replace(queue_person, has_accepted=True)
        if queue_person.key == person_key
        else queue_person
        for queue_person in booking.people
    )
    return _insert_booking(_remove_booking(queue, booking), replace(booking, people=people))


def decline_booking(queue: Queue, person_key: str) -> Queue:
    """Remove a person who declines the booking that a partner has made.

    The partner remains in the queue as a single. Raises InvalidQueueChange if the person had
    accepted.
    """
    booking = _find_booking(queue, person_key)
    declining_person = next(
        queue_person for queue_person in booking.people if queue_person.key == person_key
    )
    if declining_person.has_accepted:
        raise InvalidQueueChange("accepted")
    return remove_person(queue, person_key)


def pair_singles(queue: Queue, first_person_key: str, second_person_key: str) -> Queue:
    """Join two singles into a pair, at the position of the one who booked first.

    Raises InvalidQueueChange if one of them has a place and the pair does not fit.
    """
    first_booking, second_booking = (
        _find_booking(queue, first_person_key),
        _find_booking(queue, second_person_key),
    )
    if first_booking.booking_pk == second_booking.booking_pk:
        return queue
    if not (first_booking.is_single and second_booking.is_single):
        raise InvalidQueueChange("not_single")
    earlier_booking = min(
        first_booking, second_booking, key=lambda booking: (booking.order, booking.booking_pk)
    )
    queue_without_singles = _remove_booking(
        _remove_booking(queue, first_booking), second_booking
    )
    pair_booking = replace(
        earlier_booking,
        people=(*first_booking.people, *second_booking.people),
        has_place=False,
        is_host=False,
    )
    has_place = first_booking.has_place or second_booking.has_place
    if (
        has_place
        and _compute_used_capacity(pair_booking, queue.place_unit)
        > queue_without_singles.capacity - queue_without_singles.used_capacity
    ):
        raise InvalidQueueChange("full")
    return fill_places(
        _insert_booking(queue_without_singles, replace(pair_booking, has_place=has_place))
    )


def promote_booking(queue: Queue, booking_pk: int) -> Queue:
    """Give a waiting booking a place at the director's decision, even beyond the capacity."""
    booking = next(
        (
            queue_booking
            for queue_booking in queue.bookings
            if queue_booking.booking_pk == booking_pk
        ),
        None,
    )
    if booking is None:
        raise InvalidQueueChange("unknown")
    return _insert_booking(_remove_booking(queue, booking), replace(booking, has_place=True))


def fill_places(queue: Queue) -> Queue:
    """Give free places to the waiting bookings that fit, in order of arrival.

    A closed queue is returned unchanged.
    """
    if queue.is_closed:
        return queue
    for booking in queue.waiting_bookings:
        if (
            booking.is_host
            or _compute_used_capacity(booking, queue.place_unit) <= queue.free_capacity
        ):
            queue = _insert_booking(
                _remove_booking(queue, booking), replace(booking, has_place=True)
            )
    return queue


def _find_booking(queue: Queue, person_key: str) -> QueueBooking:
    booking = queue.find_booking(person_key)
    if booking is None:
        raise InvalidQueueChange("unknown")
    return booking


def _remove_booking(queue: Queue, removed_booking: QueueBooking) -> Queue:
    remaining_bookings = tuple(
        booking
        for booking in queue.bookings
        if booking.booking_pk != removed_booking.booking_pk
    )
    return replace(queue, bookings=remaining_bookings)


def _insert_booking(queue: Queue, new_booking: QueueBooking) -> Queue:
    return replace(
        queue, bookings=tuple(sorted((*queue.bookings, new_booking), key=_get_sort_key))
    )
