"""The import of bookings from the club's server to the computer that runs the evening.

Bookings from the server are updated on each import. Bookings made on this computer are not
changed. The import is idempotent.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from clubs.audit import Actor
from clubs.evenings.bookings import build_queue, load_bookings
from clubs.evenings.services.booking_rows import BookingChange, change_bookings
from clubs.evenings.services.bookings import (
    BookingOptions,
    NewPerson,
    build_booked_people,
    create_booked_people,
)
from clubs.models import BookedPerson, Booking, Fixture

SYNCED_FIELDS = ("has_place", "is_host", "sits_north", "needs_host", "seeks", "team")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteBooking(BookingOptions):
    """A booking as the server sends it."""

    uid: str
    made_at: datetime
    people: tuple[NewPerson, ...]
    has_place: bool


@dataclass(slots=True)
class BookingImportResult:
    """The result of an import: the numbers of changed bookings, and the skipped people."""

    new_count: int = 0
    changed_count: int = 0
    cancelled_booking_count: int = 0
    skipped_names: list[str] = field(default_factory=list)
    """The names in the skipped bookings, whose people already have another booking here."""


@transaction.atomic
def import_bookings(
    *, fixture: Fixture, remote_bookings: Sequence[RemoteBooking], by: Actor
) -> BookingImportResult:
    """Create, update and delete the imported bookings of an evening to match the server's."""
    import_result = BookingImportResult()
    with change_bookings(fixture, "bookings.fetched", by=by) as change:
        cancelled_booking_pks = _list_cancelled_booking_pks(
            change, {remote_booking.uid for remote_booking in remote_bookings}
        )
        import_result.cancelled_booking_count = len(cancelled_booking_pks)
        Booking.objects.filter(pk__in=cancelled_booking_pks).delete()
        bookings_by_uid = {
            str(booking.uid): booking
            for booking in change.bookings
            if booking.pk not in cancelled_booking_pks
        }
        conflicting_uids = _find_conflicting_uids(change, remote_bookings, bookings_by_uid)
        import_result.skipped_names = [
            _format_names(remote_booking)
            for remote_booking in remote_bookings
            if remote_booking.uid in conflicting_uids
        ]
        importable_bookings = [
            remote_booking
            for remote_booking in remote_bookings
            if remote_booking.uid not in conflicting_uids
        ]
        _delete_changed_bookings_people(importable_bookings, bookings_by_uid)
        for remote_booking in importable_bookings:
            if booking := bookings_by_uid.get(remote_booking.uid):
                _update_booking(booking, remote_booking, import_result)
        new_bookings = [
            remote_booking
            for remote_booking in importable_bookings
            if remote_booking.uid not in bookings_by_uid
        ]
        import_result.new_count = len(new_bookings)
        _create_bookings(change, new_bookings)
        change.queue = build_queue(
            change.fixture, load_bookings(change.fixture), is_closed=True
        )
    return import_result


def _list_cancelled_booking_pks(
    change: BookingChange, remote_uids: Collection[str]
) -> list[int]:
    """Return the primary keys of imported bookings that the server no longer has."""
    return [
        booking.pk
        for booking in change.bookings
        if booking.is_fetched and str(booking.uid) not in remote_uids
    ]


def _find_conflicting_uids(
    change: BookingChange,
    remote_bookings: Sequence[RemoteBooking],
    bookings_by_uid: Mapping[str, Booking],
) -> set[str]:
    """Return the uids of remote bookings with a person who has another booking here.

    Such a booking is not updated. If it is stored here, its people may cause further conflicts,
    and the search is repeated until it finds no more.
    """
    remote_uids = {remote_booking.uid for remote_booking in remote_bookings}
    local_bookings = [
        booking for uid, booking in bookings_by_uid.items() if uid not in remote_uids
    ]
    conflicting_uids: set[str] = set()
    while True:
        unchanged_bookings = [
            *local_bookings,
            *(bookings_by_uid[uid] for uid in conflicting_uids if uid in bookings_by_uid),
        ]
        taken_person_keys = {
            booked_person.key
            for booking in unchanged_bookings
            for booked_person in booking.people.all()
        }
        for remote_booking in remote_bookings:
            person_keys = {person.key for person in remote_booking.people}
            if remote_booking.uid in conflicting_uids:
                continue
            if person_keys.isdisjoint(taken_person_keys):
                taken_person_keys |= person_keys
                continue
            conflicting_uids.add(remote_booking.uid)
            if remote_booking.uid in bookings_by_uid:
                break
        else:
            return conflicting_uids


def _delete_changed_bookings_people(
    importable_bookings: Sequence[RemoteBooking], bookings_by_uid: Mapping[str, Booking]
) -> None:
    """Delete the BookedPerson rows of all changed bookings before the update.

    A person may move from one booking to another. The database would reject the new row while
    the old one exists.
    """
    bookings = [
        bookings_by_uid[remote_booking.uid]
        for remote_booking in importable_bookings
        if remote_booking.uid in bookings_by_uid
    ]
    people_by_uid = {
        remote_booking.uid: _list_remote_people(remote_booking)
        for remote_booking in importable_bookings
    }
    changed_booking_pks = [
        booking.pk
        for booking in bookings
        if _list_local_people(booking) != people_by_uid[str(booking.uid)]
    ]
    BookedPerson.objects.filter(booking__in=changed_booking_pks).delete()


def _list_remote_people(remote_booking: RemoteBooking) -> list[tuple[str, bool]]:
    return [(person.key, person.has_accepted) for person in remote_booking.people]


def _list_local_people(booking: Booking) -> list[tuple[str, bool]]:
    return [(person.key, person.accepted) for person in booking.people.all()]


def _format_names(remote_booking: RemoteBooking) -> str:
    return ", ".join(person.full_name for person in remote_booking.people)


def _update_booking(
    booking: Booking, remote_booking: RemoteBooking, import_result: BookingImportResult
) -> None:
    """Update a booking and its people, unless nothing has changed."""
    is_unchanged = all(
        getattr(booking, name) == getattr(remote_booking, name) for name in SYNCED_FIELDS
    )
    if is_unchanged and _list_local_people(booking) == _list_remote_people(remote_booking):
        return
    import_result.changed_count += 1
    booking.people.all().delete()
    _copy_values(remote_booking, booking)
    booking.save()
    create_booked_people(booking, remote_booking.people)


def _create_bookings(change: BookingChange, remote_bookings: Sequence[RemoteBooking]) -> None:
    """Create new bookings with their people, with a constant number of queries."""
    if not remote_bookings:
        return
    bookings = [
        Booking(uid=remote_booking.uid, fixture=change.fixture, order=order, is_fetched=True)
        for order, remote_booking in enumerate(remote_bookings, start=change.get_next_order())
    ]
    for booking, remote_booking in zip(bookings, remote_bookings, strict=True):
        _copy_values(remote_booking, booking)
    Booking.objects.bulk_create(bookings)
    BookedPerson.objects.bulk_create(
        booked_person
        for booking, remote_booking in zip(bookings, remote_bookings, strict=True)
        for booked_person in build_booked_people(booking, remote_booking.people)
    )


def _copy_values(remote_booking: RemoteBooking, booking: Booking) -> None:
    for name in (*SYNCED_FIELDS, "made_at"):
        setattr(booking, name, getattr(remote_booking, name))
