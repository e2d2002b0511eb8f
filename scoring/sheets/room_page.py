"""The seats of a round: a picture of the hall from above, and a text for each entry."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.drawing.room_plan import TABLE_HEIGHT_TEXT, RoomPlan, TablePosition, draw_room_plan
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.short_names import join_words_to_length, shorten_to_surnames, split_partners
from tournaments.models import Entry

WIDE_SHEET_COLUMNS, NARROW_SHEET_COLUMNS = 3, 2
"""Columns of tables on a wide and on a narrow sheet."""
MAX_WIDE_LINE_CHARS, MAX_NARROW_LINE_CHARS = 26, 18
"""The maximum length of a line of names, wide and narrow; the list has the full names."""
NARROW_NAME_LINES = 2
"""The number of lines for a pair's names in the narrow picture."""
EMPTY_SEAT_TEXT = "–"
MAX_UNFOLDED_TABLES = 24
"""With more tables, the picture is folded, because it is longer than three screens."""


@dataclass(frozen=True, slots=True)
class RoomTable:
    """One table in the picture."""

    table_label: str  # displayed: "13", with several sections "A13"
    ns_name_lines: tuple[str, ...]  # the lines of names for the wide picture
    ew_name_lines: tuple[str, ...]
    ns_short_name_lines: tuple[str, ...]  # for the narrow picture
    ew_short_name_lines: tuple[str, ...]
    position_in_wide_layout: TablePosition
    position_in_narrow_layout: TablePosition


@dataclass(frozen=True, slots=True)
class HallPicture:
    """The hall in one round, for a wide screen and a narrow one."""

    description: str  # for screen readers, in a sentence
    tables: tuple[RoomTable, ...]
    wide_plan: RoomPlan
    narrow_plan: RoomPlan
    table_height: str = TABLE_HEIGHT_TEXT

    @property
    def is_folded(self) -> bool:
        """Whether the picture is too long to be shown unfolded."""
        return len(self.tables) > MAX_UNFOLDED_TABLES


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry in the public list before the first round is over."""

    entry: int
    label: str  # the label of the place; the entry number without a place
    name: str
    seat_text: str  # the first seat; "" without a place
    section: str = ""  # the section's letter, if there are several sections


def list_entries(snapshot: SessionSnapshot, entries: Iterable[Entry]) -> list[ListedEntry]:
    """List all entries by number; with several sections, by section and place."""
    seat_text_by_entry = describe_seats(snapshot)
    order_and_place_by_entry = {
        place.entry_id: (place_order, place)
        for place_order, place in enumerate(snapshot.places)
    }
    letter_by_section = {
        section.pk: section.letter
        for section in snapshot.sections
        if snapshot.has_section_letters
    }
    listed_entries: list[tuple[int, ListedEntry]] = []
    for entry in entries:
        place_order, place = order_and_place_by_entry.get(
            entry.pk, (len(order_and_place_by_entry), None)
        )
        place_label = snapshot.format_place_label(place) if place else str(entry.number)
        section_letter = letter_by_section.get(place.section_id, "") if place else ""
        listed_entry = ListedEntry(
            entry.number,
            place_label,
            entry.name,
            seat_text_by_entry.get(entry.pk, ""),
            section_letter,
        )
        listed_entries.append((place_order if letter_by_section else 0, listed_entry))
    return [
        listed_entry for _place_order, listed_entry in sorted(listed_entries, key=itemgetter(0))
    ]


def build_hall_picture(snapshot: SessionSnapshot, round_number: int = 1) -> HallPicture | None:
    """Return the picture of a round's seats; None while no one has a seat."""
    tables_in_round = [table for table in snapshot.tables if table.round == round_number]
    if not any(table.ns.entries or table.ew.entries for table in tables_in_round):
        return None
    wide_plan, narrow_plan = (
        draw_room_plan(len(tables_in_round), WIDE_SHEET_COLUMNS),
        draw_room_plan(len(tables_in_round), NARROW_SHEET_COLUMNS, NARROW_NAME_LINES),
    )
    surnames_by_name = shorten_to_surnames(
        side.name for table in tables_in_round for side in (table.ns, table.ew) if side.name
    )
    description_template = ngettext(
        "The room in round %(round)s from above: %(count)s table, N-S named above, E-W below.",
        "The room in round %(round)s from above: %(count)s tables, N-S named above, E-W below.",
        len(tables_in_round),
    )
    return HallPicture(
        description_template % {"round": round_number, "count": len(tables_in_round)},
        tuple(
            RoomTable(
                table.label,
                _format_side_names(table.ns, surnames_by_name),
                _format_side_names(table.ew, surnames_by_name),
                _format_two_name_lines(table.ns, surnames_by_name),
                _format_two_name_lines(table.ew, surnames_by_name),
                wide_plan.table_positions[index],
                narrow_plan.table_positions[index],
            )
            for index, table in enumerate(tables_in_round)
        ),
        wide_plan,
        narrow_plan,
    )


def _format_side_names(
    side: SeatedSide, surnames_by_name: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the names of a side of a table as one line."""
    return (
        (
            join_words_to_length(
                [side.short_label, surnames_by_name[side.name]], MAX_WIDE_LINE_CHARS
            ),
        )
        if side.name
        else (EMPTY_SEAT_TEXT,)
    )


def _format_two_name_lines(
    side: SeatedSide, surnames_by_name: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the names of a side as two short lines, always two for a constant height."""
    if not side.name:
        return (EMPTY_SEAT_TEXT, "")
    first_name, *other_names = split_partners(surnames_by_name[side.name])
    return join_words_to_length(
        [side.short_label, first_name], MAX_NARROW_LINE_CHARS
    ), join_words_to_length(other_names, MAX_NARROW_LINE_CHARS)


def describe_seats(snapshot: SessionSnapshot, round_number: int = 1) -> dict[int, str]:
    """Return the seat in a round by the entry's primary key: "table 3, N-S"."""
    seat_text_by_entry = {}
    for place in snapshot.places:
        table_and_side = snapshot.seat_by_place_and_round.get((place.pk, round_number))
        if place.entry_id is not None and table_and_side is not None:
            seat_text_by_entry[place.entry_id] = _describe_seat(*table_and_side)
    return seat_text_by_entry


def _describe_seat(table: SeatedTable, side_text: str) -> str:
    if not table.is_played:
        return _("sits out")
    return _("table %(table)s, %(side)s") % {"table": table.label, "side": side_text}
