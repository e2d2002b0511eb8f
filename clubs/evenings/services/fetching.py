"""Import of bookings from the club's server to the computer of the evening.

Imported bookings follow the server; those made here stay. The import is idempotent.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from clubs.audit import Actor
from clubs.evenings.bookings import bookings_of, queue_of
from clubs.evenings.services.booking_rows import Changing, changing
from clubs.evenings.services.bookings import BookingWishes, Who, book_people
from clubs.models import BookedPerson, Booking, Fixture

FLAGS = ("has_place", "is_host", "sits_north", "needs_host", "seeks", "team")


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedBooking(BookingWishes):
    """One booking of the server."""

    uid: str
    made_at: datetime
    people: tuple[Who, ...]
    has_place: bool


@dataclass(slots=True)
class Fetched:
    """The result of an import: the new, changed, cancelled and skipped bookings."""

    new: int = 0
    changed: int = 0
    gone: int = 0
    skipped: list[str] = field(default_factory=list)
    """The names of people with another booking here."""


@transaction.atomic
def fetch_bookings(*, fixture: Fixture, found: Sequence[FetchedBooking], by: Actor) -> Fetched:
    """Update the imported bookings of one evening from the server's."""
    told = Fetched()
    with changing(fixture, "bookings.fetched", by=by) as at:
        gone = _gone(at, {each.uid for each in found})
        told.gone = len(gone)
        Booking.objects.filter(pk__in=gone).delete()
        standing = {str(row.uid): row for row in at.rows if row.pk not in gone}
        kept = _not_brought(at, found, standing)
        told.skipped = [_names(each) for each in found if each.uid in kept]
        brought = [each for each in found if each.uid not in kept]
        _make_room(brought, standing)
        for each in brought:
            _bring(at, each, standing.get(each.uid), told)
        at.queue = queue_of(at.fixture, bookings_of(at.fixture), is_closed=True)
    return told


def _gone(at: Changing, known: Collection[str]) -> list[int]:
    """Return the imported bookings that the server no longer has."""
    return [row.pk for row in at.rows if row.is_fetched and str(row.uid) not in known]


def _not_brought(
    at: Changing, found: Sequence[FetchedBooking], standing: Mapping[str, Booking]
) -> set[str]:
    """Return the uids of bookings with a person who has another booking here.

    Each of them stays as it is here, and its people may block further bookings. So the check is
    repeated until it finds no more.
    """
    named = {each.uid for each in found}
    others = [row for uid, row in standing.items() if uid not in named]
    kept: set[str] = set()
    while True:
        stay = [*others, *(standing[uid] for uid in kept if uid in standing)]
        taken = {each.key for row in stay for each in row.people.all()}
        for each in found:
            keys = {who.key for who in each.people}
            if each.uid not in kept and keys & taken:
                kept.add(each.uid)
                break
            if each.uid not in kept:
                taken |= keys
        else:
            return kept


def _make_room(brought: Sequence[FetchedBooking], standing: Mapping[str, Booking]) -> None:
    """Delete the people of changed bookings first, because people may move between bookings."""
    rows = [standing[each.uid] for each in brought if each.uid in standing]
    people = {each.uid: _people(each) for each in brought}
    changed = [row.pk for row in rows if _standing(row) != people[str(row.uid)]]
    BookedPerson.objects.filter(booking__in=changed).delete()


def _people(new: FetchedBooking) -> list[tuple[str, bool]]:
    return [(each.key, each.accepted) for each in new.people]


def _standing(row: Booking) -> list[tuple[str, bool]]:
    return [(each.key, each.accepted) for each in row.people.all()]


def _names(new: FetchedBooking) -> str:
    return ", ".join(each.full_name for each in new.people)


def _bring(at: Changing, new: FetchedBooking, row: Booking | None, told: Fetched) -> None:
    if row is not None:
        same = all(getattr(row, name) == getattr(new, name) for name in FLAGS)
        if same and _standing(row) == _people(new):
            return
    if row is None:
        row = Booking(uid=new.uid, fixture=at.fixture, order=at.next_order(), is_fetched=True)
        told.new += 1
    else:
        told.changed += 1
        row.people.all().delete()
    for name in (*FLAGS, "made_at"):
        setattr(row, name, getattr(new, name))
    row.save()
    book_people(row, new.people)
