"""When each result comes in: tables play at a pace of their own, and wait for the clock."""

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from hall.rehearsal.script.lots import lot
from hall.rehearsal.script.tables import At, Sat

QUICKEST, SLOWEST = Fraction(72, 100), Fraction(97, 100)
"""The part of a round that a table needs for its boards."""
TOO_SLOW = Fraction(118, 100)
"""The same for the table that is behind."""
TO_MOVE = 40
"""Seconds that players need from one table to the next, when the clock does not wait."""
TO_WRITE = 45
"""The most seconds from the last trick until the result is in."""


class Round(NamedTuple):
    """When the clock lets a round begin, in seconds from the start, and how long it is."""

    begins: int
    length: int


class Due(NamedTuple):
    """A result, and when it comes in: seconds from the start of the clock."""

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
    """List every result with its time, the first first.

    A table begins a round when the clock says so and its own last round is over; what stands
    for a round that nobody plays is simply not among the `sats`.
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
    """When each board of a round is over, in seconds from its beginning."""
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
