"""The time at which each result is entered, by the table's pace and the clock."""

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from hall.rehearsal.script.random_draws import draw_fraction
from hall.rehearsal.script.tables import TableKey, TableSitting

QUICKEST, SLOWEST = Fraction(72, 100), Fraction(97, 100)
"""The part of a round that a table needs for its boards."""
SLOW_TABLE_FACTOR = Fraction(118, 100)
"""The part of a round that the slow table needs."""
MOVE_SECONDS = 40
"""Seconds that players need from one table to the next, when the clock does not wait."""
MAX_ENTRY_SECONDS = 45
"""The maximum number of seconds from the last trick until the result is entered."""


class RoundTime(NamedTuple):
    """The start of a round, in seconds from the clock's start, and its length in seconds."""

    start_seconds: int
    length_seconds: int


class DueResult(NamedTuple):
    """A result, and its time of entry in seconds from the start of the clock."""

    entry_seconds: int
    sitting: TableSitting
    board: int


def list_due_results(
    seed: str,
    sats: Iterable[TableSitting],
    rounds: Mapping[int, RoundTime],
    *,
    slow: Container[TableKey] = (),
) -> list[DueResult]:
    """List all results with their times, the earliest first.

    A table begins a round when the clock has started it and its own last round is over. The
    `sats` do not include tables without play.
    """
    found: list[DueResult] = []
    free: dict[tuple[str, int], int] = {}
    for sat in sorted(sats, key=lambda each: each.at):
        round_ = rounds[sat.at.round]
        table = sat.at.section, sat.at.table
        begins = max(round_.start_seconds, free.get(table, 0) + MOVE_SECONDS)
        ends = _compute_board_ends(seed, sat, round_.length_seconds, sat.at in slow)
        found += [
            DueResult(begins + end + _draw_entry_seconds(seed, sat, board), sat, board)
            for end, board in zip(ends, sat.boards, strict=True)
        ]
        free[table] = begins + (ends[-1] if ends else 0)
    return sorted(found, key=lambda due: (due.entry_seconds, due.sitting.at, due.board))


def _compute_board_ends(
    seed: str, sat: TableSitting, length: int, is_slow: bool
) -> Sequence[int]:
    """Return the end of each board of a round, in seconds from its beginning."""
    share = QUICKEST + (SLOWEST - QUICKEST) * draw_fraction(seed, "pace", *sat.at)
    needed = length * (SLOW_TABLE_FACTOR if is_slow else share)
    parts = [1 + draw_fraction(seed, "board", *sat.at, board) for board in sat.boards]
    whole, passed, ends = sum(parts), Fraction(), []
    for part in parts:
        passed += part
        ends.append(int(needed * passed / whole))
    return ends


def _draw_entry_seconds(seed: str, sat: TableSitting, board: int) -> int:
    return int(MAX_ENTRY_SECONDS * draw_fraction(seed, "writing", *sat.at, board))
