"""All that a club holds of a person, for the person: as data, and as a table."""

from collections.abc import Callable, Iterable
from datetime import date as Date
from datetime import datetime
from typing import Any

from clubs.evenings.money import plain_amount
from clubs.models import Attendance, BookedPerson, Fixture, Player, TwoPeople
from exchange.sheets import Cell, Sheet
from seasons.grades.models import HiddenGrade
from seasons.grades.sheets import steps_of
from seasons.people.sheets.own_page import own_page

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


KEYS = ("name", "shown", "number", "kind", "joined", "left", "email", "phone")

FIGURES = ("event", "boards", "expected", "made", "mean", "sd", "column", "grade", "range")


def held_data(player: Player) -> dict[str, Any]:
    """Gather it; of others it has only the names that everybody may see."""
    page = own_page(player)
    steps = steps_of(player)
    return {
        "format": "whist-held/1",
        "club": player.club.name,
        "person": {key: _plain(getattr(player, key)) for key in KEYS},
        "consents": [
            {"what": each.what, "given": each.given, "at": each.at.isoformat()}
            for each in player.consents.all()
        ],
        "addresses": [
            {
                "made": link.created_at.isoformat(),
                "ends": link.ends_at.isoformat() if link.ends_at else None,
                "taken_back": link.revoked_at is not None,
            }
            for link in player.links.all()
        ],
        "evenings": [
            {
                "date": each.date.isoformat(),
                "event": each.name,
                "with": each.partners,
                "rank": each.rank,
                "score": None if each.score is None else str(each.score),
                "boards": each.boards,
                "tricks_above": None if each.above is None else str(each.above),
            }
            for each in page.evenings
        ],
        "grade": [
            {
                "date": each.event.date.isoformat(),
                "event": each.event.name,
                "with": each.partner,
                "boards": each.row.boards,
                "expected": each.row.expected,
                "made": each.row.made,
                "mean": each.row.mean,
                "sd": each.row.sd,
                "column": each.row.column,
                "grade": each.row.shown,
                "range": each.row.range,
            }
            for each in steps
        ],
        "grade_hidden": HiddenGrade.objects.filter(player=player).exists(),
        **held_rows(player),
    }


def held_table(player: Player) -> Sheet:
    """The same as a table of two columns: what, and how it is written down."""
    data = held_data(player)
    rows: list[list[Cell]] = [["club", data["club"]]]
    rows += [[key, value or ""] for key, value in data["person"].items()]
    rows += [
        [f"consent: {each['what']}", f"{'yes' if each['given'] else 'no'}, {each['at']}"]
        for each in data["consents"]
    ]
    rows += [
        [f"evening {each['date']}", ", ".join(str(v) for v in list(each.values())[1:] if v)]
        for each in data["evenings"]
    ]
    rows += [
        [f"grade {each['date']}", ", ".join(f"{key} {each[key]}" for key in FIGURES)]
        for each in data["grade"]
    ]
    rows += [["grade hidden", "yes" if data["grade_hidden"] else "no"]]
    rows += [
        [kind.replace("_", " "), ", ".join(_told(each))]
        for kind in ("addresses", *KINDS)
        for each in data[kind]
    ]
    return Sheet(name="held", keys=("what", "value"), rows=rows)


def _told(row: Row) -> list[str]:
    """What a row says, without what is empty in it."""
    texts = {
        key: ", ".join(value) if isinstance(value, list) else str(value)
        for key, value in row.items()
        if value is not None
    }
    return [f"{key.replace('_', ' ')} {text}" for key, text in texts.items() if text]


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
