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
from clubs.evenings.queue import Queue, QueueRefused, fill_places
from clubs.evenings.services.booking_errors import format_refusal
from clubs.evenings.services.fixtures import lock_fixture
from clubs.models import BookedPerson, Booking, Fixture, Player

STORED_FIELDS = (
    "is_host",
    "is_fetched",
    "team",
    "sits_north",
    "needs_host",
    "seeks",
    "asks_id",
)
Kept = dict[str, Any]


@dataclass
class BookingChange:
    """The state of an evening's bookings inside the block of `change_bookings`."""

    fixture: Fixture
    rows: list[Booking]
    queue: Queue
    history_location: dict[str, Any] = field(default_factory=dict)

    def find_row(self, person: str) -> Booking:
        """Return the booking that includes the person with this key.

        Raises BookingRefused if none does.
        """
        booking = self.queue.find_booking(person)
        if booking is None:
            raise BookingRefused(format_refusal("unknown"))
        return next(row for row in self.rows if row.pk == booking.key)

    def next_order(self) -> int:
        """Return the order number of a new booking."""
        highest_order: int | None = self.fixture.bookings.aggregate(most=Max("order"))["most"]
        return (highest_order or 0) + 1


@contextmanager
def change_bookings(
    fixture: Fixture, action: str, *, by: Actor, moves_up: bool | None = None
) -> Iterator[BookingChange]:
    """Change an evening's bookings in one transaction, and record one act if anything changed.

    The block assigns a changed queue to the yielded object. `moves_up` is whether waiting
    bookings get free places automatically; by default they do while booking is open. Raises
    BookingRefused.
    """
    with transaction.atomic():
        fixture = lock_fixture(fixture)
        rows = load_bookings(fixture)
        is_closed = fixture.is_closed if moves_up is None else not moves_up
        change = BookingChange(fixture, rows, build_queue(fixture, rows, is_closed=is_closed))
        before = {row.pk: _to_undo_data(row) for row in rows}
        try:
            yield change
        except QueueRefused as error:
            raise BookingRefused(format_refusal(error.code)) from None
        _update_rows(change.queue, load_bookings(fixture))
        _record_act(fixture, action, before, change.history_location, by)


def build_snapshot(fixture: Fixture) -> dict[int, Kept]:
    """Return the bookings of an evening as JSON data, by primary key."""
    return {row.pk: _to_undo_data(row) for row in load_bookings(fixture)}


def _to_undo_data(row: Booking) -> Kept:
    return {
        "id": row.pk,
        "uid": str(row.uid),
        "order": row.order,
        "has_place": row.has_place,
        "made_at": row.made_at.isoformat(),
        **{name: getattr(row, name) for name in STORED_FIELDS},
        "people": [
            {
                "id": person.pk,
                "order": person.order,
                "player": person.player_id,
                "name": person.name,
                "accepted": person.accepted,
            }
            for person in row.people.all()
        ],
    }


def _update_rows(queue: Queue, rows: list[Booking]) -> None:
    """Update, move and delete the booking rows to match the queue."""
    people = {
        booked_person.key: booked_person for row in rows for booked_person in row.people.all()
    }
    bookings_by_key = {booking.key: booking for booking in queue.bookings}
    remaining_keys = {person.key for booking in queue.bookings for person in booking.people}
    for booking in queue.bookings:
        for order, person in enumerate(booking.people, start=1):
            person_row = people[person.key]
            if (person_row.booking_id, person_row.order, person_row.accepted) != (
                booking.key,
                order,
                person.accepted,
            ):
                person_row.booking_id, person_row.order = booking.key, order
                person_row.accepted = person.accepted
                person_row.save(update_fields=["booking", "order", "accepted"])
    BookedPerson.objects.filter(
        pk__in=[
            person_row.pk for key, person_row in people.items() if key not in remaining_keys
        ]
    ).delete()
    for row in rows:
        new = bookings_by_key.get(row.pk)
        if new is None:
            row.delete()
        elif (row.has_place, row.is_host) != (new.has_place, new.is_host):
            row.has_place, row.is_host = new.has_place, new.is_host
            row.save(update_fields=["has_place", "is_host"])
    singles = [booking.key for booking in queue.bookings if booking.is_single]
    Booking.objects.filter(pk__in=bookings_by_key).exclude(pk__in=singles).exclude(
        asks=None, seeks=False
    ).update(asks=None, seeks=False)


def _record_act(
    fixture: Fixture,
    action: str,
    before: dict[int, Kept],
    location: Mapping[str, Any],
    by: Actor,
) -> None:
    after = build_snapshot(fixture)
    changed_keys = [key for key in before if after.get(key) != before[key]]
    new = [key for key in after if key not in before]
    if not changed_keys and not new:
        return
    undo_arguments = {"rows": [before[key] for key in changed_keys], "new": new}
    audit.record(
        by,
        action,
        subject=fixture,
        where=dict(location),
        back=Undo((f"bookings {fixture.pk}",), "bookings.put_back", undo_arguments),
    )


@transaction.atomic
def restore_bookings(
    *, fixture: Fixture, rows: Sequence[Kept], new: Sequence[int], by: Actor
) -> None:
    """Undo one change of an evening's bookings: restore `rows` and delete the bookings `new`.

    A person whose row exists is not assigned to the former player, because two players may
    have been merged. Raises BookingRefused if a player no longer exists or has another
    booking.
    """
    fixture = lock_fixture(fixture)
    before = build_snapshot(fixture)
    keys = [row["id"] for row in rows]
    rows = _update_players(fixture, rows)
    Booking.objects.filter(fixture=fixture, pk__in=[*keys, *new]).delete()
    for row in rows:
        _recreate_booking(fixture, row)
    existing_keys = set(fixture.bookings.values_list("pk", flat=True))
    for row in rows:
        if row["asks_id"] in existing_keys:
            Booking.objects.filter(pk=row["id"]).update(asks=row["asks_id"])
    _record_act(fixture, "bookings.put_back", before, {}, by)


def _update_players(fixture: Fixture, rows: Sequence[Kept]) -> list[Kept]:
    """Return stored bookings in which each existing person has the current player.

    Raises BookingRefused if a player no longer exists or has another booking.
    """
    players_by_person = dict(fixture.booked.values_list("pk", "player"))
    updated_rows = [
        {
            **row,
            "people": [
                {**person, "player": players_by_person.get(person["id"], person["player"])}
                for person in row["people"]
            ],
        }
        for row in rows
    ]
    player_keys = {
        person["player"] for updated_row in updated_rows for person in updated_row["people"]
    } - {None}
    if Player.objects.filter(pk__in=player_keys).count() < len(player_keys):
        raise BookingRefused(format_refusal("gone"))
    return updated_rows


def _recreate_booking(fixture: Fixture, values: Kept) -> None:
    if not values["people"]:
        return  # an older version stored bookings without people
    players = [
        person_data["player"] for person_data in values["people"] if person_data["player"]
    ]
    if fixture.booked.filter(player__in=players).exists():
        raise BookingRefused(format_refusal("again"))
    flags = {name: values[name] for name in STORED_FIELDS if name != "asks_id"}
    row = Booking.objects.create(
        pk=values["id"],
        uid=UUID(values["uid"]),
        fixture=fixture,
        order=values["order"],
        has_place=values["has_place"],
        made_at=datetime.fromisoformat(values["made_at"]),
        **flags,
    )
    for person_data in values["people"]:
        BookedPerson.objects.create(
            pk=person_data["id"],
            fixture=fixture,
            booking=row,
            order=person_data["order"],
            player_id=person_data["player"],
            name=person_data["name"],
            accepted=person_data["accepted"],
        )


def fill_free_places(change: BookingChange) -> None:
    """Give free places to the waiting bookings that fit."""
    change.queue = fill_places(change.queue)
