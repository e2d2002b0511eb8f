"""The transaction that changes an evening's bookings: it updates the rows and records the act.

The undo data of the act contain the former values of the changed bookings.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import BookingRefused
from clubs.evenings.bookings import build_queue, load_bookings
from clubs.evenings.queue import InvalidQueueChange, Queue, fill_places
from clubs.evenings.services.booking_errors import format_booking_error
from clubs.evenings.services.fixtures import lock_fixture
from clubs.models import BookedPerson, Booking, Fixture, Player

BOOKING_UNDO_FIELDS = (
    "is_host",
    "is_fetched",
    "team",
    "sits_north",
    "needs_host",
    "seeks",
    "asks_id",
)
BookingData = dict[str, Any]


@dataclass
class BookingChange:
    """The state of an evening's bookings inside the `with` block of `change_bookings`."""

    fixture: Fixture
    bookings: list[Booking]
    queue: Queue
    act_location: dict[str, Any] = field(default_factory=dict)

    def get_booking(self, person_key: str) -> Booking:
        """Return the booking that includes the person with this key.

        Raises BookingRefused if none does.
        """
        queue_booking = self.queue.find_booking(person_key)
        if queue_booking is None:
            raise BookingRefused(format_booking_error("unknown"))
        return next(
            booking for booking in self.bookings if booking.pk == queue_booking.booking_pk
        )

    def get_next_order(self) -> int:
        """Return the order number of a new booking."""
        highest_order: int | None = self.fixture.bookings.aggregate(most=Max("order"))["most"]
        return (highest_order or 0) + 1


@contextmanager
def change_bookings(
    fixture: Fixture, action: str, *, by: Actor, should_fill_places: bool | None = None
) -> Iterator[BookingChange]:
    """Change an evening's bookings in one transaction, and record one act if anything changed.

    The `with` block assigns a changed queue to the yielded object. `should_fill_places` decides
    whether waiting bookings get free places automatically; by default they do while booking is
    open. Raises BookingRefused if the queue does not allow the change.
    """
    with transaction.atomic():
        fixture = lock_fixture(fixture)
        bookings = load_bookings(fixture)
        is_closed = fixture.is_closed if should_fill_places is None else not should_fill_places
        change = BookingChange(
            fixture, bookings, build_queue(fixture, bookings, is_closed=is_closed)
        )
        old_data_by_pk = {booking.pk: _to_undo_data(booking) for booking in bookings}
        try:
            yield change
        except InvalidQueueChange as error:
            raise BookingRefused(format_booking_error(error.code)) from None
        _update_rows(change.queue, load_bookings(fixture))
        _record_act(fixture, action, old_data_by_pk, change.act_location, by)


def build_bookings_snapshot(fixture: Fixture) -> dict[int, BookingData]:
    """Return the bookings of an evening as JSON data, by primary key."""
    return {booking.pk: _to_undo_data(booking) for booking in load_bookings(fixture)}


def _to_undo_data(booking: Booking) -> BookingData:
    return {
        "id": booking.pk,
        "uid": str(booking.uid),
        "order": booking.order,
        "has_place": booking.has_place,
        "made_at": booking.made_at.isoformat(),
        **{name: getattr(booking, name) for name in BOOKING_UNDO_FIELDS},
        "people": [
            {
                "id": person.pk,
                "order": person.order,
                "player": person.player_id,
                "name": person.name,
                "accepted": person.accepted,
            }
            for person in booking.people.all()
        ],
    }


def _update_rows(queue: Queue, bookings: list[Booking]) -> None:
    """Update and delete the rows of the bookings and their people to match the queue."""
    people_by_key = {
        booked_person.key: booked_person
        for booking in bookings
        for booked_person in booking.people.all()
    }
    queue_bookings_by_pk = {
        queue_booking.booking_pk: queue_booking for queue_booking in queue.bookings
    }
    remaining_person_keys = {
        person.key for queue_booking in queue.bookings for person in queue_booking.people
    }
    for queue_booking in queue.bookings:
        for order, person in enumerate(queue_booking.people, start=1):
            stored_person = people_by_key[person.key]
            if (
                stored_person.booking_id,
                stored_person.order,
                stored_person.accepted,
            ) != (
                queue_booking.booking_pk,
                order,
                person.has_accepted,
            ):
                stored_person.booking_id, stored_person.order = queue_booking.booking_pk, order
                stored_person.accepted = person.has_accepted
                stored_person.save(update_fields=["booking", "order", "accepted"])
    BookedPerson.objects.filter(
        pk__in=[
            stored_person.pk
            for person_key, stored_person in people_by_key.items()
            if person_key not in remaining_person_keys
        ]
    ).delete()
    for booking in bookings:
        queued_booking = queue_bookings_by_pk.get(booking.pk)
        if queued_booking is None:
            booking.delete()
        elif (booking.has_place, booking.is_host) != (
            queued_booking.has_place,
            queued_booking.is_host,
        ):
            booking.has_place, booking.is_host = (
                queued_booking.has_place,
                queued_booking.is_host,
            )
            booking.save(update_fields=["has_place", "is_host"])
    single_booking_pks = [
        queue_booking.booking_pk for queue_booking in queue.bookings if queue_booking.is_single
    ]
    Booking.objects.filter(pk__in=queue_bookings_by_pk).exclude(
        pk__in=single_booking_pks
    ).exclude(asks=None, seeks=False).update(asks=None, seeks=False)


def _record_act(
    fixture: Fixture,
    action: str,
    old_data_by_pk: dict[int, BookingData],
    act_location: Mapping[str, Any],
    by: Actor,
) -> None:
    new_data_by_pk = build_bookings_snapshot(fixture)
    changed_pks = [
        booking_pk
        for booking_pk in old_data_by_pk
        if new_data_by_pk.get(booking_pk) != old_data_by_pk[booking_pk]
    ]
    new_pks = [booking_pk for booking_pk in new_data_by_pk if booking_pk not in old_data_by_pk]
    if not changed_pks and not new_pks:
        return
    undo_arguments = {
        "rows": [old_data_by_pk[booking_pk] for booking_pk in changed_pks],
        "new": new_pks,
    }
    audit.record(
        by,
        action,
        subject=fixture,
        where=dict(act_location),
        undo=Undo((f"bookings {fixture.pk}",), "bookings.put_back", undo_arguments),
    )


@transaction.atomic
def restore_bookings(
    *, fixture: Fixture, rows: Sequence[BookingData], new: Sequence[int], by: Actor
) -> None:
    """Undo one change of an evening's bookings.

    `rows` contains the former bookings to restore, and `new` the primary keys of the bookings
    to delete.
    A person whose row exists is not assigned to the former player, because two players may
    have been merged. Raises BookingRefused if a player no longer exists or has another
    booking.
    """
    fixture = lock_fixture(fixture)
    old_data = build_bookings_snapshot(fixture)
    booking_pks = [row["id"] for row in rows]
    rows = _replace_former_players(fixture, rows)
    Booking.objects.filter(fixture=fixture, pk__in=[*booking_pks, *new]).delete()
    for row in rows:
        _recreate_booking(fixture, row)
    existing_pks = set(fixture.bookings.values_list("pk", flat=True))
    for row in rows:
        if row["asks_id"] in existing_pks:
            Booking.objects.filter(pk=row["id"]).update(asks=row["asks_id"])
    _record_act(fixture, "bookings.put_back", old_data, {}, by)


def _replace_former_players(fixture: Fixture, rows: Sequence[BookingData]) -> list[BookingData]:
    """Return stored bookings in which each existing person has the current player.

    Raises BookingRefused if a player no longer exists or has another booking.
    """
    player_pks_by_person_pk = dict(fixture.booked.values_list("pk", "player"))
    updated_rows = [
        {
            **row,
            "people": [
                {
                    **person,
                    "player": player_pks_by_person_pk.get(person["id"], person["player"]),
                }
                for person in row["people"]
            ],
        }
        for row in rows
    ]
    player_pks = {
        person["player"] for updated_row in updated_rows for person in updated_row["people"]
    } - {None}
    if Player.objects.filter(pk__in=player_pks).count() < len(player_pks):
        raise BookingRefused(format_booking_error("gone"))
    return updated_rows


def _recreate_booking(fixture: Fixture, booking_data: BookingData) -> None:
    if not booking_data["people"]:
        return  # an older version stored bookings without people
    player_pks = [
        person_data["player"] for person_data in booking_data["people"] if person_data["player"]
    ]
    if fixture.booked.filter(player__in=player_pks).exists():
        raise BookingRefused(format_booking_error("again"))
    stored_values = {
        name: booking_data[name] for name in BOOKING_UNDO_FIELDS if name != "asks_id"
    }
    booking = Booking.objects.create(
        pk=booking_data["id"],
        uid=UUID(booking_data["uid"]),
        fixture=fixture,
        order=booking_data["order"],
        has_place=booking_data["has_place"],
        made_at=datetime.fromisoformat(booking_data["made_at"]),
        **stored_values,
    )
    for person_data in booking_data["people"]:
        BookedPerson.objects.create(
            pk=person_data["id"],
            fixture=fixture,
            booking=booking,
            order=person_data["order"],
            player_id=person_data["player"],
            name=person_data["name"],
            accepted=person_data["accepted"],
        )


def fill_free_places(change: BookingChange) -> None:
    """Give free places to the waiting bookings that fit."""
    change.queue = fill_places(change.queue)
