"""The positions and moves of each copy of the boards, if there are several copies."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.formatting import format_number
from tournaments.movements.schedule import Movement

At = tuple[int, int]  # round number and table number
Stack = tuple[int, int]  # a board group and the number of its copy


def assign_stacks(
    played: Iterable[tuple[int, int, int]], copies: int, blocks: Sequence[int] = ()
) -> dict[At, Stack]:
    """Return the board group and copy at each table, from triples of round, table and group.

    The tables of a block share one copy. Without blocks, the tables that play a group get its
    copies by number, so that no copy is at two tables in a round.
    """
    stacks: dict[At, Stack] = {}
    used_copies: dict[tuple[int, int], int] = {}
    for round_, table, group in sorted(played):
        if blocks:
            copy = sum(table >= first for first in blocks)
        else:
            copy = used_copies[round_, group] = min(
                used_copies.get((round_, group), 0) + 1, copies
            )
        stacks[round_, table] = (group, copy)
    return stacks


def format_copy_letter(copy: int) -> str:
    """Return the letter of a copy, as on its label: A, B …"""
    return chr(ord("A") + copy - 1)


def describe_copies(movement: Movement) -> str:
    """Describe which tables have which copy and how copies move; "" if there is one copy."""
    if movement.copies < 2:
        return ""
    if not movement.blocks:
        message = _(
            "There are %(copies)s copies of each board. Use the one on your table's guide card."
        )
        return message % {"copies": format_number(movement.copies)}
    ends = [*movement.blocks, movement.tables + 1]
    lines = [
        _describe_block(movement, number, *pair)
        for number, pair in enumerate(pairwise(ends), 1)
    ]
    return " ".join(lines)


def _describe_block(movement: Movement, copy: int, first: int, next_first: int) -> str:
    last = next_first - 1
    texts = {
        "copy": format_copy_letter(copy),
        "first": movement.table_called(first),
        "last": movement.table_called(last),
    }
    if first == last:
        text = _("Table %(first)s keeps copy %(copy)s and plays its next set each round.")
        return text % texts
    resting_count = movement.groups - (next_first - first)
    if resting_count < 1:
        text = _(
            "Tables %(first)s–%(last)s use copy %(copy)s. Boards move "
            "down one table, from table %(first)s to table %(last)s."
        )
        return text % texts
    text = ngettext(
        "Tables %(first)s–%(last)s use copy %(copy)s. Boards move "
        "down one table, from table %(first)s to table %(last)s "
        "after %(rounds)s round's wait.",
        "Tables %(first)s–%(last)s use copy %(copy)s. Boards move "
        "down one table, from table %(first)s to table %(last)s "
        "after %(rounds)s rounds' wait.",
        resting_count,
    )
    return text % (texts | {"rounds": format_number(resting_count)})
