"""One line of a traveller, the input of the arithmetic: a result after rulings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods.counting import TRICKS

Tricks = Fraction | int
"""An exact number of tricks: usually whole, a fraction where a ruling made it one.

Where points are counted it is the points that a side won less those that it lost.
"""


DRAWN = 1000
"""The lowest match key of a drawn round; larger than any number of rounds in a session."""


def is_drawn(match: int) -> bool:
    """Return whether the key of a match belongs to a drawn round, with one opponent each.

    An entry with several opponents in such a round played a part of a match against each.
    """
    return match >= DRAWN


class AsCounted(Enum):
    """The default of `Line.right`: the table validly made what its line counts."""

    RIGHT = "right"


AS_COUNTED = AsCounted.RIGHT


class Line(NamedTuple):
    """A result after rulings: the entries of each side on a deal, and what it counts for them.

    A named tuple, because a large event makes hundreds of thousands of them.
    """

    deal: int
    """The compared deal: lines with the same key are compared with each other."""
    ns: tuple[int, ...]
    """The entries that had the N-S cards: one for a pair or team, two for individuals."""
    ew: tuple[int, ...]
    ns_tricks: Tricks | None
    """The value for N-S; None for an average: it adds nothing and moves no average.

    Where points are counted it is points won less points lost, and may be negative.
    """
    ew_tricks: Tricks | None
    """`in_all` less the N-S tricks, except for a split score."""
    overplay: bool = False
    """Whether this is a later play of the deal: memory duplicate compares it with the first."""
    match: int = 0
    """The number of the match, where the same two entries play more than one."""
    right: Tricks | AsCounted | None = AS_COUNTED
    """The tricks that N-S validly made, where a ruling let the line count something else.

    None where the table did not validly play the deal. A ruled average is computed from this
    value (rules F6).
    """
    in_all: int = TRICKS
    """The sum of both sides: thirteen tricks, or zero where points are counted."""
    won: int | None = None
    """The points that N-S won, if the line is a plain result.

    The points that E-W won are this number less the value for N-S.
    """

    @property
    def rightly_made(self) -> Tricks | None:
        """The value that N-S made, if the table validly played the deal."""
        return self.ns_tricks if self.right is AsCounted.RIGHT else self.right

    @property
    def both_won(self) -> tuple[int | None, int | None]:
        """The points that N-S and E-W won, if the line is a plain result."""
        if self.won is None or self.ns_tricks is None:
            return None, None
        return self.won, self.won - int(self.ns_tricks)


class Stand(NamedTuple):
    """One side of a line: the value for one pair, team or partnership of one play of a deal."""

    deal: int
    side: Side
    entries: tuple[int, ...]
    opponents: tuple[int, ...]
    tricks: Tricks | None
    match: int = 0
    won: int | None = None
    """The points that the side won, if the line is a plain result."""


def played(
    deal: int,
    ns: tuple[int, ...],
    ew: tuple[int, ...],
    ns_tricks: Tricks,
    in_all: int = TRICKS,
) -> Line:
    """Return the line of a plain result: the two sides share thirteen tricks, or `in_all`.

    The tuple is created directly for speed: a large event calls this as often as all else.
    """
    values = (deal, ns, ew, ns_tricks, in_all - ns_tricks, False, 0, AS_COUNTED, in_all, None)
    return tuple.__new__(Line, values)


def in_points(deal: int, ns: tuple[int, ...], ew: tuple[int, ...], won: int, lost: int) -> Line:
    """Return the line of a plain result in points: those N-S won and those it lost."""
    return Line(deal, ns, ew, won - lost, lost - won, in_all=0, won=won)


def averaged(deal: int, ns: tuple[int, ...], ew: tuple[int, ...]) -> Line:
    """Return the line of a deal that counts as the average for both sides."""
    return Line(deal, ns, ew, None, None)


def stands(lines: Iterable[Line]) -> Iterator[Stand]:
    """Yield the two sides of every line, N-S first."""
    for line in lines:
        ns_won, ew_won = line.both_won
        yield Stand(line.deal, Side.NS, line.ns, line.ew, line.ns_tricks, line.match, ns_won)
        yield Stand(line.deal, Side.EW, line.ew, line.ns, line.ew_tricks, line.match, ew_won)


def stands_of(lines: Iterable[Line]) -> dict[int, list[Stand]]:
    """Group the sides of lines by entry, in the order of the lines."""
    own: dict[int, list[Stand]] = defaultdict(list)
    for stand in stands(lines):
        for entry in stand.entries:
            own[entry].append(stand)
    return dict(own)


def by_deal(lines: Iterable[Line]) -> dict[int, list[Line]]:
    """Group the lines by deal, in their order."""
    gathered: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        gathered[line[0]].append(line)
    return dict(gathered)


def boards_had(lines: Sequence[Line]) -> dict[int, int]:
    """Count the lines of each entry: its boards, averages included."""
    sides = Counter(map(itemgetter(1), lines)) + Counter(map(itemgetter(2), lines))
    had: dict[int, int] = defaultdict(int)
    for entries, times in sides.items():
        for entry in entries:
            had[entry] += times
    return had


def entries_of(lines: Iterable[Line]) -> list[int]:
    """List every entry that has a line, lowest number first."""
    return sorted({entry for line in lines for entry in (*line.ns, *line.ew)})


def side_name(side: Side) -> str:
    """Return the name of a side as players write it: N-S or E-W."""
    return _("N-S") if side is Side.NS else _("E-W")
