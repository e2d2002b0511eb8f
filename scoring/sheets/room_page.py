"""The seats of a round: a picture of the hall from above, and a text for each entry."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.drawing.room_plan import TABLE_HEIGHT, RoomPlan, TablePosition, draw_room_plan
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.short_names import fit_words, shorten_to_surnames, split_partners
from tournaments.models import Entry

WIDE_SHEET_COLUMNS, NARROW_SHEET_COLUMNS = 3, 2
"""Columns of tables on a wide and on a narrow sheet."""
NAME_CHARS, SHORT_NAME_CHARS = 26, 18
"""The most letters of a names line, wide and narrow; the list has the full names."""
NARROW_NAME_LINES = 2
"""The number of lines for a pair's names in the narrow picture."""
EMPTY_SEAT_TEXT = "–"
MAX_UNFOLDED_TABLES = 24
"""With more tables the picture is folded, because it would be longer than three screens."""


@dataclass(frozen=True, slots=True)
class RoomTable:
    """One table in the picture."""

    place: str  # displayed: "13", with several sections "A13"
    ns: tuple[str, ...]  # line by line
    ew: tuple[str, ...]
    ns_short_lines: tuple[str, ...]  # for the narrow picture
    ew_short_lines: tuple[str, ...]
    wide: TablePosition
    narrow: TablePosition


@dataclass(frozen=True, slots=True)
class RoomPicture:
    """The hall in one round, for a wide screen and a narrow one."""

    words: str  # its description in a sentence
    tables: tuple[RoomTable, ...]
    wide: RoomPlan
    narrow: RoomPlan
    high: str = TABLE_HEIGHT

    @property
    def is_folded(self) -> bool:
        """Whether the picture is too long to be shown unfolded."""
        return len(self.tables) > MAX_UNFOLDED_TABLES


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry in the public list before the first round is over."""

    entry: int
    label: str  # its place, or its number without one
    name: str
    seat: str  # its first seat; "" without a place
    section: str = ""  # if there are several


def list_entries(snapshot: SessionSnapshot, entries: Iterable[Entry]) -> list[ListedEntry]:
    """List all entries by number; with several sections, by section and place."""
    seats = describe_seats(snapshot)
    places_by_entry = {
        place.entry_id: (order, place) for order, place in enumerate(snapshot.places)
    }
    letters = {each.pk: each.letter for each in snapshot.sections if snapshot.is_lettered}
    listed_entries: list[tuple[int, ListedEntry]] = []
    for entry in entries:
        order, place = places_by_entry.get(entry.pk, (len(places_by_entry), None))
        label = snapshot.format_place_label(place) if place else str(entry.number)
        section = letters.get(place.section_id, "") if place else ""
        line = ListedEntry(entry.number, label, entry.name, seats.get(entry.pk, ""), section)
        listed_entries.append((order if letters else 0, line))
    return [line for _at, line in sorted(listed_entries, key=itemgetter(0))]


def build_room_picture(snapshot: SessionSnapshot, round_: int = 1) -> RoomPicture | None:
    """Return the picture of a round's seats; None while no one has a seat."""
    tables = [table for table in snapshot.tables if table.round == round_]
    if not any(table.ns.entries or table.ew.entries for table in tables):
        return None
    wide, narrow = (
        draw_room_plan(len(tables), WIDE_SHEET_COLUMNS),
        draw_room_plan(len(tables), NARROW_SHEET_COLUMNS, NARROW_NAME_LINES),
    )
    names = shorten_to_surnames(
        side.name for table in tables for side in (table.ns, table.ew) if side.name
    )
    description = ngettext(
        "The room in round %(round)s from above: %(count)s table, N-S named above, E-W below.",
        "The room in round %(round)s from above: %(count)s tables, N-S named above, E-W below.",
        len(tables),
    )
    return RoomPicture(
        description % {"round": round_, "count": len(tables)},
        tuple(
            RoomTable(
                table.label,
                _format_on_one_line(table.ns, names),
                _format_on_one_line(table.ew, names),
                _format_on_two_lines(table.ns, names),
                _format_on_two_lines(table.ew, names),
                wide.spots[index],
                narrow.spots[index],
            )
            for index, table in enumerate(tables)
        ),
        wide,
        narrow,
    )


def _format_on_one_line(side: SeatedSide, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of a side of a table as one line."""
    return (
        (fit_words([side.short, names[side.name]], NAME_CHARS),)
        if side.name
        else (EMPTY_SEAT_TEXT,)
    )


def _format_on_two_lines(side: SeatedSide, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of a side as two short lines, always two for a constant height."""
    if not side.name:
        return (EMPTY_SEAT_TEXT, "")
    first, *other_names = split_partners(names[side.name])
    return fit_words([side.short, first], SHORT_NAME_CHARS), fit_words(
        other_names, SHORT_NAME_CHARS
    )


def describe_seats(snapshot: SessionSnapshot, round_: int = 1) -> dict[int, str]:
    """Return the seat in a round by the entry's primary key: "table 3, N-S"."""
    seats_by_entry = {}
    for place in snapshot.places:
        seat = snapshot.seat_by_place_and_round.get((place.pk, round_))
        if place.entry_id is not None and seat is not None:
            seats_by_entry[place.entry_id] = _describe_seat(*seat)
    return seats_by_entry


def _describe_seat(table: SeatedTable, side: str) -> str:
    if not table.is_played:
        return _("sits out")
    return _("table %(table)s, %(side)s") % {"table": table.label, "side": side}
