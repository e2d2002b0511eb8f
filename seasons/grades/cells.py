"""The grouping of an entry's boards in one event by partner, seat and trumps.

Such a group is called a cell. The value of a board is the number of tricks of the entry's side
minus the mean of that side at the compared tables. All values of an evening have a common
denominator, so a cell stores integers.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt

RANGE_STANDARD_DEVIATIONS = 1.2816
"""The half width of an 80 % interval, in standard deviations."""
MIN_BOARDS_FOR_MEAN = 20
"""The minimum number of boards for a mean that is shown as meaningful."""
UNKNOWN_TRUMP = "?"


@dataclass(frozen=True, slots=True)
class EntryBoard:
    """The value of a board for an entry, with the seat, trumps and partner."""

    tricks_above: Fraction  # the value of the board
    seat_code: str  # N, E, S, W in an individual event, else NS or EW
    trump_code: str  # S, H, D, C, or ? if unknown
    partner_entry_pk: int = 0  # the partner's entry in an individual event, else 0


StatisticsCell = tuple[int, str, str, int, int, int]
"""(partner, seat, trumps, number of boards, sum of values, sum of squared values).

The sums are the numerators of fractions whose denominator is in `EveningStatisticsCells`.
"""


@dataclass(frozen=True, slots=True)
class EveningStatisticsCells:
    """The cells of an entry for one evening.

    Sums of values are in units of 1/`denominator`, sums of squares in units of
    1/`denominator`².
    """

    denominator: int
    cells: tuple[StatisticsCell, ...]

    @property
    def board_count(self) -> int:
        """The number of boards in all cells."""
        return sum(cell[3] for cell in self.cells)

    @property
    def tricks_above(self) -> Fraction:
        """The sum of the values of all boards, in tricks above the mean."""
        return Fraction(sum(cell[4] for cell in self.cells), self.denominator)


def group_boards_into_cells(boards: Sequence[EntryBoard]) -> EveningStatisticsCells:
    """Group the boards of an entry's evening in cells, and add up their values."""
    common_denominator = (
        lcm(*(board.tricks_above.denominator for board in boards)) if boards else 1
    )
    sums_by_group: dict[tuple[int, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for board in boards:
        numerator = board.tricks_above.numerator * (
            common_denominator // board.tricks_above.denominator
        )
        cell = sums_by_group[board.partner_entry_pk, board.seat_code, board.trump_code]
        cell[0] += 1
        cell[1] += numerator
        cell[2] += numerator * numerator
    cells = (
        (*group_key, *group_sums) for group_key, group_sums in sorted(sums_by_group.items())
    )
    return EveningStatisticsCells(common_denominator, tuple(cells))  # type: ignore[arg-type]  # a row of keys and sums


@dataclass(frozen=True, slots=True)
class BoardSplit:
    """The statistics of a subset of a person's boards, for example of all boards as North."""

    split_key: object
    evening_count: int
    board_count: int
    tricks_above: Fraction
    sum_of_squares: Fraction

    @property
    def mean(self) -> Fraction:
        """The mean value of a board, in tricks above the compared tables."""
        return self.tricks_above / self.board_count if self.board_count else Fraction()

    @property
    def has_enough_boards(self) -> bool:
        """Whether the subset has enough boards for a meaningful mean."""
        return self.board_count >= MIN_BOARDS_FOR_MEAN

    @property
    def range(self) -> float:
        """The half width of the 80 % interval of the mean."""
        if self.board_count < 2:
            return 0.0
        variance = float(self.sum_of_squares - self.tricks_above * self.mean) / (
            self.board_count - 1
        )
        return RANGE_STANDARD_DEVIATIONS * sqrt(max(variance, 0.0) / self.board_count)


class BoardSplitAccumulator:
    """Adds up the cells of many evenings, and returns the sums as `BoardSplit` objects.

    Cells with the same denominator are added as integers, which is faster than adding
    fractions.
    """

    def __init__(self) -> None:
        self._sums_by_split: dict[object, dict[int, list[int]]] = defaultdict(
            lambda: defaultdict(lambda: [0, 0, 0])
        )
        self._event_pks_by_split: dict[object, set[int]] = defaultdict(set)

    def add(
        self, split_key: object, event_pk: int, denominator: int, cell: StatisticsCell
    ) -> None:
        """Add a cell of an evening to the split with the key `split_key`, e.g. a seat."""
        cell_sums = self._sums_by_split[split_key][denominator]
        cell_sums[0] += cell[3]
        cell_sums[1] += cell[4]
        cell_sums[2] += cell[5]
        self._event_pks_by_split[split_key].add(event_pk)

    def list_splits(self) -> list[BoardSplit]:
        """Return all splits, sorted by their number of boards in descending order."""
        unsorted_splits = [self._build_split(split_key) for split_key in self._sums_by_split]
        return sorted(unsorted_splits, key=lambda split: -split.board_count)

    def _build_split(self, split_key: object) -> BoardSplit:
        sums_by_denominator = self._sums_by_split[split_key].items()
        return BoardSplit(
            split_key=split_key,
            evening_count=len(self._event_pks_by_split[split_key]),
            board_count=sum(sums[0] for _denominator, sums in sums_by_denominator),
            tricks_above=_sum_fractions(
                (sums[1], denominator) for denominator, sums in sums_by_denominator
            ),
            sum_of_squares=_sum_fractions(
                (sums[2], denominator * denominator)
                for denominator, sums in sums_by_denominator
            ),
        )


def _sum_fractions(fractions: Iterable[tuple[int, int]]) -> Fraction:
    numerators_and_denominators = list(fractions)
    common_denominator = (
        lcm(*(denominator for _numerator, denominator in numerators_and_denominators))
        if numerators_and_denominators
        else 1
    )
    return Fraction(
        sum(
            numerator * (common_denominator // denominator)
            for numerator, denominator in numerators_and_denominators
        ),
        common_denominator,
    )
