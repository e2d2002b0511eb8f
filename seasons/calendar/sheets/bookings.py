"""The bookings of one evening: as everybody, one who booked, and the director see them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clubs.evenings.bookings import bookings_of, queue_of
from clubs.models import BookedPerson, Booking, Fixture, Player
from clubs.names.tidy import name_key
from tournaments.models import Entry


@dataclass(frozen=True, slots=True)
class Numbers:
    """What everybody sees: numbers and no name."""

    inside: int
    waiting: int
    left: int | None
    """Whole places that are free; None is without an end."""
    free: bool
    """Whether at least one more person fits."""


@dataclass(frozen=True, slots=True)
class BookingLine:
    """One booking in the director's list."""

    row: Booking
    number: int
    people: tuple[tuple[str, str, bool], ...]
    """Key, name, and whether he has said yes."""
    has_guest: bool

    @property
    def names(self) -> str:
        """Who it is, in one line."""
        return " & ".join(name for _key, name, _accepted in self.people)

    @property
    def is_single(self) -> bool:
        """Whether it is one person."""
        return len(self.people) == 1


@dataclass(frozen=True, slots=True)
class EveningBookings:
    """All bookings of an evening for its director."""

    numbers: Numbers
    inside: tuple[BookingLine, ...]
    waiting: tuple[BookingLine, ...]
    singles: tuple[BookingLine, ...]
    host_plays: bool
    withdrawn: tuple[tuple[int, str, str], ...]
    """Entries of people who have cancelled since: number, entry, who."""


@dataclass(frozen=True, slots=True)
class Single:
    """Somebody who looks for a partner, by the first name."""

    pk: int
    first_name: str
    needs_host: bool


@dataclass(frozen=True, slots=True)
class OwnBooking:
    """What one person sees of the own booking."""

    is_booked: bool = False
    has_place: bool = False
    waits_at: int = 0
    partners: tuple[str, ...] = ()
    partner_is_sure: bool = True
    must_answer: bool = False
    is_single: bool = False
    seeks: bool = False
    asks: str = ""
    singles: tuple[Single, ...] = ()
    asked_by: tuple[Single, ...] = ()
    can_leave: bool = False


def evening_bookings(fixture: Fixture) -> EveningBookings:
    """Read the bookings of an evening; a fixed number of questions."""
    rows = bookings_of(fixture)
    queue = queue_of(fixture, rows, is_closed=fixture.is_closed)
    by_key = {row.pk: row for row in rows}
    inside = [_line(by_key[each.key], n) for n, each in enumerate(queue.inside, start=1)]
    waiting = [_line(by_key[each.key], n) for n, each in enumerate(queue.waiting, start=1)]
    return EveningBookings(
        numbers=_numbers(fixture, rows),
        inside=tuple(inside),
        waiting=tuple(waiting),
        singles=tuple(each for each in inside if each.is_single and not each.row.is_host),
        host_plays=queue.host_plays(),
        withdrawn=_withdrawn(fixture, rows),
    )


def numbers_of(fixture: Fixture) -> Numbers:
    """Only the numbers."""
    return _numbers(fixture, bookings_of(fixture))


def own_booking(fixture: Fixture, person: str) -> OwnBooking:
    """What one person, named by the key, sees of an evening's bookings."""
    rows = bookings_of(fixture)
    queue = queue_of(fixture, rows, is_closed=fixture.is_closed)
    found = queue.of(person)
    if found is None:
        return OwnBooking()
    row = next(each for each in rows if each.pk == found.key)
    others = [each for each in row.people.all() if each.key != person]
    mine = next(each for each in row.people.all() if each.key == person)
    waiting = [each.key for each in queue.waiting]
    own = OwnBooking(
        is_booked=True,
        has_place=row.has_place,
        waits_at=0 if row.has_place else waiting.index(row.pk) + 1,
        partners=tuple(each.full_name for each in others),
        partner_is_sure=all(each.accepted for each in others),
        must_answer=not mine.accepted,
        is_single=not others,
        seeks=row.seeks,
        can_leave=not fixture.has_begun,
    )
    return _with_finder(own, row, rows) if own.is_single else own


def _with_finder(own: OwnBooking, row: Booking, rows: Sequence[Booking]) -> OwnBooking:
    """Whom a single may ask, has asked, and is asked by; only singles see singles."""
    singles = [each for each in rows if each.seeks and each.pk != row.pk]
    names = {each.pk: _single(each) for each in rows if len(each.people.all()) == 1}
    asked_by = [names[each.pk] for each in rows if each.asks_id == row.pk]
    asked = {each.pk for each in asked_by}
    return replace(
        own,
        singles=tuple(names[e.pk] for e in singles if e.pk in names and e.pk not in asked),
        asked_by=tuple(asked_by),
        asks=names[row.asks_id].first_name if row.asks_id in names else "",
    )


def _single(row: Booking) -> Single:
    [person] = row.people.all()
    return Single(row.pk, first_name(person), row.needs_host)


def first_name(person: BookedPerson) -> str:
    """What other singles read: no more than the person lets everybody read."""
    if person.player is None:
        return person.name.split()[0]
    if person.player.shown == Player.Shown.NOBODY:
        return person.player.shown_name
    return person.player.shown_name.split()[0]


def _numbers(fixture: Fixture, rows: Sequence[Booking]) -> Numbers:
    queue = queue_of(fixture, list(rows), is_closed=True)
    return Numbers(
        inside=sum(each.size for each in queue.inside),
        waiting=sum(each.size for each in queue.waiting),
        left=queue.places_left,
        free=queue.free >= 1 and not queue.waiting,
    )


def _line(row: Booking, number: int) -> BookingLine:
    people = list(row.people.all())
    return BookingLine(
        row=row,
        number=number,
        people=tuple((each.key, each.full_name, each.accepted) for each in people),
        has_guest=any(each.player_id is None for each in people),
    )


def _withdrawn(fixture: Fixture, rows: Sequence[Booking]) -> tuple[tuple[int, str, str], ...]:
    """Entries that the bookings made and of which somebody has cancelled since."""
    booked = {each.player_id for row in rows for each in row.people.all()}
    guests = {name_key(each.name) for row in rows for each in row.people.all() if each.name}
    gone = set(fixture.entered) - booked
    if not gone:
        return ()
    entries = Entry.objects.filter(
        event__sessions__evening=fixture.evening_id, players__in=gone
    )
    found = entries.values_list("number", "name", "players__name").order_by("number").distinct()
    return tuple(row for row in found if name_key(row[2]) not in guests)
