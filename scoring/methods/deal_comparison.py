"""Comparison of the results on each deal and side, shared by several methods.

Such a method computes the value of each number of tricks, for each deal and side. Scores, the
values of single lines and explanations are all read from these values, so they cannot disagree.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple, cast

from boards.whist.seats import Side
from scoring.methods.result_line import (
    ResultLine,
    ResultSide,
    Tricks,
    group_lines_by_deal,
    group_result_sides_by_entry,
)
from scoring.methods.steps import PlaceholderValue, Step

ValueByTricks = dict[Tricks | None, Fraction]
"""The value of each number of tricks on one deal and side; the key None is an average."""
ValuesByDeal = dict[int, tuple[ValueByTricks, ValueByTricks]]
"""The values for N-S and for E-W on each deal."""


class SideComparison(NamedTuple):
    """How many tables made each number of tricks, on one deal and side."""

    table_counts_by_tricks: Counter[Tricks]
    average_ruling_count: int
    """The number of lines that count as the average. They are not compared with other lines."""
    valid_scores: tuple[Tricks, ...] = ()
    """The scores of tables that played validly; only set if some line counts as the average."""

    @property
    def score_count(self) -> int:
        """The number of scores that are compared."""
        return self.table_counts_by_tricks.total()

    @property
    def scores(self) -> tuple[Tricks, ...]:
        """The compared scores, highest first."""
        return tuple(sorted(self.table_counts_by_tricks.elements(), reverse=True))

    @property
    def average(self) -> Fraction | None:
        """The exact mean of the compared scores; None if there are none."""
        if not self.table_counts_by_tricks:
            return None
        trick_total = sum(
            tricks * table_count for tricks, table_count in self.table_counts_by_tricks.items()
        )
        return Fraction(trick_total, self.score_count)

    @property
    def ruled_average(self) -> Fraction | None:
        """The value of a line ruled the average; None if no table played validly.

        The averages of both sides come from the same tables, so they add up to thirteen, or in
        points to zero (rules F6).
        """
        return (
            Fraction(sum(self.valid_scores), len(self.valid_scores))
            if self.valid_scores
            else None
        )


ComparisonsByDeal = dict[int, tuple[SideComparison, SideComparison]]
"""The comparisons for N-S and for E-W on each deal."""


def compare_deals(result_lines: Iterable[ResultLine]) -> ComparisonsByDeal:
    """Count the scores of each deal, separately for N-S and E-W."""
    return {
        deal_number: _compare_sides(deal_lines)
        for deal_number, deal_lines in group_lines_by_deal(result_lines).items()
    }


def compute_values_by_deal(
    compute_side_values: Callable[[SideComparison], ValueByTricks],
    result_lines: Iterable[ResultLine],
) -> dict[int, tuple[ValueByTricks, ValueByTricks]]:
    """Return the result of `compute_side_values` for each deal, for N-S and for E-W."""
    return {
        deal_number: (compute_side_values(ns_comparison), compute_side_values(ew_comparison))
        for deal_number, (ns_comparison, ew_comparison) in compare_deals(result_lines).items()
    }


def add_up_values(
    result_lines: Iterable[ResultLine], values_by_deal: ValuesByDeal
) -> dict[int, Fraction]:
    """Add up the values of each entry's lines; each partner is credited with the full value."""
    numerators_by_entry, denominator = add_up_value_numerators(result_lines, values_by_deal)
    if denominator == 1:
        return {
            entry_number: Fraction(numerator)
            for entry_number, numerator in numerators_by_entry.items()
        }
    return {
        entry_number: Fraction(numerator, denominator)
        for entry_number, numerator in numerators_by_entry.items()
    }


def add_up_value_numerators(
    result_lines: Iterable[ResultLine], values_by_deal: ValuesByDeal
) -> tuple[dict[int, int], int]:
    """Add up the values of each entry's lines as integer numerators of a common denominator.

    Returns the sums by entry, and the denominator.
    """
    denominator = lcm(*_collect_denominators(values_by_deal))
    numerators_by_deal = {
        deal_number: (
            _convert_to_numerators(denominator, ns_values),
            _convert_to_numerators(denominator, ew_values),
        )
        for deal_number, (ns_values, ew_values) in values_by_deal.items()
    }
    numerators_by_entry: dict[int, int] = defaultdict(int)
    for deal_number, ns_entries, ew_entries, ns_tricks, ew_tricks, *_ in result_lines:
        ns_numerators_by_tricks, ew_numerators_by_tricks = numerators_by_deal[deal_number]
        for entry_number in ns_entries:
            numerators_by_entry[entry_number] += ns_numerators_by_tricks[ns_tricks]
        for entry_number in ew_entries:
            numerators_by_entry[entry_number] += ew_numerators_by_tricks[ew_tricks]
    return numerators_by_entry, denominator


def list_line_values(
    result_lines: Sequence[ResultLine], values_by_deal: ValuesByDeal
) -> list[tuple[Fraction, Fraction]]:
    """Return the value of each line for N-S and for E-W, in the order of the lines."""
    return [
        (
            values_by_deal[result_line.deal_number][0][result_line.ns_tricks],
            values_by_deal[result_line.deal_number][1][result_line.ew_tricks],
        )
        for result_line in result_lines
    ]


def build_explainer(
    result_lines: Sequence[ResultLine],
    values_by_deal: ValuesByDeal,
    explain_line: Callable[[ResultSide, SideComparison, Fraction], Step],
    format_total_sentence: Callable[[int], str],
) -> Callable[[int], Step]:
    """Return a function that explains an entry's score as the sum over its lines.

    It reads the same `values_by_deal` as the score. `explain_line` explains one result line.
    `format_total_sentence` returns the sentence for the total over a number of deals.
    """
    comparisons_by_deal = compare_deals(result_lines)
    result_sides_by_entry = group_result_sides_by_entry(result_lines)

    def explain_entry(entry_number: int) -> Step:
        steps = tuple(
            explain_line(
                result_side,
                comparisons_by_deal[result_side.deal_number][result_side.side is Side.EW],
                values_by_deal[result_side.deal_number][result_side.side is Side.EW][
                    result_side.tricks
                ],
            )
            for result_side in result_sides_by_entry.get(entry_number, ())
        )
        amount = sum((step.amount for step in steps), Fraction())
        placeholder_values: dict[str, PlaceholderValue] = {"score": amount, "deals": len(steps)}
        return Step(amount, format_total_sentence(len(steps)), placeholder_values, steps)

    return explain_entry


def _compare_sides(deal_lines: Sequence[ResultLine]) -> tuple[SideComparison, SideComparison]:
    ns_comparison, ew_comparison = (
        _build_comparison([result_line[3] for result_line in deal_lines]),
        _build_comparison([result_line[4] for result_line in deal_lines]),
    )
    if not ns_comparison.average_ruling_count:
        return ns_comparison, ew_comparison
    valid_scores = [
        (tricks, result_line.both_sides_total)
        for result_line in deal_lines
        if (tricks := result_line.validly_made_tricks) is not None
    ]
    return (
        ns_comparison._replace(
            valid_scores=tuple(sorted((tricks for tricks, _ in valid_scores), reverse=True))
        ),
        ew_comparison._replace(
            valid_scores=tuple(
                sorted(
                    (both_sides_total - tricks for tricks, both_sides_total in valid_scores),
                    reverse=True,
                )
            )
        ),
    )


def _build_comparison(tricks: Iterable[Tricks | None]) -> SideComparison:
    table_counts = Counter(tricks)
    average_ruling_count = table_counts.pop(None, 0)
    return SideComparison(cast(Counter[Tricks], table_counts), average_ruling_count)


def _collect_denominators(values_by_deal: ValuesByDeal) -> set[int]:
    return {
        value.denominator
        for side_values in values_by_deal.values()
        for value_by_tricks in side_values
        for value in value_by_tricks.values()
    }


def _convert_to_numerators(
    denominator: int, value_by_tricks: ValueByTricks
) -> dict[Tricks | None, int]:
    return {
        tricks: value.numerator * (denominator // value.denominator)
        for tricks, value in value_by_tricks.items()
    }
