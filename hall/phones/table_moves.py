"""The sentences on a table's phone about where players and boards move after a round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist import Seat
from boards.whist.seats import Side
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.next_moves import (
    MovingUnit,
    describe_next_line_up,
    format_overplay_instruction,
    has_pack_per_table,
    is_before_overplay,
    list_moving_units,
)
from tournaments.models import Sitting
from tournaments.movements.systems.two_packs import describe_packs


@dataclass(frozen=True, slots=True)
class SectionSittings:
    """The sittings of a section by round, and the primary keys of places without an entry."""

    sittings_by_round: Mapping[int, Sequence[Sitting]]
    empty_place_pks: frozenset[int]

    @classmethod
    def from_snapshot(cls, snapshot: SessionSnapshot, section_letter: str) -> "SectionSittings":
        """Group the sittings of the section with the given letter by round."""
        sittings_by_round: dict[int, list[Sitting]] = {}
        for sitting in snapshot.sittings_by_id.values():
            if sitting.section.letter == section_letter:
                sittings_by_round.setdefault(sitting.round, []).append(sitting)
        return cls(
            sittings_by_round,
            frozenset(place.pk for place in snapshot.places if place.entry_id is None),
        )

    def list_tables_with_boards(self, board_group: int, round_number: int) -> list[int]:
        """Return the numbers of the tables that play a board group in a round.

        If no table plays it, the boards wait at a table with a missing side. That table is
        returned instead.
        """
        sittings = [
            sitting
            for sitting in self.sittings_by_round.get(round_number, ())
            if sitting.board_group == board_group
        ]
        occupied_sittings = [
            sitting
            for sitting in sittings
            if self.empty_place_pks.isdisjoint(_get_place_ids(sitting))
        ]
        return sorted({sitting.table for sitting in occupied_sittings or sittings})


def describe_table_moves(
    snapshot: SessionSnapshot, table: SeatedTable, section_sittings: SectionSittings
) -> list[str]:
    """Return sentences about the moves of a table's players and boards after a round.

    The list is empty after the last round.
    """
    next_sittings = section_sittings.sittings_by_round.get(table.round + 1, ())
    if not next_sittings:
        return list(filter(None, [snapshot.describe_undrawn_rounds(table.section)]))
    if line_up_text := describe_next_line_up(snapshot, table.section, table.round):
        return [line_up_text, *_describe_board_moves(snapshot, table, section_sittings)]
    are_boards_turned = is_before_overplay(snapshot, table)
    player_moves = [
        _describe_move(
            snapshot, table, moving_unit, next_sittings, are_boards_turned=are_boards_turned
        )
        for moving_unit in list_moving_units(snapshot, table)
    ]
    return [
        *_describe_arrow_switch(table, are_boards_turned=are_boards_turned),
        *player_moves,
        *_describe_board_moves(snapshot, table, section_sittings),
    ]


def _describe_arrow_switch(table: SeatedTable, *, are_boards_turned: bool) -> list[str]:
    """Return the instruction to turn the boards for the overplay, or [] if not needed."""
    if not are_boards_turned:
        return []
    return [format_overplay_instruction(is_everyone_seated=len(table.ns.places) == 1)]


def _describe_move(
    snapshot: SessionSnapshot,
    table: SeatedTable,
    moving_unit: MovingUnit,
    next_sittings: Sequence[Sitting],
    *,
    are_boards_turned: bool,
) -> str:
    next_sitting = next(
        (
            sitting
            for sitting in next_sittings
            if moving_unit.place_pk in _get_place_ids(sitting)
        ),
        None,
    )
    seat_code = _find_seat(next_sitting, moving_unit.place_pk) if next_sitting else ""
    next_table_and_seat = (next_sitting.table, seat_code) if next_sitting else None
    placeholders = {
        "number": moving_unit.label,
        "seat": _format_seat(moving_unit.seat_code),
        "side": _format_seat(moving_unit.seat_code),
    }
    if next_sitting and seat_code:
        placeholders |= {
            "table": snapshot.format_table_label(table.section, next_sitting.table),
            "new": _format_seat(seat_code),
        }
    if (
        are_boards_turned
        and next_table_and_seat
        and next_table_and_seat[0] == table.table_number
    ):
        return _get_arrow_switch_text(len(moving_unit.seat_code) == 1) % placeholders
    is_staying = next_table_and_seat == (table.table_number, moving_unit.seat_code)
    if next_table_and_seat and not is_staying and next_table_and_seat[0] == table.table_number:
        return _get_direction_change_text(len(moving_unit.seat_code) == 1) % placeholders
    return (
        _get_move_text(len(moving_unit.seat_code) == 1, is_staying, next_table_and_seat is None)
        % placeholders
    )


def _get_arrow_switch_text(is_individual: bool) -> str:
    """Return the sentence that names a seat by its direction after the arrow switch."""
    if is_individual:
        return _("Arrow switch: %(seat)s (%(number)s) is now %(new)s.")
    return _("Arrow switch: %(side)s are now %(new)s.")


def _get_direction_change_text(is_individual: bool) -> str:
    """Return the sentence about a player or pair that stays and changes direction."""
    if is_individual:
        return _("%(seat)s (%(number)s) stays at this table and sits %(new)s.")
    return _("%(side)s stay at this table and sit %(new)s.")


def _get_move_text(is_individual: bool, is_staying: bool, is_sitting_out: bool) -> str:
    if is_individual and is_sitting_out:
        return _("%(seat)s (%(number)s) sits out.")
    if is_individual and is_staying:
        return _("%(seat)s (%(number)s) stays here.")
    if is_individual:
        return _("%(seat)s (%(number)s) moves to table %(table)s, %(new)s.")
    if is_sitting_out:
        return _("%(side)s sit out.")
    if is_staying:
        return _("%(side)s stay here.")
    return _("%(side)s move to table %(table)s, %(new)s.")


def describe_board_sharing(
    snapshot: SessionSnapshot, table: SeatedTable, section_sittings: SectionSittings
) -> str:
    """Return a sentence that names the tables with which a table shares its boards in a round.

    It is empty if no table shares them, or if every table has its own packs or copies of the
    boards.
    """
    if not table.is_played or has_pack_per_table(snapshot, table.section):
        return ""
    if snapshot.count_board_copies(table.section) > 1:
        return ""
    sharing_table_numbers = section_sittings.list_tables_with_boards(
        table.board_group, table.round
    )
    other_table_labels = [
        snapshot.format_table_label(table.section, table_number)
        for table_number in sharing_table_numbers
        if table_number != table.table_number
    ]
    if not other_table_labels:
        return ""
    sentence = ngettext(
        "Share the boards with table %(tables)s: play one, then pass it on.",
        "Share the boards with tables %(tables)s: play one, then pass it on.",
        len(other_table_labels),
    )
    return sentence % {"tables": get_text_list(other_table_labels, _("and"))}


def _describe_board_moves(
    snapshot: SessionSnapshot, table: SeatedTable, section_sittings: SectionSittings
) -> list[str]:
    """Return sentences about tables that share the boards, and about the boards' next move."""
    if has_pack_per_table(snapshot, table.section):
        return [describe_packs(table.round)]
    sharing_table_numbers = section_sittings.list_tables_with_boards(
        table.board_group, table.round
    )
    other_table_labels = [
        snapshot.format_table_label(table.section, table_number)
        for table_number in sharing_table_numbers
        if table_number != table.table_number
    ]
    if other_table_labels and not table.is_played:
        return []
    sentences = []
    if other_table_labels:
        sentence = ngettext(
            "Table %(tables)s plays these boards too. Pass each on until both have played it.",
            "Tables %(tables)s play these boards too. Pass each on until all have played it.",
            len(other_table_labels),
        )
        sentences.append(sentence % {"tables": get_text_list(other_table_labels, _("and"))})
    return [
        *sentences,
        *_describe_next_boards(
            snapshot, table, section_sittings, are_boards_shared=bool(other_table_labels)
        ),
    ]


def _describe_next_boards(
    snapshot: SessionSnapshot,
    table: SeatedTable,
    section_sittings: SectionSittings,
    *,
    are_boards_shared: bool,
) -> list[str]:
    """Return sentences about the boards' next move: to tables, the stand, or the director."""
    rounds_and_tables = [
        (
            next_round_number,
            section_sittings.list_tables_with_boards(table.board_group, next_round_number),
        )
        for next_round_number in sorted(section_sittings.sittings_by_round)
        if next_round_number > table.round
    ]
    next_round_number, next_table_numbers = next(
        (
            (round_number, table_numbers)
            for round_number, table_numbers in rounds_and_tables
            if table_numbers
        ),
        (0, []),
    )
    if not next_table_numbers:
        return [_get_last_round_text(are_boards_shared)] if table.is_played else []
    table_labels = [
        snapshot.format_table_label(table.section, table_number)
        for table_number in next_table_numbers
    ]
    if next_round_number > table.round + 1 and next_table_numbers == [table.table_number]:
        sentence = _("Keep these boards here until round %(round)s.")
        return [sentence % {"round": next_round_number}]
    if next_round_number > table.round + 1:
        sentence = _(
            "Put the boards on the bye-stand. Table %(table)s collects "
            "them for round %(round)s."
        )
        return [sentence % {"table": table_labels[0], "round": next_round_number}]
    if len(next_table_numbers) > 1:
        sentence = _("Pass the boards to tables %(tables)s to share.")
        return [sentence % {"tables": get_text_list(table_labels, _("and"))}]
    if next_table_numbers[0] == table.table_number:
        return [_("The boards stay here.")]
    return [_("Pass the boards to table %(table)s.") % {"table": table_labels[0]}]


def _get_last_round_text(are_boards_shared: bool) -> str:
    if are_boards_shared:
        return _("The last table to play gives the boards to the director.")
    return _("Give the boards to the director.")


def _get_place_ids(sitting: Sitting) -> tuple[int, int, int, int]:
    return sitting.north_id, sitting.east_id, sitting.south_id, sitting.west_id


def _find_seat(sitting: Sitting, place_id: int) -> str:
    """Return the seats of a place in a sitting: "N-S" for a pair, "N" for a single player."""
    seat_letters_and_places = (
        ("N", sitting.north_id),
        ("S", sitting.south_id),
        ("E", sitting.east_id),
        ("W", sitting.west_id),
    )
    return "-".join(
        seat_letter
        for seat_letter, seat_place_id in seat_letters_and_places
        if seat_place_id == place_id
    )


def _format_seat(seat_code: str) -> str:
    """Return the name of a place: a side for a pair, a compass seat for a single player."""
    return (
        Seat(seat_code).word if len(seat_code) == 1 else Side(seat_code.replace("-", "")).word
    )
