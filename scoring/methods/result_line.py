"""A result line: one play of a deal after rulings, the input of the arithmetic."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods.counting import TRICKS_PER_DEAL

Tricks = Fraction | int
"""An exact number of tricks: an integer, or a fraction set by a ruling.

Where points are counted, it is the points that a side won less those it lost.
"""


MIN_DRAWN_ROUND_MATCH_KEY = 1000
"""The lowest match key of a drawn round; larger than the number of rounds of any session."""


def is_drawn_round_match(match_number: int) -> bool:
    """Return whether a match key belongs to a drawn round, in which each entry has one
    opponent.

    An entry with several opponents in such a round played a part of a match against each.
    """
    return match_number >= MIN_DRAWN_ROUND_MATCH_KEY


class SameAsCountedSentinel(Enum):
    """The type of `SAME_AS_COUNTED`, the default of `ResultLine.valid_tricks`.

    It means that the tricks made are the tricks that count.
    """

    SAME_AS_COUNTED = "right"


SAME_AS_COUNTED = SameAsCountedSentinel.SAME_AS_COUNTED


class ResultLine(NamedTuple):
    """A result after rulings: the entries of each side on a deal, and their values.

    It is a named tuple, because a large event has hundreds of thousands of them.
    """

    deal_number: int
    """The compared deal: lines with the same key are compared with each other."""
    ns_entries: tuple[int, ...]
    """The entries that had the N-S cards: one for a pair or team, two for individuals."""
    ew_entries: tuple[int, ...]
    ns_tricks: Tricks | None
    """The value for N-S; None for an average, which adds nothing and changes no average.

    Where points are counted it is points won less points lost, and may be negative.
    """
    ew_tricks: Tricks | None
    """`both_sides_total` less the N-S tricks, except for a split score."""
    is_overplay: bool = False
    """Whether this is a later play of the deal, which memory duplicate compares with the
    first.
    """
    match_number: int = 0
    """The number of the match, if the same two entries play several matches."""
    valid_tricks: Tricks | SameAsCountedSentinel | None = SAME_AS_COUNTED
    """The tricks that N-S validly made, if a ruling makes another number count.

    None if the table did not validly play the deal. A ruled average is computed from this
    value (rules F6).
    """
    both_sides_total: int = TRICKS_PER_DEAL
    """The sum of both sides: thirteen tricks, or zero where points are counted."""
    points_won: int | None = None
    """The points that N-S won, if the line is a plain result.

    The points that E-W won are this number less the value for N-S.
    """

    @property
    def validly_made_tricks(self) -> Tricks | None:
        """The value that N-S made, if the table validly played the deal."""
        return (
            self.ns_tricks
            if self.valid_tricks is SameAsCountedSentinel.SAME_AS_COUNTED
            else self.valid_tricks
        )

    @property
    def points_won_by_side(self) -> tuple[int | None, int | None]:
        """The points that N-S and E-W won; (None, None) for tricks and for ruled results."""
        if self.points_won is None or self.ns_tricks is None:
            return None, None
        return self.points_won, self.points_won - int(self.ns_tricks)


class ResultSide(NamedTuple):
    """One side of a result line: the value for one pair, team or partnership."""

    deal_number: int
    side: Side
    entries: tuple[int, ...]
    opponents: tuple[int, ...]
    tricks: Tricks | None
    match_number: int = 0
    points_won: int | None = None
    """The points that the side won, if the line is a plain result."""


def build_plain_line(
    deal_number: int,
    ns_entries: tuple[int, ...],
    ew_entries: tuple[int, ...],
    ns_tricks: Tricks,
    both_sides_total: int = TRICKS_PER_DEAL,
) -> ResultLine:
    """Return the line of a plain result; the sides share 13 tricks, or `both_sides_total`.

    The tuple is created directly for speed: in a large event this is the most frequent call.
    """
    field_values = (
        deal_number,
        ns_entries,
        ew_entries,
        ns_tricks,
        both_sides_total - ns_tricks,
        False,
        0,
        SAME_AS_COUNTED,
        both_sides_total,
        None,
    )
    return tuple.__new__(ResultLine, field_values)


def build_average_line(
    deal_number: int, ns_entries: tuple[int, ...], ew_entries: tuple[int, ...]
) -> ResultLine:
    """Return the line of a deal that counts as the average for both sides."""
    return ResultLine(deal_number, ns_entries, ew_entries, None, None)


def iter_result_sides(result_lines: Iterable[ResultLine]) -> Iterator[ResultSide]:
    """Yield the two sides of every line, N-S first."""
    for result_line in result_lines:
        ns_points_won, ew_points_won = result_line.points_won_by_side
        yield ResultSide(
            result_line.deal_number,
            Side.NS,
            result_line.ns_entries,
            result_line.ew_entries,
            result_line.ns_tricks,
            result_line.match_number,
            ns_points_won,
        )
        yield ResultSide(
            result_line.deal_number,
            Side.EW,
            result_line.ew_entries,
            result_line.ns_entries,
            result_line.ew_tricks,
            result_line.match_number,
            ew_points_won,
        )


def group_result_sides_by_entry(
    result_lines: Iterable[ResultLine],
) -> dict[int, list[ResultSide]]:
    """Group the sides of lines by entry, in the order of the lines."""
    result_sides_by_entry: dict[int, list[ResultSide]] = defaultdict(list)
    for result_side in iter_result_sides(result_lines):
        for entry_number in result_side.entries:
            result_sides_by_entry[entry_number].append(result_side)
    return dict(result_sides_by_entry)


def group_lines_by_deal(result_lines: Iterable[ResultLine]) -> dict[int, list[ResultLine]]:
    """Group the lines by deal; the lines of a deal keep their order."""
    lines_by_deal: dict[int, list[ResultLine]] = defaultdict(list)
    for result_line in result_lines:
        lines_by_deal[result_line[0]].append(result_line)
    return dict(lines_by_deal)


def count_boards(result_lines: Sequence[ResultLine]) -> dict[int, int]:
    """Count the lines of each entry, including averages."""
    line_counts_by_entries = Counter(map(itemgetter(1), result_lines)) + Counter(
        map(itemgetter(2), result_lines)
    )
    board_counts_by_entry: dict[int, int] = defaultdict(int)
    for entries, line_count in line_counts_by_entries.items():
        for entry_number in entries:
            board_counts_by_entry[entry_number] += line_count
    return board_counts_by_entry


def list_entries(result_lines: Iterable[ResultLine]) -> list[int]:
    """List the numbers of all entries that have a line, in ascending order."""
    return sorted(
        {
            entry_number
            for result_line in result_lines
            for entry_number in (*result_line.ns_entries, *result_line.ew_entries)
        }
    )


def format_side(side: Side) -> str:
    """Return the name of a side as players write it: N-S or E-W."""
    return _("N-S") if side is Side.NS else _("E-W")
