"""Comparison of the results on each deal and side, shared by several methods.

Such a method is a table for each deal and side with the value of each number of tricks.
Scores, the numbers next to each line and the explanations are all read from this table, so
they cannot disagree.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple, cast

from boards.whist.seats import Side
from scoring.methods.result_line import (
    LineSide,
    ResultLine,
    Tricks,
    group_line_sides_by_entry,
    group_lines_by_deal,
)
from scoring.methods.steps import Figure, Step

ValueByTricks = dict[Tricks | None, Fraction]
"""The value of each number of tricks on one deal and side; the key None is an average."""
ValuesByDeal = dict[int, tuple[ValueByTricks, ValueByTricks]]
"""The values for N-S and for E-W on each deal."""


class SideComparison(NamedTuple):
    """How many tables made each number of tricks, on one deal and side."""

    counts: Counter[Tricks]
    averages: int
    """The number of lines that count as the average; they are in play, but never compared."""
    right: tuple[Tricks, ...] = ()
    """The scores of tables that played validly; only set if some line counts as the average."""

    @property
    def plays(self) -> int:
        """The number of scores that are compared."""
        return self.counts.total()

    @property
    def scores(self) -> tuple[Tricks, ...]:
        """The compared scores, highest first."""
        return tuple(sorted(self.counts.elements(), reverse=True))

    @property
    def average(self) -> Fraction | None:
        """The exact mean of the compared scores; None if there are none."""
        if not self.counts:
            return None
        tricks = sum(value * times for value, times in self.counts.items())
        return Fraction(tricks, self.plays)

    @property
    def ruled_average(self) -> Fraction | None:
        """The value of a line ruled the average; None if no table played validly.

        The averages of both sides come from the same tables, so they add up to thirteen, or in
        points to zero (rules F6).
        """
        return Fraction(sum(self.right), len(self.right)) if self.right else None


ComparisonsByDeal = dict[int, tuple[SideComparison, SideComparison]]
"""The comparisons for N-S and for E-W on each deal."""


def compare_deals(lines: Iterable[ResultLine]) -> ComparisonsByDeal:
    """Count the scores of each deal, separately for N-S and E-W."""
    return {
        deal: _compare_sides(deal_lines)
        for deal, deal_lines in group_lines_by_deal(lines).items()
    }


def compute_values_by_deal(
    value: Callable[[SideComparison], ValueByTricks], lines: Iterable[ResultLine]
) -> dict[int, tuple[ValueByTricks, ValueByTricks]]:
    """Apply a function of one deal and side to every deal and side."""
    return {deal: (value(ns), value(ew)) for deal, (ns, ew) in compare_deals(lines).items()}


def add_up_values(
    lines: Iterable[ResultLine], values_by_deal: ValuesByDeal
) -> dict[int, Fraction]:
    """Add up the values of each entry's lines; each partner is credited with the full value."""
    sums, unit = add_up_in_units(lines, values_by_deal)
    if unit == 1:
        return {entry: Fraction(score) for entry, score in sums.items()}
    return {entry: Fraction(score, unit) for entry, score in sums.items()}


def add_up_in_units(
    lines: Iterable[ResultLine], values_by_deal: ValuesByDeal
) -> tuple[dict[int, int], int]:
    """Add up values as integers in a common unit fraction; return the sums and the
    denominator.
    """
    unit = lcm(*_collect_denominators(values_by_deal))
    scaled_values = {
        deal: (_convert_to_units(unit, ns), _convert_to_units(unit, ew))
        for deal, (ns, ew) in values_by_deal.items()
    }
    sums: dict[int, int] = defaultdict(int)
    for deal, ns, ew, ns_tricks, ew_tricks, *_ in lines:
        ns_units, ew_units = scaled_values[deal]
        for entry in ns:
            sums[entry] += ns_units[ns_tricks]
        for entry in ew:
            sums[entry] += ew_units[ew_tricks]
    return sums, unit


def list_line_values(
    lines: Sequence[ResultLine], values_by_deal: ValuesByDeal
) -> list[tuple[Fraction, Fraction]]:
    """Return the value of each line for N-S and for E-W, in the order of the lines."""
    return [
        (
            values_by_deal[line.deal][0][line.ns_tricks],
            values_by_deal[line.deal][1][line.ew_tricks],
        )
        for line in lines
    ]


def build_explainer(
    lines: Sequence[ResultLine],
    values_by_deal: ValuesByDeal,
    explain_line: Callable[[LineSide, SideComparison, Fraction], Step],
    format_total: Callable[[int], str],
) -> Callable[[int], Step]:
    """Return a function that explains an entry's score as the sum over its lines.

    It reads the same tables as the score. `explain_line` explains one line, `format_total`
    returns the sentence for a number of deals.
    """
    comparisons = compare_deals(lines)
    line_sides_by_entry = group_line_sides_by_entry(lines)

    def explain(entry: int) -> Step:
        steps = tuple(
            explain_line(
                line_side,
                comparisons[line_side.deal][line_side.side is Side.EW],
                values_by_deal[line_side.deal][line_side.side is Side.EW][line_side.tricks],
            )
            for line_side in line_sides_by_entry.get(entry, ())
        )
        amount = sum((step.amount for step in steps), Fraction())
        figures: dict[str, Figure] = {"score": amount, "deals": len(steps)}
        return Step(amount, format_total(len(steps)), figures, steps)

    return explain


def _compare_sides(on_deal: Sequence[ResultLine]) -> tuple[SideComparison, SideComparison]:
    ns, ew = (
        _build_comparison([line[3] for line in on_deal]),
        _build_comparison([line[4] for line in on_deal]),
    )
    if not ns.averages:
        return ns, ew
    right = [
        (tricks, line.total)
        for line in on_deal
        if (tricks := line.validly_made_tricks) is not None
    ]
    return (
        ns._replace(right=tuple(sorted((tricks for tricks, _ in right), reverse=True))),
        ew._replace(
            right=tuple(sorted((total - tricks for tricks, total in right), reverse=True))
        ),
    )


def _build_comparison(values: Iterable[Tricks | None]) -> SideComparison:
    table_counts = Counter(values)
    averages = table_counts.pop(None, 0)
    return SideComparison(cast(Counter[Tricks], table_counts), averages)


def _collect_denominators(values_by_deal: ValuesByDeal) -> set[int]:
    return {
        value.denominator
        for sides in values_by_deal.values()
        for side in sides
        for value in side.values()
    }


def _convert_to_units(unit: int, value_by_tricks: ValueByTricks) -> dict[Tricks | None, int]:
    return {
        tricks: value.numerator * (unit // value.denominator)
        for tricks, value in value_by_tricks.items()
    }
