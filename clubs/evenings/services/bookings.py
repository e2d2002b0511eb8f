"""Services for bookings: players book, find a partner, reply and cancel.

Directors may do all of it for players.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back
from clubs.errors import BookingRefused
from clubs.evenings import queue
from clubs.evenings.queue import Person
from clubs.evenings.services.booking_rows import Changing, changing, settle_now
from clubs.evenings.services.booking_words import refusal
from clubs.evenings.services.fixtures import locked
from clubs.letters import plain_letters
from clubs.models import BookedPerson, Booking, BookingLink, Fixture, Player
from clubs.names.tidy import name_key

MOST_PEOPLE = 6


@dataclass(frozen=True, slots=True)
class Who:
    """A person to be booked: a club's player, or a guest by name."""

    player: Player | None = None
    name: str = ""
    accepted: bool = True

    @property
    def key(self) -> str:
        """The person's key within the evening."""
        return f"p{self.player.pk}" if self.player else f"g{name_key(self.name)}"

    @property
    def full_name(self) -> str:
        """The name."""
        return self.player.name if self.player else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingWishes:
    """The preferences of a booking."""

    team: str = ""
    sits_north: bool = False
    needs_host: bool = False
    is_host: bool = False
    seeks: bool = False


@transaction.atomic
def book(
    *,
    fixture: Fixture,
    people: Sequence[Who],
    wishes: BookingWishes | None = None,
    is_director: bool = False,
    uid: str = "",
    by: Actor,
) -> Booking:
    """Book an evening for one, a pair or a team: with a place if there is one, else waiting.

    A repeated booking of the same people returns the existing one. Players book while booking
    is open, a director always. Raises BookingRefused.
    """
    wishes = wishes or BookingWishes()
    keys = [each.key for each in people]
    with changing(fixture, "booking.made", by=by) as at:
        _check_open(at.fixture, is_director=is_director)
        _check_people(at.fixture, people, is_director=is_director)
        standing = at.queue.of(keys[0]) if keys else None
        if standing is not None and {each.key for each in standing.people} == set(keys):
            return next(row for row in at.rows if row.pk == standing.key)
        row = _made(at, people, wishes, uid)
        accepted = [Person(each.key, each.accepted) for each in people]
        new = queue.Booked(row.pk, row.order, tuple(accepted), is_host=wishes.is_host)
        at.queue = queue.book(at.queue, new)
        at.where = {"name": ", ".join(each.full_name for each in people)}
    row.refresh_from_db()
    return row


def _made(at: Changing, people: Sequence[Who], wishes: BookingWishes, uid: str) -> Booking:
    booked = [person for row in at.rows for person in row.people.all()]
    if any(_is_same(each, person) for each in people for person in booked):
        raise queue.Refused("booked")
    if any(_is_same(one, other) for one, other in combinations(people, 2)):
        raise queue.Refused("twice")
    row = Booking.objects.create(
        uid=uid or uuid4(),
        fixture=at.fixture,
        order=at.next_order(),
        made_at=timezone.now(),
        team=wishes.team[:60],
        sits_north=wishes.sits_north,
        needs_host=wishes.needs_host,
        is_host=wishes.is_host,
        seeks=wishes.seeks and len(people) == 1,
        is_fetched=bool(uid),
    )
    book_people(row, people)
    return row


def book_people(row: Booking, people: Iterable[Who]) -> None:
    """Store the people of a booking in order; the caller records the act."""
    BookedPerson.objects.bulk_create(
        BookedPerson(
            fixture=row.fixture,
            booking=row,
            order=order,
            player=each.player,
            name="" if each.player else each.name,
            accepted=each.accepted,
        )
        for order, each in enumerate(people, start=1)
    )


def _check_open(fixture: Fixture, *, is_director: bool) -> None:
    if fixture.cancelled_at is not None:
        raise BookingRefused(_("This evening is cancelled."))
    if is_director or fixture.can_book:
        return
    if fixture.books and timezone.now() < fixture.opens_at:
        raise BookingRefused(_("Booking has not opened yet."))
    raise BookingRefused(_("Booking is closed. Ask the director."))


def _check_people(fixture: Fixture, people: Sequence[Who], *, is_director: bool) -> None:
    if not people:
        raise queue.Refused("nobody")
    if len(people) > MOST_PEOPLE:
        words = _("A team has at most %(most)s players.")
        raise BookingRefused(words % {"most": MOST_PEOPLE})
    for each in people:
        if each.player and each.player.club_id != fixture.evening.club_id:
            raise BookingRefused(_("Choose a player of this club."))
        if not each.player and not (fixture.guests or is_director):
            raise BookingRefused(_("Only the club's players book this evening."))
        if not 0 < len(each.full_name) <= 80 or not each.full_name.isprintable():
            raise BookingRefused(_("Write a name of at most 80 letters."))


def _is_same(one: Who | BookedPerson, other: Who | BookedPerson) -> bool:
    """Return whether two are one person; guests are compared by their folded names."""
    if one.player and other.player:
        return one.key == other.key
    return plain_letters(one.full_name) == plain_letters(other.full_name)


@transaction.atomic
def leave_booking(
    *, fixture: Fixture, person: str, both: bool = False, is_director: bool = False, by: Actor
) -> None:
    """Remove a person from an evening, or with `both` the whole booking.

    A remaining partner becomes a single. Without a booking nothing changes.
    """
    with changing(fixture, "booking.left", by=by) as at:
        found = at.queue.of(person)
        if found is None:
            return
        _check_leaving(at.fixture, is_director=is_director)
        row = at.row(person)
        gone = [each for each in row.people.all() if both or each.key == person]
        at.where = {"name": ", ".join(each.full_name for each in gone)}
        at.queue = queue.cancel(at.queue, row.pk) if both else queue.leave(at.queue, person)


def _check_leaving(fixture: Fixture, *, is_director: bool) -> None:
    if not is_director and fixture.has_begun:
        raise BookingRefused(_("The evening has begun. Tell the director."))


@transaction.atomic
def answer_partner(*, fixture: Fixture, person: str, comes: bool, by: Actor) -> None:
    """Accept or decline a booking made by a partner, who stays as a single after a refusal."""
    with changing(fixture, "booking.accepted" if comes else "booking.declined", by=by) as at:
        row = at.row(person)
        mine = next(each for each in row.people.all() if each.key == person)
        at.where = {"name": mine.full_name}
        step = queue.accept if comes else queue.decline
        at.queue = step(at.queue, person)


@transaction.atomic
def seek_partner(*, fixture: Fixture, person: str, seeks: bool, by: Actor) -> None:
    """Show a person's first name to other singles, or hide it again."""
    with changing(fixture, "booking.seeks", by=by) as at:
        row = at.row(person)
        _check_single(at, person)
        row.seeks = seeks
        row.asks = row.asks if seeks else None
        row.save(update_fields=["seeks", "asks"])
        at.where = _names(row)


@transaction.atomic
def ask_partner(*, fixture: Fixture, person: str, other: int, by: Actor) -> None:
    """Invite another single, given by booking key, as a partner.

    If the other single has sent an invitation too, the two become a pair.
    """
    with changing(fixture, "booking.asked", by=by) as at:
        _check_single(at, person)
        row = at.row(person)
        asked = next((each for each in at.rows if each.pk == other and each.seeks), None)
        if asked is None or asked.pk == row.pk:
            raise queue.Refused("not_single")
        at.where = _names(row)
        if asked.asks_id == row.pk:
            _pair(at, row, asked)
            return
        row.asks, row.seeks = asked, True
        row.save(update_fields=["asks", "seeks"])


@transaction.atomic
def answer_single(*, fixture: Fixture, person: str, other: int, comes: bool, by: Actor) -> None:
    """Accept a single's invitation, which makes a pair, or decline it."""
    with changing(fixture, "booking.paired" if comes else "booking.refused", by=by) as at:
        row = at.row(person)
        asking = next((e for e in at.rows if e.pk == other and e.asks_id == row.pk), None)
        if asking is None:
            raise BookingRefused(refusal("unknown"))
        at.where = _names(row)
        if comes:
            _pair(at, asking, row)
        else:
            asking.asks = None
            asking.save(update_fields=["asks"])


@transaction.atomic
def pair_singles(*, fixture: Fixture, one: int, other: int, by: Actor) -> None:
    """Join two singles to a pair on the director's decision."""
    with changing(fixture, "booking.paired", by=by) as at:
        found = [row for row in at.rows if row.pk in (one, other)]
        if len(found) != 2:
            raise BookingRefused(refusal("unknown"))
        _pair(at, *sorted(found, key=lambda row: row.order))
        at.where = {"name": " & ".join(_names(row)["name"] for row in found)}


@transaction.atomic
def promote_booking(*, fixture: Fixture, booking: int, by: Actor) -> None:
    """Give a waiting booking a place on the director's decision."""
    with changing(fixture, "booking.promoted", by=by) as at:
        at.queue = queue.promote(at.queue, booking)
        at.where = _names(next(row for row in at.rows if row.pk == booking))


@transaction.atomic
def settle_bookings(*, fixture: Fixture, is_director: bool = False, by: Actor) -> None:
    """Give free places to waiting bookings after the number of places has grown.

    Once booking has closed, only the director does this.
    """
    moves_up = True if is_director else None
    with changing(fixture, "booking.settled", by=by, moves_up=moves_up) as at:
        settle_now(at)


@transaction.atomic
def own_link(*, fixture: Fixture, who: Who, by: Actor) -> BookingLink:
    """Return the link at which one person manages one booking; idempotent."""
    fixture = locked(fixture)
    name = "" if who.player else who.name
    rows = BookingLink.objects.filter(fixture=fixture, player=who.player, revoked_at=None)
    found = next((each for each in rows if each.key == who.key and each.path), None)
    if found is not None:
        return found
    made = BookingLink.new(fixture=fixture, player=who.player, name=name)
    audit.record(
        by,
        "booking.link",
        subject=fixture,
        where={"name": who.full_name},
        back=Back((f"booking link {made.pk}",)),
    )
    return made


def _pair(at: Changing, one: Booking, other: Booking) -> None:
    [first], [second] = ([each.key for each in row.people.all()] for row in (one, other))
    at.queue = queue.pair_up(at.queue, first, second)


def _check_single(at: Changing, person: str) -> None:
    found = at.queue.of(person)
    if found is None:
        raise queue.Refused("unknown")
    if not found.is_single:
        raise queue.Refused("not_single")


def _names(row: Booking) -> dict[str, str]:
    return {"name": ", ".join(each.full_name for each in row.people.all())}
