"""The mishaps of a rehearsal, chosen before play from the seating of its rounds."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from hall.rehearsal.script.random_draws import draw_integer
from hall.rehearsal.script.tables import TableKey, TableSitting

TRICKS_PER_DEAL = 13


class MishapKind(StrEnum):
    """The kinds of simulated mishaps."""

    LATE = "late"  # an entry arrives after the start
    FOULED = "fouled"  # a hand of the board has too many cards (Law V §1)
    REVOKE = "revoke"
    TURNED = "turned"  # one table enters a round with the two sides swapped
    SLOW = "slow"  # one table is behind the clock in one round


class Mishap(NamedTuple):
    """One mishap at a table in a round, on the nth board of that round (from 0).

    Entries and board numbers are not stored, because a change of the seating changes them.
    Table 0 means that no table is chosen.
    """

    kind: MishapKind
    section: str
    round: int
    table: int = 0
    nth: int = 0

    @property
    def at(self) -> TableKey:
        """The key of the table in its round."""
        return TableKey(self.section, self.round, self.table)


def choose_mishaps(
    seed: str, table_sittings: Sequence[TableSitting], *, can_admit_late_pair: bool
) -> list[Mishap]:
    """Return the mishaps for an event; some are left out if it has too few rounds.

    `can_admit_late_pair` is whether the movement can seat a late entry.
    """
    rounds = sorted({sitting.at.round for sitting in table_sittings})
    if not rounds:
        return []
    last = rounds[-1]
    mishaps = (
        [Mishap(MishapKind.LATE, table_sittings[0].at.section, 1)]
        if can_admit_late_pair and last > 1
        else []
    )
    taken_tables: set[TableKey] = set()
    candidates = (
        (MishapKind.FOULED, rounds[1:]),
        (MishapKind.SLOW, [min(2, last)]),
        (MishapKind.REVOKE, [last // 2 + 1]),
    )
    for kind, choice in candidates:
        tables = (
            _choose_table(seed, kind, round_, table_sittings, taken_tables) for round_ in choice
        )
        sitting = next((table for table in tables if table is not None), None)
        if sitting is not None:
            nth = draw_integer(len(sitting.boards), seed, kind, "board")
            mishaps.append(Mishap(kind, *sitting.at, nth))
            taken_tables.add(sitting.at)
    if last > 2:
        mishaps.append(Mishap(MishapKind.TURNED, table_sittings[0].at.section, last - 1))
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
        key=lambda table: (
            sum(abs(2 * ns - TRICKS_PER_DEAL) for ns in tricks_by_table[table]),
            table,
        ),
    )


def _choose_table(
    seed: str,
    kind: MishapKind,
    round_: int,
    table_sittings: Sequence[TableSitting],
    taken_tables: set[TableKey],
) -> TableSitting | None:
    """Choose a table of a round for a mishap, or return None if no table is suitable.

    For a fouled board, all boards of the table must have been played in earlier rounds.
    """
    before = {
        board
        for sitting in table_sittings
        if sitting.at.round < round_
        for board in sitting.boards
    }
    suitable = [
        sitting
        for sitting in sorted(table_sittings, key=lambda table_sitting: table_sitting.at)
        if sitting.at.round == round_
        and sitting.boards
        and sitting.at not in taken_tables
        and (kind is not MishapKind.FOULED or before.issuperset(sitting.boards))
    ]
    taken_table_numbers = {(table.section, table.table) for table in taken_tables}
    preferred = [
        sitting
        for sitting in suitable
        if (sitting.at.section, sitting.at.table) not in taken_table_numbers
    ]
    suitable = preferred or suitable  # avoid a second mishap at one table if possible
    return suitable[draw_integer(len(suitable), seed, kind, "table")] if suitable else None
