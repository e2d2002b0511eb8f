"""Comparison on each deal and side: the arithmetic that several methods share.

Such a method is a table for each deal and side: what so many tricks are worth there. Scores,
the figures beside each line and the explanations are all read from that one table, so they
cannot disagree.
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
"""What each number of tricks is worth on one deal and side; None is an average."""
Worths = dict[int, tuple[Worth, Worth]]
"""The tables of every deal: N-S, E-W."""


class Compared(NamedTuple):
    """How often each number of tricks counts on one deal and side."""

    counts: Counter[Tricks]
    averages: int
    """Lines that count as the average: in play, but never compared."""
    right: tuple[Tricks, ...] = ()
    """Where lines count as the average: the scores of the tables that rightly played."""

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
        """The exact mean of the compared scores; None where there is none."""
        if not self.counts:
            return None
        tricks = sum(value * times for value, times in self.counts.items())
        return Fraction(tricks, self.plays)

    @property
    def ruled(self) -> Fraction | None:
        """What a line counts that was ruled the average; None where nobody rightly played.

        As both sides' averages are of the same tables, they add to thirteen, in points to
        nothing (rules F6).
        """
        return Fraction(sum(self.right), len(self.right)) if self.right else None


OnDeals = dict[int, tuple[Compared, Compared]]
"""The scores of every deal: N-S, E-W."""


def compared(lines: Iterable[Line]) -> OnDeals:
    """Count the scores of each deal, N-S and E-W apart."""
    return {deal: _sides(on_deal) for deal, on_deal in by_deal(lines).items()}


def worths_by(
    value: Callable[[Compared], Worth], lines: Iterable[Line]
) -> dict[int, tuple[Worth, Worth]]:
    """Make the tables of every deal with a rule that looks at one deal and side."""
    return {deal: (value(ns), value(ew)) for deal, (ns, ew) in compared(lines).items()}


def total(lines: Iterable[Line], worths: Worths) -> dict[int, Fraction]:
    """Add up what each entry's lines are worth; partners are each credited with the whole."""
    sums, unit = tally(lines, worths)
    if unit == 1:
        return {entry: Fraction(score) for entry, score in sums.items()}
    return {entry: Fraction(score, unit) for entry, score in sums.items()}


def tally(lines: Iterable[Line], worths: Worths) -> tuple[dict[int, int], int]:
    """Add up scores in whole numbers of a common part; return also how many parts make one."""
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
    """Return what each line is worth to N-S and to E-W, in the order of the lines."""
    return [
        (worths[line.deal][0][line.ns_tricks], worths[line.deal][1][line.ew_tricks])
        for line in lines
    ]


def explainer(
    lines: Sequence[Line],
    worths: Worths,
    tell_stand: Callable[[Stand, Compared, Fraction], Step],
    words: Callable[[int], str],
) -> Callable[[int], Step]:
    """Explain any entry's score as the sum of its stands, read from the same tables.

    `words` says it for a number of deals.
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


def _sides(on_deal: Sequence[Line]) -> tuple[Compared, Compared]:
    ns, ew = _count([line[3] for line in on_deal]), _count([line[4] for line in on_deal])
    if not ns.averages:
        return ns, ew
    right = [(made, line.in_all) for line in on_deal if (made := line.rightly_made) is not None]
    return (
        ns._replace(right=tuple(sorted((made for made, _ in right), reverse=True))),
        ew._replace(right=tuple(sorted((all_ - made for made, all_ in right), reverse=True))),
    )


def _count(values: Iterable[Tricks | None]) -> Compared:
    found = Counter(values)
    averages = found.pop(None, 0)
    return Compared(cast(Counter[Tricks], found), averages)


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
