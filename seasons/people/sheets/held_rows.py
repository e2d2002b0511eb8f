"""What a club has in its rows of a person, beside the evenings: each row as plain data.

Every kind of row that points to a person is here or on the own page; a test has the list.
"""

from collections.abc import Callable, Iterable
from datetime import date as Date
from datetime import datetime
from typing import Any

from clubs.evenings.money import plain_amount
from clubs.models import Attendance, BookedPerson, Fixture, Player, TwoPeople

Row = dict[str, Any]


def held_rows(player: Player) -> dict[str, list[Row]]:
    """Gather them by kind, in the order in which a table tells them."""
    return {kind: list(read(player)) for kind, read in KINDS.items()}


def _bookings(player: Player) -> Iterable[Row]:
    people = player.booked.select_related("fixture__evening", "booking")
    for each in people.prefetch_related("booking__people__player"):
        booking = each.booking
        yield {
            **_day(each.fixture),
            "made": _written(booking.made_at),
            "has_place": booking.has_place,
            "accepted": each.accepted,
            "with": [_name(it) for it in booking.people.all() if it.pk != each.pk],
            "team": booking.team,
            "sits_north": booking.sits_north,
            "needs_host": booking.needs_host,
            "is_host": booking.is_host,
            "seeks": booking.seeks,
        }


def _addresses(player: Player) -> Iterable[Row]:
    for link in player.booking_links.select_related("fixture__evening"):
        yield {
            **_day(link.fixture),
            "made": _written(link.created_at),
            "taken_back": link.revoked_at is not None,
        }


def _money(player: Player) -> Iterable[Row]:
    rows = player.attendances.select_related("fixture__evening", "settled_on__evening")
    for each in rows.order_by("fixture__evening__date", "pk"):
        yield _paid(each, player.club.currency)


def _paid(each: Attendance, currency: str) -> Row:
    later = each.settled_on
    return {
        **_day(each.fixture),
        "kind": each.kind,
        "fee": plain_amount(each.fee, currency),
        "currency": currency,
        "settled": each.settled,
        "settled_at": _written(each.settled_at),
        "settled_on": _written(later.evening.date if later else None),
    }


def _mails(player: Player) -> Iterable[Row]:
    for each in player.result_mails.select_related("event"):
        yield {
            "date": _written(each.event.date),
            "event": each.event.name,
            "version": each.version,
            "state": each.state,
            "at": _written(each.at),
        }


def _trophies(player: Player) -> Iterable[Row]:
    for each in player.engraved.select_related("engraving__trophy").order_by("pk"):
        yield {"year": each.engraving.year, "trophy": each.engraving.trophy.name}


def _elsewhere(player: Player) -> Iterable[Row]:
    rows = player.seats_elsewhere.select_related("entry", "evening__season")
    for seat in rows.order_by("evening__date", "pk"):
        entry = seat.entry
        yield {
            "date": _written(seat.evening.date),
            "season": seat.evening.season.name,
            "evening": seat.evening.slug,
            "member": seat.was_member,
            "team": entry.team,
            "score": entry.score,
            "boards": entry.boards,
            "place": entry.place,
        }


def _drives(player: Player) -> Iterable[Row]:
    for each in player.drive_players.select_related("drive__evening").order_by("pk"):
        drive = each.drive
        yield {
            "date": _written(drive.evening.date),
            "drive": drive.name,
            "card": each.number,
            "name": each.name,
        }


def _rubbers(player: Player) -> Iterable[Row]:
    rows = player.rubber_players.select_related("night__evening", "night__drive__evening")
    for each in rows.order_by("pk"):
        night = each.night
        yield {
            "date": _written(night.date),
            "night": night.name,
            "number": each.number,
            "name": each.name,
        }


def _handicaps(player: Player) -> Iterable[Row]:
    for each in player.handicaps.select_related("ladder__season"):
        ladder = each.ladder
        yield {
            "season": ladder.season.name,
            "ladder": ladder.name,
            "a_board": each.a_board,
            "reason": "",
        }
    for given in player.handicaps_by_hand.select_related("season"):
        yield {
            "season": given.season.name,
            "ladder": "",
            "a_board": given.a_board,
            "reason": given.reason,
        }


def _told_apart(player: Player) -> Iterable[Row]:
    for each in TwoPeople.objects.filter(one=player).select_related("other"):
        yield {"from": each.other.shown_name}
    for each in TwoPeople.objects.filter(other=player).select_related("one"):
        yield {"from": each.one.shown_name}


KINDS: dict[str, Callable[[Player], Iterable[Row]]] = {
    "bookings": _bookings,
    "booking_addresses": _addresses,
    "table_money": _money,
    "mails": _mails,
    "trophies": _trophies,
    "evenings_elsewhere": _elsewhere,
    "drives": _drives,
    "rubber_nights": _rubbers,
    "handicaps": _handicaps,
    "told_apart": _told_apart,
}


def _day(fixture: Fixture) -> Row:
    return {"date": _written(fixture.evening.date), "evening": fixture.evening.title}


def _name(each: BookedPerson) -> str:
    """Somebody else of a booking, as everybody may read the name."""
    return each.player.shown_name if each.player else each.name


def _written(moment: Date | datetime | None) -> str | None:
    return moment.isoformat() if moment else None
