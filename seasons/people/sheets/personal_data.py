"""The personal data that a club stores about a person, exported as JSON and as a table."""

from collections.abc import Callable, Iterable
from typing import Any

from clubs.evenings.money import format_plain_amount
from clubs.models import (
    Attendance,
    BookedPerson,
    BookingLink,
    Fixture,
    PersonLink,
    Player,
    TwoPeople,
)
from exchange.data_tables import Cell, DataTable
from seasons.grades.models import HiddenGrade
from seasons.grades.sheets import load_grade_steps
from seasons.people.sheets.own_page import load_own_page
from server.plain_values import pick_values

DataRow = dict[str, Any]
PLAYER_KEYS = ("name", "shown", "number", "kind", "joined", "left", "email", "phone")
EVENING_PATHS_BY_KEY = {"date": "date", "event": "name", "with": "partners", "rank": "rank"}
GRADE_PATHS_BY_KEY = {"date": "event.date", "event": "event.name", "with": "partner"}
"""The exported keys of an evening and of a grade, each with its attribute path."""
GRADE_FIELDS = ("event", "boards", "expected", "made", "mean", "sd", "column", "grade", "range")


def list_personal_rows(player: Player) -> dict[str, list[DataRow]]:
    """Return the stored data about a person by kind, such as bookings and payments."""
    return {
        row_kind: list(read_rows(player)) for row_kind, read_rows in ROW_READERS_BY_KIND.items()
    }


def _iter_bookings(player: Player) -> Iterable[DataRow]:
    booked_people = player.booked.select_related("fixture__evening", "booking")
    for booked_person in booked_people.prefetch_related("booking__people__player"):
        booking = booked_person.booking
        yield {
            **_build_evening_row(booked_person.fixture),
            **pick_values(booking, made="made_at", has_place="has_place"),
            "accepted": booked_person.accepted,
            "with": [
                _get_public_name(partner)
                for partner in booking.people.all()
                if partner.pk != booked_person.pk
            ],
            **pick_values(booking, "team", "sits_north", "needs_host", "is_host", "seeks"),
        }


def _iter_check_ins(player: Player) -> Iterable[DataRow]:
    for check_in in player.check_ins.select_related("evening").order_by("pk"):
        yield pick_values(check_in, "name", "table", "seat", "at", date="evening.date")


def _iter_links(player: Player) -> Iterable[DataRow]:
    for link in player.booking_links.select_related("fixture__evening"):
        yield _build_evening_row(link.fixture) | _build_link_row(link, made="created_at")


def _iter_payments(player: Player) -> Iterable[DataRow]:
    attendances = player.attendances.select_related("fixture__evening", "settled_on__evening")
    for attendance in attendances.order_by("fixture__evening__date", "pk"):
        yield _build_payment_row(attendance, player.club.currency)


def _build_payment_row(attendance: Attendance, currency: str) -> DataRow:
    settlement_fixture = attendance.settled_on
    return {
        **_build_evening_row(attendance.fixture),
        "kind": attendance.kind,
        "fee": format_plain_amount(attendance.fee, currency),
        "currency": currency,
        **pick_values(attendance, "settled", "settled_at"),
        "settled_on": settlement_fixture.evening.date.isoformat()
        if settlement_fixture
        else None,
    }


def _iter_result_mails(player: Player) -> Iterable[DataRow]:
    for result_mail in player.result_mails.select_related("event"):
        yield pick_values(result_mail, date="event.date", event="event.name") | pick_values(
            result_mail, "version", "state", "at"
        )


def _iter_trophies(player: Player) -> Iterable[DataRow]:
    for engraved_name in player.engraved.select_related("engraving__trophy").order_by("pk"):
        yield pick_values(engraved_name, year="engraving.year", trophy="engraving.trophy.name")


def _iter_imported_evenings(player: Player) -> Iterable[DataRow]:
    seats = player.seats_elsewhere.select_related("entry", "evening__season")
    for seat in seats.order_by("evening__date", "pk"):
        seat_values = pick_values(seat, date="evening.date", season="evening.season.name")
        seat_values |= pick_values(seat, evening="evening.slug", member="was_member")
        yield seat_values | pick_values(seat.entry, "team", "score", "boards", "place")


def _iter_drives(player: Player) -> Iterable[DataRow]:
    for drive_player in player.drive_players.select_related("drive__evening").order_by("pk"):
        yield pick_values(
            drive_player, date="drive.evening.date", drive="drive.name", card="number"
        ) | pick_values(drive_player, "name")


def _iter_rubbers(player: Player) -> Iterable[DataRow]:
    rubber_players = player.rubber_players.select_related(
        "night__evening", "night__drive__evening"
    )
    for rubber_player in rubber_players.order_by("pk"):
        yield pick_values(rubber_player, date="night.date", night="night.name") | pick_values(
            rubber_player, "number", "name"
        )


def _iter_handicaps(player: Player) -> Iterable[DataRow]:
    for handicap in player.handicaps.select_related("ladder__season"):
        handicap_values = pick_values(
            handicap, season="ladder.season.name", ladder="ladder.name", a_board="a_board"
        )
        yield handicap_values | {"reason": ""}
    for director_handicap in player.handicaps_by_hand.select_related("season"):
        yield {
            "season": director_handicap.season.name,
            "ladder": "",
            "a_board": director_handicap.a_board,
            "reason": director_handicap.reason,
        }


def _iter_people_marked_distinct(player: Player) -> Iterable[DataRow]:
    for distinct_pair in TwoPeople.objects.filter(one=player).select_related("other"):
        yield {"from": distinct_pair.other.shown_name}
    for distinct_pair in TwoPeople.objects.filter(other=player).select_related("one"):
        yield {"from": distinct_pair.one.shown_name}


ROW_READERS_BY_KIND: dict[str, Callable[[Player], Iterable[DataRow]]] = {
    "bookings": _iter_bookings,
    "booking_addresses": _iter_links,
    "check_ins": _iter_check_ins,
    "table_money": _iter_payments,
    "mails": _iter_result_mails,
    "trophies": _iter_trophies,
    "evenings_elsewhere": _iter_imported_evenings,
    "drives": _iter_drives,
    "rubber_nights": _iter_rubbers,
    "handicaps": _iter_handicaps,
    "told_apart": _iter_people_marked_distinct,
}


def _build_evening_row(fixture: Fixture) -> DataRow:
    return pick_values(fixture, date="evening.date", evening="evening.title")


def _build_link_row(link: PersonLink | BookingLink, **attribute_paths: str) -> DataRow:
    return pick_values(link, **attribute_paths) | {"taken_back": link.revoked_at is not None}


def _get_public_name(person: BookedPerson) -> str:
    """Return the public name of another person in the same booking."""
    return person.player.shown_name if person.player else person.name


EVENING_PATHS_BY_KEY |= {"score": "score", "boards": "board_count"}
EVENING_PATHS_BY_KEY |= {"tricks_above": "tricks_above"}
GRADE_PATHS_BY_KEY |= {
    key: f"row.{key}" for key in ("boards", "expected", "made", "mean", "sd", "column")
}
GRADE_PATHS_BY_KEY |= {"grade": "row.shown", "range": "row.range"}


def build_personal_data(player: Player) -> dict[str, Any]:
    """Return the personal data of a player as data for JSON.

    Other people appear only with their public names.
    """
    own_page = load_own_page(player)
    return {
        "format": "whist-held/1",
        "club": player.club.name,
        "person": pick_values(player, *PLAYER_KEYS),
        "consents": [
            pick_values(consent, "what", "given", "at") for consent in player.consents.all()
        ],
        "addresses": [
            _build_link_row(link, made="created_at", ends="ends_at")
            for link in player.links.all()
        ],
        "evenings": [
            pick_values(evening, **EVENING_PATHS_BY_KEY) for evening in own_page.evenings
        ],
        "grade": [
            pick_values(grade_step, **GRADE_PATHS_BY_KEY)
            for grade_step in load_grade_steps(player)
        ],
        "grade_hidden": HiddenGrade.objects.filter(player=player).exists(),
        **list_personal_rows(player),
    }


def build_personal_data_table(player: Player) -> DataTable:
    """Return a player's personal data as a table with two columns: the item and its text."""
    personal_data = build_personal_data(player)
    table_rows: list[list[Cell]] = [["club", personal_data["club"]]]
    table_rows += [[key, value or ""] for key, value in personal_data["person"].items()]
    table_rows += [
        [
            f"consent: {consent['what']}",
            f"{'yes' if consent['given'] else 'no'}, {consent['at']}",
        ]
        for consent in personal_data["consents"]
    ]
    table_rows += [
        [
            f"evening {evening['date']}",
            ", ".join(str(value) for value in list(evening.values())[1:] if value),
        ]
        for evening in personal_data["evenings"]
    ]
    table_rows += [
        [
            f"grade {data_row['date']}",
            ", ".join(f"{key} {data_row[key]}" for key in GRADE_FIELDS),
        ]
        for data_row in personal_data["grade"]
    ]
    table_rows += [["grade hidden", "yes" if personal_data["grade_hidden"] else "no"]]
    table_rows += [
        [row_kind.replace("_", " "), ", ".join(_format_values(data_row))]
        for row_kind in ("addresses", *ROW_READERS_BY_KIND)
        for data_row in personal_data[row_kind]
    ]
    return DataTable(name="held", column_keys=("what", "value"), rows=table_rows)


def _format_values(data_row: DataRow) -> list[str]:
    """Format the non-empty values of a row as texts."""
    texts_by_key = {
        key: ", ".join(value) if isinstance(value, list) else str(value)
        for key, value in data_row.items()
        if value is not None
    }
    return [f"{key.replace('_', ' ')} {text}" for key, text in texts_by_key.items() if text]
