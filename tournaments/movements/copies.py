"""The positions and moves of each copy of the boards, if there are several copies."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.formatting import format_number
from tournaments.movements.schedule import Movement

TableInRound = tuple[int, int]  # round number and table number
BoardStack = tuple[int, int]  # a board group and the number of its copy


def assign_board_stacks(
    played_meetings: Iterable[tuple[int, int, int]],
    copy_count: int,
    block_first_tables: Sequence[int] = (),
) -> dict[TableInRound, BoardStack]:
    """Return the board group and copy at each table, from triples of round, table and group.

    The tables of a block share one copy. Without blocks, the tables that play a group in a
    round get copies 1, 2 … in order of table.
    """
    board_stack_by_table: dict[TableInRound, BoardStack] = {}
    last_copy_number_by_round_and_group: dict[tuple[int, int], int] = {}
    for round_number, table_number, board_group in sorted(played_meetings):
        if block_first_tables:
            copy_number = sum(
                table_number >= first_table_number for first_table_number in block_first_tables
            )
        else:
            copy_number = last_copy_number_by_round_and_group[round_number, board_group] = min(
                last_copy_number_by_round_and_group.get((round_number, board_group), 0) + 1,
                copy_count,
            )
        board_stack_by_table[round_number, table_number] = (board_group, copy_number)
    return board_stack_by_table


def format_copy_letter(copy_number: int) -> str:
    """Return the letter of a copy, as on its label: A, B …"""
    return chr(ord("A") + copy_number - 1)


def describe_copies(movement: Movement) -> str:
    """Describe the tables and moves of each copy, or return "" if there is one copy."""
    if movement.copy_count < 2:
        return ""
    if not movement.blocks:
        message = _(
            "There are %(copies)s copies of each board. Use the one on your table’s guide card."
        )
        return message % {"copies": format_number(movement.copy_count)}
    block_starts = [*movement.blocks, movement.table_count + 1]
    sentences = [
        _describe_copy(movement, copy_number, first_table_number, next_block_start)
        for copy_number, (first_table_number, next_block_start) in enumerate(
            pairwise(block_starts), 1
        )
    ]
    return " ".join(sentences)


def _describe_copy(
    movement: Movement, copy_number: int, first_table_number: int, next_block_start: int
) -> str:
    last_table_number = next_block_start - 1
    placeholders = {
        "copy": format_copy_letter(copy_number),
        "first": movement.format_table(first_table_number),
        "last": movement.format_table(last_table_number),
    }
    if first_table_number == last_table_number:
        message = _("Table %(first)s keeps copy %(copy)s and plays its next set each round.")
        return message % placeholders
    waiting_round_count = movement.group_count - (next_block_start - first_table_number)
    if waiting_round_count < 1:
        message = _(
            "Tables %(first)s–%(last)s use copy %(copy)s. Boards move "
            "down one table, from table %(first)s to table %(last)s."
        )
        return message % placeholders
    message = ngettext(
        "Tables %(first)s–%(last)s use copy %(copy)s. Boards move down one table, from "
        "table %(first)s to table %(last)s after %(rounds)s round’s wait.",
        "Tables %(first)s–%(last)s use copy %(copy)s. Boards move down one table, from "
        "table %(first)s to table %(last)s after %(rounds)s rounds’ wait.",
        waiting_round_count,
    )
    return message % (placeholders | {"rounds": format_number(waiting_round_count)})
