"""The moves of the boards of one table between rounds, and the copies that tables share."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.session_snapshot import SeatedTable, SessionSnapshot
from tournaments.movements.copies import format_copy_letter

DestinationType = TypeVar("DestinationType")


def list_shared_board_notes(snapshot: SessionSnapshot, table: SeatedTable) -> list[str]:
    """Return a note that names the tables with which a table shares its boards."""
    stack = snapshot.find_board_stack(table)
    sharing_table_numbers = snapshot.tables_by_stack[table.section, table.round, stack]
    other_table_labels = [
        snapshot.format_table_label(table.section, other_table_number)
        for other_table_number in sharing_table_numbers
        if other_table_number != table.table_number
    ]
    if not other_table_labels:
        return []
    template = ngettext(
        "share boards with table %(table)s",
        "share boards with tables %(table)s",
        len(other_table_labels),
    )
    return [template % {"table": get_text_list(other_table_labels, _("and"))}]


def list_copy_notes(snapshot: SessionSnapshot, table: SeatedTable) -> list[str]:
    """Return notes on a table's copy of the boards, and on the copy's unusual next table."""
    if snapshot.count_board_copies(table.section) < 2:
        return []
    board_group, copy_number = snapshot.find_board_stack(table)
    table_rounds = snapshot.rounds_by_table[table.section, table.table_number]
    notes = []
    if not find_fixed_copy_number(snapshot, table_rounds):
        notes.append(_("copy %(copy)s") % {"copy": format_copy_letter(copy_number)})
    next_round_and_table = snapshot.find_next_use_of_stack(
        table.section, table.round, (board_group, copy_number)
    )
    if next_round_and_table is None:
        return notes
    next_round_number, next_table_number = next_round_and_table
    next_label = snapshot.format_table_label(table.section, next_table_number)
    placeholders = {"table": next_label, "round": next_round_number}
    if next_round_number > table.round + 1:
        notes.append(_("the boards wait until round %(round)s, table %(table)s") % placeholders)
    elif next_table_number != choose_usual_destination(
        _find_next_table_of_boards(snapshot, seated_table) for seated_table in table_rounds
    ):
        notes.append(_("the boards go to table %(table)s") % placeholders)
    return notes


def describe_board_moves(snapshot: SessionSnapshot, tables: Sequence[SeatedTable]) -> list[str]:
    """Describe where the boards move after most rounds, and whether to fetch new ones."""
    played_rounds = [table for table in tables if table.is_played]
    sentences = []
    pause_and_next_tables = choose_usual_destination(
        _find_boards_destination(snapshot, table) for table in played_rounds
    )
    if pause_and_next_tables and pause_and_next_tables[1] != (tables[0].table_number,):
        has_pause, next_table_numbers = pause_and_next_tables
        table_labels = [
            snapshot.format_table_label(tables[0].section, next_table_number)
            for next_table_number in next_table_numbers
        ]
        template = _("The boards go to table %(table)s.")
        if has_pause:
            template = _("The boards go to the bye-stand, then to table %(table)s.")
        if len(table_labels) > 1:
            template = _("The boards go to tables %(table)s, which share them.")
        sentences.append(template % {"table": get_text_list(table_labels, _("and"))})
    if choose_usual_destination(
        _has_boards_to_fetch(snapshot, table) for table in played_rounds if table.round > 1
    ):
        sentences.append(_("Collect the next boards from the bye-stand."))
    return sentences


def _find_boards_destination(
    snapshot: SessionSnapshot, table: SeatedTable
) -> tuple[bool, tuple[int, ...]] | None:
    """Return whether a table's boards pause for a round, and the tables that play them next."""
    stack = snapshot.find_board_stack(table)
    next_round_and_table = snapshot.find_next_use_of_stack(table.section, table.round, stack)
    if next_round_and_table is None:
        return None
    next_round_number, _table = next_round_and_table
    next_table_numbers = tuple(
        sorted(snapshot.tables_by_stack[table.section, next_round_number, stack])
    )
    has_pause = next_round_number > table.round + 1
    return (
        (has_pause, next_table_numbers)
        if len(next_table_numbers) == 1 or not has_pause
        else None
    )


def _has_boards_to_fetch(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    """Return whether players must fetch the boards, which no table had in the last round.

    False for boards that only one table plays.
    """
    stack, section_letter = snapshot.find_board_stack(table), table.section
    former_table_numbers = snapshot.tables_by_stack.get(
        (section_letter, table.round - 1, stack)
    )
    round_numbers = range(1, snapshot.last_seated_round_by_section[section_letter] + 1)
    playing_table_numbers = {
        playing_table_number
        for round_number in round_numbers
        for playing_table_number in snapshot.tables_by_stack.get(
            (section_letter, round_number, stack), ()
        )
    }
    return not former_table_numbers and len(playing_table_numbers) > 1


def find_fixed_copy_number(snapshot: SessionSnapshot, tables: Sequence[SeatedTable]) -> int:
    """Return the copy that a table uses in all its rounds, or 0."""
    if snapshot.count_board_copies(tables[0].section) < 2:
        return 0
    copy_numbers = {snapshot.find_board_stack(table)[1] for table in tables if table.is_played}
    return copy_numbers.pop() if len(copy_numbers) == 1 else 0


def choose_usual_destination(
    destinations: Iterable[DestinationType | None],
) -> DestinationType | None:
    """Return the destination that at least half of the rounds have, or None."""
    destination_counts = Counter(
        destination for destination in destinations if destination is not None
    )
    if not destination_counts:
        return None
    destination, round_count = destination_counts.most_common(1)[0]
    return destination if round_count * 2 >= destination_counts.total() else None


def _find_next_table_of_boards(snapshot: SessionSnapshot, table: SeatedTable) -> int | None:
    """Return the next table of a table's boards; None if the boards pause or are shared."""
    table_numbers = snapshot.tables_by_stack.get(
        (table.section, table.round + 1, snapshot.find_board_stack(table)), []
    )
    return table_numbers[0] if len(table_numbers) == 1 else None
