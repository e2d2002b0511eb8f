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

    names_text: str
    reason: str


@dataclass(frozen=True, slots=True)
class EnteredBookings:
    """The result of `enter_bookings`; left-over bookings are those that got no entry."""

    event: Event
    new_count: int
    left_over_bookings: tuple[LeftOverBooking, ...]


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
    bookings = load_bookings(fixture)
    placed_booking_pks = {
        placed_booking.booking_pk
        for placed_booking in build_queue(fixture, bookings, is_closed=True).placed_bookings
    }
    existing_entry_pks = _load_entry_pks(event)
    new_count, left_over_bookings = 0, []
    entered_player_pks: set[int] = set()
    for bookings_and_person_indexes, booking in _list_complete_entries(
        event, [booking for booking in bookings if booking.pk in placed_booking_pks]
    ):
        players = [
            _find_or_create_player(fixture, booking, person_index)
            for booking, person_index in bookings_and_person_indexes
        ]
        player_names = [player.name for player in players]
        try:
            entry = _create_entry(event, booking, player_names, by)
        except WhistError as error:
            left_over_bookings.append(LeftOverBooking(" & ".join(player_names), str(error)))
            continue
        new_count += entry.pk not in existing_entry_pks
        entered_player_pks |= {player.pk for player in players}
    left_over_bookings += _list_left_over_bookings(
        event, bookings, placed_booking_pks, entered_player_pks
    )
    _record_entered_players(fixture, entered_player_pks, new_count, by)
    return EnteredBookings(event, new_count, tuple(left_over_bookings))


PersonInBooking = tuple[Booking, int]
"""A booking, and the index of one person among the people of the booking."""


def find_event(fixture: Fixture) -> Event | None:
    """Return the event of an evening; None if the evening has no event."""
    sessions = Session.objects.filter(evening=fixture.evening_id).select_related("event__club")
    session = sessions.first()
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


def _load_entry_pks(event: Event) -> set[int]:
    return set(event.entries.values_list("pk", flat=True))


def _list_complete_entries(
    event: Event, bookings: Sequence[Booking]
) -> list[tuple[list[PersonInBooking], Booking]]:
    """Return (people, booking) for each complete entry, which is created from this booking.

    If exactly one player has no partner, the first host is the partner. In an event of single
    players, each person is one entry.
    """
    people_per_entry = NAMES_PER_ENTRY[Event.Contest(event.contest)]
    complete_entries: list[tuple[list[PersonInBooking], Booking]] = []
    single_bookings: list[Booking] = []
    for booking in sorted(bookings, key=lambda booking: (booking.is_host, booking.order)):
        people = list(booking.people.all())
        if people_per_entry == 1:
            complete_entries += [
                ([(booking, person_index)], booking) for person_index in range(len(people))
            ]
        elif len(people) == people_per_entry:
            complete_entries.append(
                ([(booking, person_index) for person_index in range(people_per_entry)], booking)
            )
        elif people_per_entry == 2 and len(people) == 1:
            single_bookings.append(booking)
    host_bookings = [booking for booking in single_bookings if booking.is_host]
    partnerless_bookings = [booking for booking in single_bookings if not booking.is_host]
    if len(partnerless_bookings) == 1 and host_bookings:
        complete_entries.append(
            ([(partnerless_bookings[0], 0), (host_bookings[0], 0)], partnerless_bookings[0])
        )
    return complete_entries


def _find_or_create_player(fixture: Fixture, booking: Booking, person_index: int) -> Player:
    """Return the player for a booked person; a guest is added to the club as a visitor."""
    person = list(booking.people.all())[person_index]
    if person.player is not None:
        return person.player
    existing_player = filter_by_name(
        Player.objects.filter(club=fixture.club), person.name
    ).first()
    return existing_player or Player.objects.create(
        club=fixture.club, name=person.name, kind=Player.Kind.VISITOR
    )


def _create_entry(
    event: Event, booking: Booking, player_names: Sequence[str], by: Actor
) -> Entry:
    entry = tournaments.services.create_entry(
        event=event, names=player_names, name=booking.team, by=by
    )
    if booking.sits_north and not entry.stays_seated:
        tournaments.services.set_stationary_wishes(
            entries=[entry], stationary_numbers=[entry.number], by=by
        )
    return entry


def _list_left_over_bookings(
    event: Event,
    bookings: Sequence[Booking],
    placed_booking_pks: set[int],
    entered_player_pks: set[int],
) -> list[LeftOverBooking]:
    """Return the bookings without an entry: singles, incomplete teams, and waiting bookings."""
    people_per_entry = NAMES_PER_ENTRY[Event.Contest(event.contest)]
    left_over_bookings = []
    for booking in bookings:
        people = list(booking.people.all())
        names_text = " & ".join(person.full_name for person in people)
        if booking.pk not in placed_booking_pks:
            left_over_bookings.append(LeftOverBooking(names_text, _("on the waiting list")))
        elif (
            len(people) != people_per_entry
            and people_per_entry > 1
            and not _is_entered(booking, entered_player_pks)
        ):
            left_over_bookings.append(
                LeftOverBooking(names_text, _("host, not needed"))
                if booking.is_host
                else LeftOverBooking(
                    names_text,
                    _("has no partner") if people_per_entry == 2 else _("team incomplete"),
                )
            )
    return left_over_bookings


def _is_entered(booking: Booking, entered_player_pks: set[int]) -> bool:
    return all(
        person.player_id in entered_player_pks
        or filter_by_name(
            Player.objects.filter(pk__in=entered_player_pks), person.name
        ).exists()
        for person in booking.people.all()
    )


def _record_entered_players(
    fixture: Fixture, entered_player_pks: set[int], new_count: int, by: Actor
) -> None:
    earlier_player_pks = set(fixture.entered)
    if entered_player_pks <= earlier_player_pks and not new_count:
        return
    fixture.entered = sorted(earlier_player_pks | entered_player_pks)
    fixture.save(update_fields=["entered"])
    audit.record(by, "booking.entered", subject=fixture, after={"entries": new_count})


@transaction.atomic
def record_expected_attendance(*, fixture: Fixture, by: Actor) -> int:
    """Add an evening's entered players to its attendance list.

    If the evening has no event, the booked people who have a place are added. Existing rows
    keep their payments. Returns the number of people added.
    """
    event = find_event(fixture)
    if event is not None:
        players = Player.objects.filter(entries__event=event).distinct()
    else:
        players = Player.objects.filter(booked__booking__fixture=fixture).filter(
            booked__booking__has_place=True
        )
    return len(record_attendance(fixture=fixture, players=players.order_by("name"), by=by))
