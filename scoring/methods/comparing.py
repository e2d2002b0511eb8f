"""Comparison on each deal and side: the arithmetic that several methods share.

Such a method is a table for each deal and side, with the value of each number of tricks.
Scores, the numbers beside each line and the explanations are all read from this one table, so
they cannot disagree.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple, cast

from boards.whist.seats import Side
from scoring.methods.lines import Line, Stand, Tricks, by_deal, stands_of
from scoring.methods.steps import Figure, Step

Worth = dict[Tricks | None, Fraction]
"""The value of each number of tricks on one deal and side; the key None is an average."""
Worths = dict[int, tuple[Worth, Worth]]
"""The values of every deal: N-S, E-W."""


class SideComparison(NamedTuple):
    """The number of tables that made each number of tricks, on one deal and side."""

    counts: Counter[Tricks]
    averages: int
    """The number of lines that count as the average: in play, but never compared."""
    right: tuple[Tricks, ...] = ()
    """The scores of tables that played validly; filled only if some line counts as the average.
    """

    @property
    def plays(self) -> int:
        """The number of scores that are compared."""
        return self.counts.total()

    @property
    def scores(self) -> tuple[Tricks, ...]:
        """The compared scores, most first."""
        return tuple(sorted(self.counts.elements(), reverse=True))

    @property
    def average(self) -> Fraction | None:
        """The exact mean of the compared scores; None without any."""
        if not self.counts:
            return None
        tricks = sum(value * times for value, times in self.counts.items())
        return Fraction(tricks, self.plays)

    @property
    def ruled(self) -> Fraction | None:
        """The value of a line that was ruled the average; None where no table played validly.

        Both sides' averages are of the same tables, so they add to thirteen, in points to zero
        (rules F6).
        """
        return Fraction(sum(self.right), len(self.right)) if self.right else None


OnDeals = dict[int, tuple[SideComparison, SideComparison]]
"""The scores of every deal: N-S, E-W."""


def compared(lines: Iterable[Line]) -> OnDeals:
    """Count the scores of each deal, separately for N-S and E-W."""
    return {deal: _sides(on_deal) for deal, on_deal in by_deal(lines).items()}


def worths_by(
    value: Callable[[SideComparison], Worth], lines: Iterable[Line]
) -> dict[int, tuple[Worth, Worth]]:
    """Compute the values of every deal with a function of one deal and side."""
    return {deal: (value(ns), value(ew)) for deal, (ns, ew) in compared(lines).items()}


def total(lines: Iterable[Line], worths: Worths) -> dict[int, Fraction]:
    """Add up the values of each entry's lines; each partner is credited with all of it."""
    sums, unit = tally(lines, worths)
    if unit == 1:
        return {entry: Fraction(score) for entry, score in sums.items()}
    return {entry: Fraction(score, unit) for entry, score in sums.items()}


def tally(lines: Iterable[Line], worths: Worths) -> tuple[dict[int, int], int]:
    """Add up scores in whole numbers of a common fraction; return sums and its denominator."""
    unit = lcm(*_denominators(worths))
    scaled = {deal: (_in(unit, ns), _in(unit, ew)) for deal, (ns, ew) in worths.items()}
    sums: dict[int, int] = defaultdict(int)
    for deal, ns, ew, ns_tricks, ew_tricks, *_ in lines:
        ns_worth, ew_worth = scaled[deal]
        for entry in ns:
            sums[entry] += ns_worth[ns_tricks]
        for entry in ew:
            sums[entry] += ew_worth[ew_tricks]
    return sums, unit


def parts(lines: Sequence[Line], worths: Worths) -> list[tuple[Fraction, Fraction]]:
    """Return the value of each line for N-S and for E-W, in the order of the lines."""
    return [
        (worths[line.deal][0][line.ns_tricks], worths[line.deal][1][line.ew_tricks])
        for line in lines
    ]


def explainer(
    lines: Sequence[Line],
    worths: Worths,
    tell_stand: Callable[[Stand, SideComparison, Fraction], Step],
    words: Callable[[int], str],
) -> Callable[[int], Step]:
    """Return a function that explains an entry's score as the sum over its lines.

    It reads the same tables as the score. `tell_stand` explains one line, `words` returns the
    sentence for a number of deals.
    """
    on_deals = compared(lines)
    own = stands_of(lines)

    def explain(entry: int) -> Step:
        steps = tuple(
            tell_stand(
                stand,
                on_deals[stand.deal][stand.side is Side.EW],
                worths[stand.deal][stand.side is Side.EW][stand.tricks],
            )
            for stand in own.get(entry, ())
        )
        amount = sum((step.amount for step in steps), Fraction())
        figures: dict[str, Figure] = {"score": amount, "deals": len(steps)}
        return Step(amount, words(len(steps)), figures, steps)

    return explain


def _sides(on_deal: Sequence[Line]) -> tuple[SideComparison, SideComparison]:
    ns, ew = _count([line[3] for line in on_deal]), _count([line[4] for line in on_deal])
    if not ns.averages:
        return ns, ew
    right = [(made, line.in_all) for line in on_deal if (made := line.rightly_made) is not None]
    return (
        ns._replace(right=tuple(sorted((made for made, _ in right), reverse=True))),
        ew._replace(right=tuple(sorted((all_ - made for made, all_ in right), reverse=True))),
    )


def _count(values: Iterable[Tricks | None]) -> SideComparison:
    found = Counter(values)
    averages = found.pop(None, 0)
    return SideComparison(cast(Counter[Tricks], found), averages)


def _denominators(worths: Worths) -> set[int]:
    return {
        worth.denominator
        for sides in worths.values()
        for side in sides
        for worth in side.values()
    }


def _in(unit: int, worth: Worth) -> dict[Tricks | None, int]:
    return {
        tricks: value.numerator * (unit // value.denominator) for tricks, value in worth.items()
    }
