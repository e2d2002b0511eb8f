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
    board_number: int


def list_due_results(
    random_seed: str,
    table_sittings: Iterable[TableSitting],
    times_by_round: Mapping[int, RoundTime],
    *,
    slow_tables: Container[TableKey] = (),
) -> list[DueResult]:
    """Return all simulated results with their times of entry, earliest first.

    A table begins a round once the clock has started the round and the table has finished its
    previous one. `table_sittings` must not include tables without play.
    """
    due_results: list[DueResult] = []
    finish_seconds_by_table: dict[tuple[str, int], int] = {}
    for sitting in sorted(table_sittings, key=lambda table_sitting: table_sitting.table_key):
        round_time = times_by_round[sitting.table_key.round_number]
        table_key = sitting.table_key.section_letter, sitting.table_key.table_number
        start_seconds = max(
            round_time.start_seconds, finish_seconds_by_table.get(table_key, 0) + MOVE_SECONDS
        )
        board_end_seconds = _compute_board_end_seconds(
            random_seed, sitting, round_time.length_seconds, sitting.table_key in slow_tables
        )
        due_results += [
            DueResult(
                start_seconds
                + end_seconds
                + _draw_entry_seconds(random_seed, sitting, board_number),
                sitting,
                board_number,
            )
            for end_seconds, board_number in zip(
                board_end_seconds, sitting.board_numbers, strict=True
            )
        ]
        finish_seconds_by_table[table_key] = start_seconds + (
            board_end_seconds[-1] if board_end_seconds else 0
        )
    return sorted(
        due_results,
        key=lambda due_result: (
            due_result.entry_seconds,
            due_result.sitting.table_key,
            due_result.board_number,
        ),
    )


def _compute_board_end_seconds(
    random_seed: str, sitting: TableSitting, round_seconds: int, is_slow: bool
) -> Sequence[int]:
    """Return the end of each board of a round, in seconds from the start of the round."""
    length_share = FASTEST_ROUND_SHARE + (
        SLOWEST_ROUND_SHARE - FASTEST_ROUND_SHARE
    ) * draw_fraction(random_seed, "pace", *sitting.table_key)
    needed_seconds = round_seconds * (SLOW_TABLE_FACTOR if is_slow else length_share)
    board_weights = [
        1 + draw_fraction(random_seed, "board", *sitting.table_key, board_number)
        for board_number in sitting.board_numbers
    ]
    total_weight, elapsed_weight, board_end_seconds = sum(board_weights), Fraction(), []
    for board_weight in board_weights:
        elapsed_weight += board_weight
        board_end_seconds.append(int(needed_seconds * elapsed_weight / total_weight))
    return board_end_seconds


def _draw_entry_seconds(random_seed: str, sitting: TableSitting, board_number: int) -> int:
    return int(
        MAX_ENTRY_SECONDS
        * draw_fraction(random_seed, "writing", *sitting.table_key, board_number)
    )
