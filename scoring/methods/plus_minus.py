"""Plus and minus: the tricks above or below the average, deal by deal and side by side."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from scoring.methods.lines import Line
from scoring.methods.method import Method


def plus_minus(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each entry by the tricks it has above or below its side's average on each deal.

    Guarantee: over all the lines the plusses and minusses add to nothing.
    A line that counts as the average adds nothing and does not move the average.
    """
    averages = side_averages(lines)
    shares = {average.denominator for pair in averages.values() for average in pair if average}
    shares |= {
        tricks.denominator
        for line in lines
        for tricks in (line.ns_tricks, line.ew_tricks)
        if tricks is not None
    }
    unit = lcm(*shares)
    means = {deal: (_in(unit, ns), _in(unit, ew)) for deal, (ns, ew) in averages.items()}
    scores: dict[int, int] = defaultdict(int)
    for line in lines:
        ns_mean, ew_mean = means[line.deal]
        for entries, tricks, mean in (
            (line.ns, line.ns_tricks, ns_mean),
            (line.ew, line.ew_tricks, ew_mean),
        ):
            plus = 0 if tricks is None else _in(unit, tricks) - mean
            for entry in entries:
                scores[entry] += plus
    return {entry: Fraction(score, unit) for entry, score in scores.items()}


def side_averages(lines: Sequence[Line]) -> dict[int, tuple[Fraction | None, Fraction | None]]:
    """Return each deal's average N-S and E-W tricks; None where nobody's tricks count."""
    gathered: dict[int, tuple[list[Fraction], list[Fraction]]] = {}
    for line in lines:
        ns, ew = gathered.setdefault(line.deal, ([], []))
        if line.ns_tricks is not None:
            ns.append(line.ns_tricks)
        if line.ew_tricks is not None:
            ew.append(line.ew_tricks)
    return {deal: (_mean(ns), _mean(ew)) for deal, (ns, ew) in gathered.items()}


def _mean(tricks: list[Fraction]) -> Fraction | None:
    return Fraction(sum(tricks), len(tricks)) if tricks else None


def _in(unit: int, amount: Fraction | None) -> int:
    """Turn an amount into whole parts of which `unit` make one trick."""
    return 0 if amount is None else amount.numerator * (unit // amount.denominator)


METHOD = Method(
    name="plus_minus",
    title="Plus and minus",
    unit="tricks above the average",
    source="Foster, Complete Hoyle; The Standard Hoyle (1912), Duplicate Bridge",
    guarantee="The plusses and minusses of all entries add to nothing.",
    contests=("pairs", "teams", "individual"),
    score=plus_minus,
)
