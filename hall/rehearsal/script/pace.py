"""The time at which each result is entered, by the table's pace and the clock."""

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from hall.rehearsal.script.lots import lot
from hall.rehearsal.script.tables import At, Sat

QUICKEST, SLOWEST = Fraction(72, 100), Fraction(97, 100)
"""The part of a round that a table needs for its boards."""
TOO_SLOW = Fraction(118, 100)
"""The part of a round that the slow table needs."""
TO_MOVE = 40
"""Seconds that players need from one table to the next, when the clock does not wait."""
TO_WRITE = 45
"""The maximum number of seconds from the last trick until the result is entered."""


class Round(NamedTuple):
    """The start of a round, in seconds from the clock's start, and its length in seconds."""

    begins: int
    length: int


class Due(NamedTuple):
    """A result, and its time of entry in seconds from the start of the clock."""

    at: int
    sat: Sat
    board: int


def dues(
    seed: str,
    sats: Iterable[Sat],
    rounds: Mapping[int, Round],
    *,
    slow: Container[At] = (),
) -> list[Due]:
    """List all results with their times, the earliest first.

    A table begins a round when the clock has started it and its own last round is over. The
    `sats` do not include tables without play.
    """
    found: list[Due] = []
    free: dict[tuple[str, int], int] = {}
    for sat in sorted(sats, key=lambda each: each.at):
        round_ = rounds[sat.at.round]
        table = sat.at.section, sat.at.table
        begins = max(round_.begins, free.get(table, 0) + TO_MOVE)
        ends = _ends(seed, sat, round_.length, sat.at in slow)
        found += [
            Due(begins + end + _writing(seed, sat, board), sat, board)
            for end, board in zip(ends, sat.boards, strict=True)
        ]
        free[table] = begins + (ends[-1] if ends else 0)
    return sorted(found, key=lambda due: (due.at, due.sat.at, due.board))


def _ends(seed: str, sat: Sat, length: int, is_slow: bool) -> Sequence[int]:
    """Return the end of each board of a round, in seconds from its beginning."""
    share = QUICKEST + (SLOWEST - QUICKEST) * lot(seed, "pace", *sat.at)
    needed = length * (TOO_SLOW if is_slow else share)
    parts = [1 + lot(seed, "board", *sat.at, board) for board in sat.boards]
    whole, passed, ends = sum(parts), Fraction(), []
    for part in parts:
        passed += part
        ends.append(int(needed * passed / whole))
    return ends


def _writing(seed: str, sat: Sat, board: int) -> int:
    return int(TO_WRITE * lot(seed, "writing", *sat.at, board))
