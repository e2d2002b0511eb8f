"""Who has a place on an evening, and who waits: a queue, and what moves it on.

Places are given in the order in which bookings came. Full is full: who comes then waits, and a
place that comes free goes to the first who fits. A pair is never split, so a single place goes
past a waiting pair to the single behind it. Who plays as host has the last place of all: he
gives it up to anybody else. No clock is read and nobody is asked here.

Where places are pairs or tables, two singles share one.
"""

from dataclasses import dataclass, replace
from math import inf

PAIRS, PLAYERS, TABLES = "pairs", "players", "tables"
UNITS = (PAIRS, PLAYERS, TABLES)
HEADS = {PLAYERS: 1, PAIRS: 2, TABLES: 4}
"""How many people a place of each kind holds."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a booking; who has not accepted may still decline, and is in it meanwhile."""

    key: str
    accepted: bool = True


@dataclass(frozen=True, slots=True)
class Booked:
    """A booking: its people, and when it came (`order`).

    `has_place` says that it is in; otherwise it waits. A host fills an odd number.
    """

    key: int
    order: int
    people: tuple[Person, ...]
    has_place: bool = False
    is_host: bool = False

    @property
    def size(self) -> int:
        """How many people come with it."""
        return len(self.people)

    @property
    def is_single(self) -> bool:
        """Whether it still needs a partner."""
        return len(self.people) == 1


@dataclass(frozen=True, slots=True)
class Queue:
    """The bookings of one evening.

    `places` of None is a hall without an end. Once it `is_closed` nobody moves up by himself.
    """

    bookings: tuple[Booked, ...] = ()
    unit: str = PAIRS
    places: int | None = None
    is_closed: bool = False

    @property
    def room(self) -> float:
        """How many people there is room for."""
        return inf if self.places is None else self.places * HEADS[self.unit]

    @property
    def inside(self) -> tuple[Booked, ...]:
        """Who has a place, in the order in which they came; hosts last."""
        return tuple(sorted((b for b in self.bookings if b.has_place), key=_order))

    @property
    def waiting(self) -> tuple[Booked, ...]:
        """Who waits, the first first."""
        return tuple(sorted((b for b in self.bookings if not b.has_place), key=_order))

    @property
    def taken(self) -> float:
        """How much of the room is taken, in people; a host takes none that another wants."""
        return sum(_heads(each, self.unit) for each in self.inside if not each.is_host)

    @property
    def free(self) -> float:
        """How many more people fit."""
        return max(0, self.room - self.taken)

    @property
    def places_left(self) -> int | None:
        """How many whole places are free; None where there is no end to them."""
        return None if self.places is None else int(self.free // HEADS[self.unit])

    def of(self, person: str) -> Booked | None:
        """The booking in which somebody is."""
        return next((b for b in self.bookings if person in _keys(b)), None)

    def host_plays(self) -> bool:
        """Whether the host is needed: without one there is an odd player."""
        others = sum(each.size for each in self.inside if not each.is_host)
        return others % 2 == 1


class Refused(ValueError):
    """What cannot be done to a queue; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _keys(booking: Booked) -> set[str]:
    return {person.key for person in booking.people}


def _order(booking: Booked) -> tuple[bool, int, int]:
    return (booking.is_host, booking.order, booking.key)


def _heads(booking: Booked, unit: str) -> int:
    """How much room a booking takes; a team of three keeps the seat of a fourth in a table."""
    whole = HEADS[unit]
    if booking.size <= 2:
        return booking.size
    return -(-booking.size // min(whole, 2)) * min(whole, 2)


def book(queue: Queue, new: Booked) -> Queue:
    """Add a booking behind all others: with a place where it fits, else waiting.

    Nobody is in one evening twice. Nobody comes past those who wait and would fit as well.
    """
    named = [person.key for person in new.people]
    if not named:
        raise Refused("nobody")
    if len(set(named)) < len(named):
        raise Refused("twice")
    if any(queue.of(key) for key in named):
        raise Refused("booked")
    return settle(_with(queue, replace(new, has_place=False)))


def cancel(queue: Queue, key: int) -> Queue:
    """Take a booking out; what it held goes to the first who fits."""
    kept = tuple(each for each in queue.bookings if each.key != key)
    if len(kept) == len(queue.bookings):
        raise Refused("unknown")
    return settle(replace(queue, bookings=kept))


def leave(queue: Queue, person: str) -> Queue:
    """Take one person out of his booking; a partner who stays looks for another."""
    found = _found(queue, person)
    rest = tuple(each for each in found.people if each.key != person)
    if not rest:
        return cancel(queue, found.key)
    return settle(_with(_without(queue, found), replace(found, people=rest)))


def accept(queue: Queue, person: str) -> Queue:
    """Say yes to being booked by a partner; said twice it is one yes."""
    found = _found(queue, person)
    people = tuple(
        replace(each, accepted=True) if each.key == person else each for each in found.people
    )
    return _with(_without(queue, found), replace(found, people=people))


def decline(queue: Queue, person: str) -> Queue:
    """Say no to being booked by a partner: who asked keeps his place alone."""
    found = _found(queue, person)
    mine = next(each for each in found.people if each.key == person)
    if mine.accepted:
        raise Refused("accepted")
    return leave(queue, person)


def pair_up(queue: Queue, first: str, second: str) -> Queue:
    """Make a pair of two singles: it stands where the earlier of the two stood.

    Raises Refused where one has a place and there is none for the other: who has one keeps it.
    """
    one, other = _found(queue, first), _found(queue, second)
    if one.key == other.key:
        return queue
    if not (one.is_single and other.is_single):
        raise Refused("not_single")
    head = min(one, other, key=lambda each: (each.order, each.key))
    bare = _without(_without(queue, one), other)
    pair = replace(
        head,
        people=(*one.people, *other.people),
        has_place=False,
        is_host=False,
    )
    has_one = one.has_place or other.has_place
    if has_one and _heads(pair, queue.unit) > bare.room - bare.taken:
        raise Refused("full")
    return settle(_with(bare, replace(pair, has_place=has_one)))


def promote(queue: Queue, key: int) -> Queue:
    """Give a waiting booking a place at the director's word, also beyond the room."""
    found = next((each for each in queue.bookings if each.key == key), None)
    if found is None:
        raise Refused("unknown")
    return _with(_without(queue, found), replace(found, has_place=True))


def settle(queue: Queue) -> Queue:
    """Let in who fits, the first first, until the queue is closed.

    A closed queue moves nobody: the director does it.
    """
    if queue.is_closed:
        return queue
    for each in queue.waiting:
        if each.is_host or _heads(each, queue.unit) <= queue.free:
            queue = _with(_without(queue, each), replace(each, has_place=True))
    return queue


def _found(queue: Queue, person: str) -> Booked:
    found = queue.of(person)
    if found is None:
        raise Refused("unknown")
    return found


def _without(queue: Queue, gone: Booked) -> Queue:
    kept = tuple(each for each in queue.bookings if each.key != gone.key)
    return replace(queue, bookings=kept)


def _with(queue: Queue, new: Booked) -> Queue:
    return replace(queue, bookings=tuple(sorted((*queue.bookings, new), key=_order)))
