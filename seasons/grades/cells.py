"""What an evening was to one entry: its boards in cells of equal seat and trumps.

A board's figure is the tricks of the own side less the mean of that side among those compared.
Within an evening all figures have one denominator, so a cell keeps whole numbers.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt

RANGE = 1.2816
"""Standard deviations on each side that hold four of five."""
MIN_BOARDS = 20
"""Boards below which a split says nothing."""
UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Own:
    """One board of an entry: how far above the mean, and what it is sorted by."""

    above: Fraction
    seat: str  # N, E, S, W where people sit singly, else NS or EW
    trump: str  # S, H, D, C or, where nobody knows, ?
    partner: int = 0  # the entry of the partner, where people sit singly


Cell = tuple[int, str, str, int, int, int]
"""Partner, seat, trump, boards, the sum of figures and the sum of their squares, in parts."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An evening of an entry; figures are in parts of 1/`parts`, squares of 1/`parts`²."""

    parts: int
    cells: tuple[Cell, ...]

    @property
    def boards(self) -> int:
        """How many boards there were."""
        return sum(cell[3] for cell in self.cells)

    @property
    def above(self) -> Fraction:
        """The whole evening's tricks above the means."""
        return Fraction(sum(cell[4] for cell in self.cells), self.parts)


def kept_of(boards: Sequence[Own]) -> Kept:
    """Gather the boards of an evening."""
    parts = lcm(*(board.above.denominator for board in boards)) if boards else 1
    found: dict[tuple[int, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for board in boards:
        whole = board.above.numerator * (parts // board.above.denominator)
        cell = found[board.partner, board.seat, board.trump]
        cell[0] += 1
        cell[1] += whole
        cell[2] += whole * whole
    cells = ((*key, *sums) for key, sums in sorted(found.items()))
    return Kept(parts, tuple(cells))  # type: ignore[arg-type]  # a row of keys and sums


@dataclass(frozen=True, slots=True)
class Split:
    """A part of somebody's boards: how many, the exact sum, and how sure the mean is."""

    key: object
    evenings: int
    boards: int
    above: Fraction
    squares: Fraction

    @property
    def mean(self) -> Fraction:
        """Tricks a board above the others."""
        return self.above / self.boards if self.boards else Fraction()

    @property
    def is_enough(self) -> bool:
        """Whether there are boards enough to say anything."""
        return self.boards >= MIN_BOARDS

    @property
    def range(self) -> float:
        """How far the mean may lie from what shows in the long run, in four cases of five."""
        if self.boards < 2:
            return 0.0
        spread = float(self.squares - self.above * self.mean) / (self.boards - 1)
        return RANGE * sqrt(max(spread, 0.0) / self.boards)


class Sums:
    """Splits being added up; evenings of equal parts stay whole numbers until the end."""

    def __init__(self) -> None:
        self._sums: dict[object, dict[int, list[int]]] = defaultdict(
            lambda: defaultdict(lambda: [0, 0, 0])
        )
        self._evenings: dict[object, set[int]] = defaultdict(set)

    def add(self, key: object, evening: int, parts: int, cell: Cell) -> None:
        """Add a cell of an evening to a split."""
        sums = self._sums[key][parts]
        sums[0] += cell[3]
        sums[1] += cell[4]
        sums[2] += cell[5]
        self._evenings[key].add(evening)

    def splits(self) -> list[Split]:
        """All of them, those of most boards first."""
        found = [self._split(key) for key in self._sums]
        return sorted(found, key=lambda each: -each.boards)

    def _split(self, key: object) -> Split:
        by_parts = self._sums[key].items()
        return Split(
            key=key,
            evenings=len(self._evenings[key]),
            boards=sum(sums[0] for _parts, sums in by_parts),
            above=_sum((sums[1], parts) for parts, sums in by_parts),
            squares=_sum((sums[2], parts * parts) for parts, sums in by_parts),
        )


def _sum(fractions: Iterable[tuple[int, int]]) -> Fraction:
    pairs = list(fractions)
    whole = lcm(*(below for _above, below in pairs)) if pairs else 1
    return Fraction(sum(above * (whole // below) for above, below in pairs), whole)
