"""The booking queue of an evening: places, the waiting list, and the moves between them.

Places are given in the order of the bookings. Once the evening is full, new bookings wait, and
a free place goes to the first waiting booking that fits. A pair is never split, so a single
place can go past a waiting pair to the single behind it. The host has the last place, and gives
it up to any other player. The module reads no clock and does no database queries.

If places are counted in pairs or tables, two singles share one.
"""

from dataclasses import dataclass, replace
from math import inf

PAIRS, PLAYERS, TABLES = "pairs", "players", "tables"
UNITS = (PAIRS, PLAYERS, TABLES)
PEOPLE_PER_PLACE = {PLAYERS: 1, PAIRS: 2, TABLES: 4}
"""The number of people in a place of each kind."""


@dataclass(frozen=True, slots=True)
class QueuePerson:
    """A person in a booking, who counts as booked until declining, even before accepting."""

    key: str
    accepted: bool = True


@dataclass(frozen=True, slots=True)
class QueueBooking:
    """A booking: its people, and its position in the `order` of arrival.

    Without `has_place` it waits. A host fills an odd number.
    """

    key: int
    order: int
    people: tuple[QueuePerson, ...]
    has_place: bool = False
    is_host: bool = False

    @property
    def size(self) -> int:
        """The number of its people."""
        return len(self.people)

    @property
    def is_single(self) -> bool:
        """Whether it still needs a partner."""
        return len(self.people) == 1


@dataclass(frozen=True, slots=True)
class Queue:
    """The bookings of one evening.

    Without `places` there is no limit. Once it `is_closed`, no booking moves up automatically.
    """

    bookings: tuple[QueueBooking, ...] = ()
    unit: str = PAIRS
    places: int | None = None
    is_closed: bool = False

    @property
    def capacity(self) -> float:
        """The capacity in people."""
        return inf if self.places is None else self.places * PEOPLE_PER_PLACE[self.unit]

    @property
    def placed_bookings(self) -> tuple[QueueBooking, ...]:
        """The bookings with a place, in order of arrival; hosts last."""
        return tuple(sorted((b for b in self.bookings if b.has_place), key=_sort_key))

    @property
    def waiting(self) -> tuple[QueueBooking, ...]:
        """The waiting bookings, in order of arrival; hosts last."""
        return tuple(sorted((b for b in self.bookings if not b.has_place), key=_sort_key))

    @property
    def used_capacity(self) -> float:
        """The used capacity in people; hosts do not count."""
        return sum(
            _count_capacity(each, self.unit)
            for each in self.placed_bookings
            if not each.is_host
        )

    @property
    def free_capacity(self) -> float:
        """The number of people that still fit."""
        return max(0, self.capacity - self.used_capacity)

    @property
    def places_left(self) -> int | None:
        """The number of whole free places; None without a limit."""
        return (
            None
            if self.places is None
            else int(self.free_capacity // PEOPLE_PER_PLACE[self.unit])
        )

    def find_booking(self, person: str) -> QueueBooking | None:
        """Return the booking of a person, if any."""
        return next((b for b in self.bookings if person in _get_person_keys(b)), None)

    def must_host_play(self) -> bool:
        """Return whether the host has to play, because the number of other players is odd."""
        others = sum(each.size for each in self.placed_bookings if not each.is_host)
        return others % 2 == 1


class QueueRefused(ValueError):
    """An impossible change of a queue; `code` is the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _get_person_keys(booking: QueueBooking) -> set[str]:
    return {person.key for person in booking.people}


def _sort_key(booking: QueueBooking) -> tuple[bool, int, int]:
    return (booking.is_host, booking.order, booking.key)


def _count_capacity(booking: QueueBooking, unit: str) -> int:
    """Return the capacity that a booking uses; a team of three at a table uses four seats."""
    whole = PEOPLE_PER_PLACE[unit]
    if booking.size <= 2:
        return booking.size
    return -(-booking.size // min(whole, 2)) * min(whole, 2)


def add_booking(queue: Queue, new: QueueBooking) -> Queue:
    """Add a booking at the end of the queue: with a place if it fits, else waiting.

    A person can be in only one booking. A new booking does not overtake waiting ones that fit.
    """
    named = [person.key for person in new.people]
    if not named:
        raise QueueRefused("nobody")
    if len(set(named)) < len(named):
        raise QueueRefused("twice")
    if any(queue.find_booking(key) for key in named):
        raise QueueRefused("booked")
    return fill_places(_replace_booking(queue, replace(new, has_place=False)))


def cancel_booking(queue: Queue, key: int) -> Queue:
    """Remove a booking; its place goes to the first waiting booking that fits."""
    kept = tuple(each for each in queue.bookings if each.key != key)
    if len(kept) == len(queue.bookings):
        raise QueueRefused("unknown")
    return fill_places(replace(queue, bookings=kept))


def remove_person(queue: Queue, person: str) -> Queue:
    """Remove one person from a booking; a remaining partner becomes a single."""
    found = _find_booking(queue, person)
    rest = tuple(each for each in found.people if each.key != person)
    if not rest:
        return cancel_booking(queue, found.key)
    return fill_places(
        _replace_booking(_remove_booking(queue, found), replace(found, people=rest))
    )


def accept_booking(queue: Queue, person: str) -> Queue:
    """Accept a booking made by a partner; idempotent."""
    found = _find_booking(queue, person)
    people = tuple(
        replace(each, accepted=True) if each.key == person else each for each in found.people
    )
    return _replace_booking(_remove_booking(queue, found), replace(found, people=people))


def decline_booking(queue: Queue, person: str) -> Queue:
    """Decline a booking made by a partner, who keeps the place as a single."""
    found = _find_booking(queue, person)
    mine = next(each for each in found.people if each.key == person)
    if mine.accepted:
        raise QueueRefused("accepted")
    return remove_person(queue, person)


def pair_singles(queue: Queue, first: str, second: str) -> Queue:
    """Join two singles to a pair, at the earlier of their positions.

    Raises Refused if one has a place and there is no room for the other; the place is kept
    then.
    """
    one, other = _find_booking(queue, first), _find_booking(queue, second)
    if one.key == other.key:
        return queue
    if not (one.is_single and other.is_single):
        raise QueueRefused("not_single")
    head = min(one, other, key=lambda each: (each.order, each.key))
    bare = _remove_booking(_remove_booking(queue, one), other)
    pair = replace(
        head,
        people=(*one.people, *other.people),
        has_place=False,
        is_host=False,
    )
    has_one = one.has_place or other.has_place
    if has_one and _count_capacity(pair, queue.unit) > bare.capacity - bare.used_capacity:
        raise QueueRefused("full")
    return fill_places(_replace_booking(bare, replace(pair, has_place=has_one)))


def promote_booking(queue: Queue, key: int) -> Queue:
    """Give a waiting booking a place on the director's decision, even beyond the capacity."""
    found = next((each for each in queue.bookings if each.key == key), None)
    if found is None:
        raise QueueRefused("unknown")
    return _replace_booking(_remove_booking(queue, found), replace(found, has_place=True))


def fill_places(queue: Queue) -> Queue:
    """Give free places to waiting bookings in order, as far as they fit.

    A closed queue stays as it is; then only the director moves bookings.
    """
    if queue.is_closed:
        return queue
    for each in queue.waiting:
        if each.is_host or _count_capacity(each, queue.unit) <= queue.free_capacity:
            queue = _replace_booking(
                _remove_booking(queue, each), replace(each, has_place=True)
            )
    return queue


def _find_booking(queue: Queue, person: str) -> QueueBooking:
    found = queue.find_booking(person)
    if found is None:
        raise QueueRefused("unknown")
    return found


def _remove_booking(queue: Queue, gone: QueueBooking) -> Queue:
    kept = tuple(each for each in queue.bookings if each.key != gone.key)
    return replace(queue, bookings=kept)


def _replace_booking(queue: Queue, new: QueueBooking) -> Queue:
    return replace(queue, bookings=tuple(sorted((*queue.bookings, new), key=_sort_key)))
