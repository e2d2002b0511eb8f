"""The times at which tables enter their results, from each table's pace and the round clock."""

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from hall.rehearsal.script.random_draws import draw_fraction
from hall.rehearsal.script.tables import TableKey, TableSitting

FASTEST_ROUND_SHARE, SLOWEST_ROUND_SHARE = Fraction(72, 100), Fraction(97, 100)
"""The shortest and longest time that a table needs, as fractions of the round's length."""
SLOW_TABLE_FACTOR = Fraction(118, 100)
"""The time that the slow table needs for its boards, as a fraction of the round's length."""
MOVE_SECONDS = 40
"""The seconds that players need to change tables, if they are behind the clock."""
MAX_ENTRY_SECONDS = 45
"""The maximum number of seconds from a board's last trick to the entry of its result."""


class RoundTime(NamedTuple):
    """The start of a round, in seconds from the clock's start, and its length in seconds."""

    start_seconds: int
    length_seconds: int


class DueResult(NamedTuple):
    """A simulated result, with its time of entry in seconds from the clock's start."""

    entry_seconds: int
    sitting: TableSitting
    board: int


def list_due_results(
    seed: str,
    table_sittings: Iterable[TableSitting],
    rounds: Mapping[int, RoundTime],
    *,
    slow: Container[TableKey] = (),
) -> list[DueResult]:
    """Return all simulated results with their times of entry, earliest first.

    A table begins a round once the clock has started the round and the table has finished its
    previous one. `table_sittings` must not include tables without play.
    """
    due_results: list[DueResult] = []
    free: dict[tuple[str, int], int] = {}
    for sitting in sorted(table_sittings, key=lambda table_sitting: table_sitting.at):
        round_ = rounds[sitting.at.round]
        table = sitting.at.section, sitting.at.table
        begins = max(round_.start_seconds, free.get(table, 0) + MOVE_SECONDS)
        ends = _compute_board_ends(seed, sitting, round_.length_seconds, sitting.at in slow)
        due_results += [
            DueResult(begins + end + _draw_entry_seconds(seed, sitting, board), sitting, board)
            for end, board in zip(ends, sitting.boards, strict=True)
        ]
        free[table] = begins + (ends[-1] if ends else 0)
    return sorted(
        due_results,
        key=lambda due_result: (
            due_result.entry_seconds,
            due_result.sitting.at,
            due_result.board,
        ),
    )


def _compute_board_ends(
    seed: str, sitting: TableSitting, length: int, is_slow: bool
) -> Sequence[int]:
    """Return the end of each board of a round, in seconds from the start of the round."""
    share = FASTEST_ROUND_SHARE + (SLOWEST_ROUND_SHARE - FASTEST_ROUND_SHARE) * draw_fraction(
        seed, "pace", *sitting.at
    )
    needed = length * (SLOW_TABLE_FACTOR if is_slow else share)
    parts = [1 + draw_fraction(seed, "board", *sitting.at, board) for board in sitting.boards]
    total, elapsed, ends = sum(parts), Fraction(), []
    for part in parts:
        elapsed += part
        ends.append(int(needed * elapsed / total))
    return ends


def _draw_entry_seconds(seed: str, sitting: TableSitting, board: int) -> int:
    return int(MAX_ENTRY_SECONDS * draw_fraction(seed, "writing", *sitting.at, board))
