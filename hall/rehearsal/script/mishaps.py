"""The mishaps of a rehearsal, chosen before play from the seating of its rounds."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from hall.rehearsal.script.random_draws import draw_integer
from hall.rehearsal.script.tables import TableKey, TableSitting

TRICKS_PER_DEAL = 13


class MishapKind(StrEnum):
    """The kinds of simulated mishaps."""

    LATE_ENTRY = "late"  # an entry arrives after the start
    FOULED = "fouled"  # a hand of the board has too many cards (Law V §1)
    REVOKE = "revoke"
    SWAPPED_SIDES = "turned"  # one table enters a round with the two sides swapped
    SLOW_TABLE = "slow"  # one table is behind the clock in one round


class Mishap(NamedTuple):
    """One mishap at a table in a round, on the board with the index `nth` in that round.

    Entries and board numbers are not stored, because a change of the seating changes them.
    Table 0 means that no table is chosen yet. The fields are keys of the stored script.
    """

    kind: MishapKind
    section: str
    round: int
    table: int = 0
    nth: int = 0

    @property
    def table_key(self) -> TableKey:
        """The key of the table in its round."""
        return TableKey(self.section, self.round, self.table)


def choose_mishaps(
    random_seed: str, table_sittings: Sequence[TableSitting], *, can_admit_late_pair: bool
) -> list[Mishap]:
    """Return the mishaps for an event; some are left out if it has too few rounds.

    `can_admit_late_pair` is whether the movement can seat a late entry.
    """
    round_numbers = sorted({sitting.table_key.round_number for sitting in table_sittings})
    if not round_numbers:
        return []
    last_round_number = round_numbers[-1]
    mishaps = (
        [Mishap(MishapKind.LATE_ENTRY, table_sittings[0].table_key.section_letter, 1)]
        if can_admit_late_pair and last_round_number > 1
        else []
    )
    taken_tables: set[TableKey] = set()
    kinds_with_rounds = (
        (MishapKind.FOULED, round_numbers[1:]),
        (MishapKind.SLOW_TABLE, [min(2, last_round_number)]),
        (MishapKind.REVOKE, [last_round_number // 2 + 1]),
    )
    for mishap_kind, possible_round_numbers in kinds_with_rounds:
        possible_sittings = (
            _choose_table(random_seed, mishap_kind, round_number, table_sittings, taken_tables)
            for round_number in possible_round_numbers
        )
        sitting = next(
            (
                possible_sitting
                for possible_sitting in possible_sittings
                if possible_sitting is not None
            ),
            None,
        )
        if sitting is not None:
            board_index = draw_integer(
                len(sitting.board_numbers), random_seed, mishap_kind, "board"
            )
            mishaps.append(Mishap(mishap_kind, *sitting.table_key, board_index))
            taken_tables.add(sitting.table_key)
    if last_round_number > 2:
        mishaps.append(
            Mishap(
                MishapKind.SWAPPED_SIDES,
                table_sittings[0].table_key.section_letter,
                last_round_number - 1,
            )
        )
    return mishaps


def choose_swapped_table(tricks_by_table: Mapping[TableKey, Sequence[int]]) -> TableKey | None:
    """Return the table that enters a round with swapped sides, or None without tables.

    It is the table with the most uneven tricks, where the error is most visible.
    `tricks_by_table` has North-South's tricks on each board of the round, by table.
    """
    if not tricks_by_table:
        return None
    return max(
        tricks_by_table,
        key=lambda table_key: (
            sum(
                abs(2 * ns_tricks - TRICKS_PER_DEAL) for ns_tricks in tricks_by_table[table_key]
            ),
            table_key,
        ),
    )


def _choose_table(
    random_seed: str,
    mishap_kind: MishapKind,
    round_number: int,
    table_sittings: Sequence[TableSitting],
    taken_tables: set[TableKey],
) -> TableSitting | None:
    """Choose a table of a round for a mishap, or return None if no table is suitable.

    For a fouled board, all boards of the table must have been played in earlier rounds.
    """
    earlier_boards = {
        board_number
        for sitting in table_sittings
        if sitting.table_key.round_number < round_number
        for board_number in sitting.board_numbers
    }
    suitable_sittings = [
        sitting
        for sitting in sorted(table_sittings, key=lambda table_sitting: table_sitting.table_key)
        if sitting.table_key.round_number == round_number
        and sitting.board_numbers
        and sitting.table_key not in taken_tables
        and (
            mishap_kind is not MishapKind.FOULED
            or earlier_boards.issuperset(sitting.board_numbers)
        )
    ]
    taken_table_ids = {
        (table_key.section_letter, table_key.table_number) for table_key in taken_tables
    }
    preferred_sittings = [
        sitting
        for sitting in suitable_sittings
        if (sitting.table_key.section_letter, sitting.table_key.table_number)
        not in taken_table_ids
    ]
    suitable_sittings = (
        preferred_sittings or suitable_sittings
    )  # if possible, no table has two mishaps
    return (
        suitable_sittings[
            draw_integer(len(suitable_sittings), random_seed, mishap_kind, "table")
        ]
        if suitable_sittings
        else None
    )
