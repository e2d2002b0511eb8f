"""Services that create entries from bookings, and attendance rows from entered players."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

import scoring.services
import tournaments.services
from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor
from clubs.errors import BookingRefused
from clubs.evenings.bookings import build_queue, load_bookings
from clubs.evenings.services import record_attendance
from clubs.evenings.services.fixtures import lock_fixture
from clubs.models import Booking, Fixture, Player
from clubs.name_folding import filter_by_name
from tournaments.entry_words import NAMES_PER_ENTRY
from tournaments.models import Entry, Event, Session
from tournaments.services.sessions import move_session


@dataclass(frozen=True, slots=True)
class LeftOverBooking:
    """A booking for which no entry was created, and the reason."""

    names: str
    reason: str


@dataclass(frozen=True, slots=True)
class EnteredBookings:
    """The result of entering bookings: the number of new entries, and the bookings left."""

    event: Event
    new: int
    left: tuple[LeftOverBooking, ...]


@transaction.atomic
def enter_bookings(*, fixture: Fixture, by: Actor) -> EnteredBookings:
    """Create the entries of an evening from its bookings, in the order of the bookings.

    A second call adds only entries for bookings made since then. If the evening has no event,
    one is created from the evening's plan. Raises BookingRefused if the evening is cancelled.
    """
    fixture = lock_fixture(fixture)
    if fixture.cancelled_at is not None:
        raise BookingRefused(_("This evening is cancelled."))
    event = find_event(fixture) or _create_event(fixture, by)
    rows = load_bookings(fixture)
    booked_rows = {
        placed_booking.key
        for placed_booking in build_queue(fixture, rows, is_closed=True).placed_bookings
    }
    existing_keys = _load_entry_keys(event)
    new_count, left_over = 0, []
    entered: set[int] = set()
    for names_of, row in _list_complete_entries(
        event, [row for row in rows if row.pk in booked_rows]
    ):
        people = [_find_or_create_player(fixture, row, index) for row, index in names_of]
        names = [player.name for player in people]
        try:
            entry = _create_entry(event, row, names, by)
        except WhistError as error:
            left_over.append(LeftOverBooking(" & ".join(names), str(error)))
            continue
        new_count += entry.pk not in existing_keys
        entered |= {player.pk for player in people}
    left_over += _list_left_over(event, rows, booked_rows, entered)
    _record_entered(fixture, entered, new_count, by)
    return EnteredBookings(event, new_count, tuple(left_over))


BookedSeat = tuple[Booking, int]
"""A booking, and the index of one of its people in it."""


def find_event(fixture: Fixture) -> Event | None:
    """Return the event of an evening; None if it has none."""
    rows = Session.objects.filter(evening=fixture.evening_id).select_related("event__club")
    session = rows.first()
    return session.event if session else None


def _create_event(fixture: Fixture, by: Actor) -> Event:
    event = scoring.services.create_event(
        club=fixture.club,
        name=fixture.evening.title or _("Evening"),
        date=fixture.evening.date,
        contest=fixture.contest,
        method=fixture.method,
        form_key=f"fixture-{fixture.uid.hex}",
        by=by,
    )
    move_session(
        session=event.sessions.select_related("evening").get(), evening=fixture.evening
    )
    return event


def _load_entry_keys(event: Event) -> set[int]:
    return set(event.entries.values_list("pk", flat=True))


def _list_complete_entries(
    event: Event, rows: Sequence[Booking]
) -> list[tuple[list[BookedSeat], Booking]]:
    """Return the people of each complete entry, and the booking that the entry is made from.

    A host partners a single player. In an event of single players each person is one entry.
    """
    size = NAMES_PER_ENTRY[Event.Contest(event.contest)]
    complete_entries: list[tuple[list[BookedSeat], Booking]] = []
    single_bookings: list[Booking] = []
    for row in sorted(rows, key=lambda booking: (booking.is_host, booking.order)):
        people = list(row.people.all())
        if size == 1:
            complete_entries += [([(row, index)], row) for index in range(len(people))]
        elif len(people) == size:
            complete_entries.append(([(row, index) for index in range(size)], row))
        elif size == 2 and len(people) == 1:
            single_bookings.append(row)
    hosts = [row for row in single_bookings if row.is_host]
    guests = [row for row in single_bookings if not row.is_host]
    if len(guests) == 1 and hosts:
        complete_entries.append(([(guests[0], 0), (hosts[0], 0)], guests[0]))
    return complete_entries


def _find_or_create_player(fixture: Fixture, row: Booking, index: int) -> Player:
    """Return the player for a booked person; a guest is added to the club as a visitor."""
    person = list(row.people.all())[index]
    if person.player is not None:
        return person.player
    existing_player = filter_by_name(
        Player.objects.filter(club=fixture.club), person.name
    ).first()
    return existing_player or Player.objects.create(
        club=fixture.club, name=person.name, kind=Player.Kind.VISITOR
    )


def _create_entry(event: Event, row: Booking, names: Sequence[str], by: Actor) -> Entry:
    entry = tournaments.services.create_entry(event=event, names=names, name=row.team, by=by)
    if row.sits_north and not entry.stays_seated:
        tournaments.services.set_stationary_wishes(
            entries=[entry], staying=[entry.number], by=by
        )
    return entry


def _list_left_over(
    event: Event, rows: Sequence[Booking], inside: set[int], entered: set[int]
) -> list[LeftOverBooking]:
    """Return the bookings without an entry: singles, incomplete teams, and waiting bookings."""
    size = NAMES_PER_ENTRY[Event.Contest(event.contest)]
    left_over = []
    for row in rows:
        people = list(row.people.all())
        names = " & ".join(person.full_name for person in people)
        if row.pk not in inside:
            left_over.append(LeftOverBooking(names, _("on the waiting list")))
        elif len(people) != size and size > 1 and not _is_entered(row, entered):
            left_over.append(
                LeftOverBooking(names, _("host, not needed"))
                if row.is_host
                else LeftOverBooking(
                    names, _("has no partner") if size == 2 else _("team incomplete")
                )
            )
    return left_over


def _is_entered(row: Booking, entered: set[int]) -> bool:
    return all(
        person.player_id in entered
        or filter_by_name(Player.objects.filter(pk__in=entered), person.name).exists()
        for person in row.people.all()
    )


def _record_entered(fixture: Fixture, entered: set[int], new_count: int, by: Actor) -> None:
    entered_before = set(fixture.entered)
    if entered <= entered_before and not new_count:
        return
    fixture.entered = sorted(entered_before | entered)
    fixture.save(update_fields=["entered"])
    audit.record(by, "booking.entered", subject=fixture, after={"entries": new_count})


@transaction.atomic
def record_seated_players(*, fixture: Fixture, by: Actor) -> int:
    """Add an evening's entered players to its attendance list.

    If the evening has no event, the booked people who have a place are added. Existing rows
    keep their payments. Returns the number of people added.
    """
    event = find_event(fixture)
    if event is not None:
        people = Player.objects.filter(entries__event=event).distinct()
    else:
        people = Player.objects.filter(booked__booking__fixture=fixture).filter(
            booked__booking__has_place=True
        )
    return len(record_attendance(fixture=fixture, players=people.order_by("name"), by=by))
