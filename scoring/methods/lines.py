"""One line of a traveller as arithmetic sees it: a result after rulings."""

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
"""An exact number of tricks: whole as a rule, a fraction where a ruling made it one.

Where points are counted it is those that a side won less those that it lost.
"""


DRAWN = 1000
"""From here on the key of a match names a round that was drawn: more than a session has."""


def is_drawn(match: int) -> bool:
    """Whether the key of a match names a round that was drawn, in which one meets one.

    Whoever met more than one there played a part of a match against each.
    """
    return match >= DRAWN


class AsCounted(Enum):
    """The table rightly made what its line counts."""

    RIGHT = "right"


AS_COUNTED = AsCounted.RIGHT


class Line(NamedTuple):
    """A result after rulings: who sat each way on a deal and what it counts for them.

    A named tuple, because a large event makes hundreds of thousands of them.
    """

    deal: int
    """Which deal is compared: lines with the same key are compared with each other."""
    ns: tuple[int, ...]
    """The entries that held the N-S cards: one for a pair or team, two for individuals."""
    ew: tuple[int, ...]
    ns_tricks: Tricks | None
    """What counts for N-S; None for an average: it adds nothing and moves no average.

    Where points are counted it is those won less those lost, and may lie below nothing.
    """
    ew_tricks: Tricks | None
    """`in_all` less the N-S tricks, but for a split score."""
    overplay: bool = False
    """Whether this is a later play of the deal: memory duplicate compares it with the first."""
    match: int = 0
    """Which match the line belongs to, where the same two entries play more than one."""
    right: Tricks | AsCounted | None = AS_COUNTED
    """What N-S rightly made, where a ruling let the line count something else; None where the
    table did not rightly play the deal. A ruled average is taken from it (rules F6)."""
    in_all: int = TRICKS
    """What both sides make together: thirteen tricks, or nothing where points are counted."""
    won: int | None = None
    """The points that N-S won, where a plain result says them; what E-W won is that less what
    counts for N-S."""

    @property
    def rightly_made(self) -> Tricks | None:
        """What N-S made, if the table rightly played the deal."""
        return self.ns_tricks if self.right is AsCounted.RIGHT else self.right

    @property
    def both_won(self) -> tuple[int | None, int | None]:
        """The points that N-S won, and those that E-W won, where a plain result says them."""
        if self.won is None or self.ns_tricks is None:
            return None, None
        return self.won, self.won - int(self.ns_tricks)


class Stand(NamedTuple):
    """One side of a line: what one pair, team or partnership has from one play of a deal."""

    deal: int
    side: Side
    entries: tuple[int, ...]
    opponents: tuple[int, ...]
    tricks: Tricks | None
    match: int = 0
    won: int | None = None
    """The points that the side won, where a plain result says them."""


def played(
    deal: int,
    ns: tuple[int, ...],
    ew: tuple[int, ...],
    ns_tricks: Tricks,
    in_all: int = TRICKS,
) -> Line:
    """Return the line of a plain result: the two sides share thirteen tricks, or `in_all`.

    Made straight as the tuple that it is: in a large event this is called as often as all else.
    """
    values = (deal, ns, ew, ns_tricks, in_all - ns_tricks, False, 0, AS_COUNTED, in_all, None)
    return tuple.__new__(Line, values)


def in_points(deal: int, ns: tuple[int, ...], ew: tuple[int, ...], won: int, lost: int) -> Line:
    """Return the line of a plain result in points: those that N-S won, and that it lost."""
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
    """Gather the stands of each entry, in the order of the lines."""
    own: dict[int, list[Stand]] = defaultdict(list)
    for stand in stands(lines):
        for entry in stand.entries:
            own[entry].append(stand)
    return dict(own)


def by_deal(lines: Iterable[Line]) -> dict[int, list[Line]]:
    """Gather the lines of each deal, in the order in which they came."""
    gathered: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        gathered[line[0]].append(line)
    return dict(gathered)


def boards_had(lines: Sequence[Line]) -> dict[int, int]:
    """Count the lines of each entry: the boards it had, an average one of them."""
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
    """Name a side as players write it: N-S or E-W."""
    return _("N-S") if side is Side.NS else _("E-W")
