"""Ranking: equal scores share a rank unless the event has tie-breaks."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby
from math import lcm

NOTHING = Fraction()
Figures = Callable[[Collection[int]], Mapping[int, Fraction]]
"""Returns a tie-break's value for each of the level entries; a higher value is better."""


@dataclass(frozen=True, slots=True)
class Placing:
    """One entry's place in a ranking; `tied` if another entry has the same rank."""

    rank: int
    tied: bool
    entry: int
    score: Fraction
    broken_by: str = ""
    """The tie-break that parted it from entries with its score; empty if none was needed."""


def rank(
    scores: Mapping[int, Fraction],
    *,
    by: Mapping[int, Fraction] | None = None,
    tie_breaks: Mapping[str, Figures] | None = None,
) -> list[Placing]:
    """Rank entries by score, highest first, and level entries by each tie-break in turn.

    `by` is the number by which they are ranked if it is not the score: a percentage where
    entries played unequal numbers of deals. Entries that are still level share the rank and are
    in the order of their numbers.
    """
    placings: list[Placing] = []
    breaks = tuple((tie_breaks or {}).items())
    for level in _levels(scores, scores if by is None else by):
        for broken_by, still_level in _parted(level, breaks, ""):
            first = len(placings) + 1
            placings += [
                Placing(
                    rank=first,
                    tied=len(still_level) > 1,
                    entry=entry,
                    score=scores[entry],
                    broken_by=broken_by,
                )
                for entry in still_level
            ]
    return placings


def overall(
    rankings: Iterable[Sequence[Placing]], *, by: Mapping[int, Fraction] | None = None
) -> list[int]:
    """Return the winners over all fields: the most above the own field, even with fewer tricks.

    `by` is the number by which entries are ranked if it is not the score.

    Source: Foster, Complete Hoyle, Duplicate Whist.
    """
    figures = {it.entry: it.score if by is None else by[it.entry] for it in chain(*rankings)}
    most = max(figures.values(), default=None)
    return sorted(entry for entry, figure in figures.items() if figure == most)


def settled(
    scores: Mapping[int, Fraction],
    *,
    losses: Mapping[int, Fraction] | None = None,
    carried: Mapping[int, Fraction] | None = None,
) -> dict[int, Fraction]:
    """Return the scores less the penalties, plus the scores carried over from before."""
    losses, carried = losses or {}, carried or {}
    return {
        entry: scores.get(entry, NOTHING)
        - losses.get(entry, NOTHING)
        + carried.get(entry, NOTHING)
        for entry in sorted({*scores, *losses, *carried})
    }


def carry_over(
    earlier: Iterable[Mapping[int, Fraction]], part: Fraction = Fraction(1)
) -> dict[int, Fraction]:
    """Add up earlier sessions' scores times `part`; by default the whole is carried over."""
    carried: dict[int, Fraction] = {}
    for scores in earlier:
        for entry, score in scores.items():
            carried[entry] = carried.get(entry, NOTHING) + score * part
    return carried


def _levels(entries: Iterable[int], figures: Mapping[int, Fraction]) -> list[list[int]]:
    """Group entries with equal values, the best group first.

    Values are compared as multiples of a common unit fraction: that sorts thousands of
    fractions ten times as fast.
    """
    own = {entry: figures.get(entry, NOTHING) for entry in sorted(entries)}
    whole = lcm(*{figure.denominator for figure in own.values()})
    worth = {
        entry: -figure.numerator * (whole // figure.denominator)
        for entry, figure in own.items()
    }
    order = sorted(own, key=worth.__getitem__)
    return [list(level) for _, level in groupby(order, key=worth.__getitem__)]


def _parted(
    level: list[int], breaks: Sequence[tuple[str, Figures]], broken_by: str
) -> list[tuple[str, list[int]]]:
    if len(level) == 1 or not breaks:
        return [(broken_by, level)]
    (name, figures), *rest = breaks
    parted = _levels(level, figures(level))
    decided = name if len(parted) > 1 else broken_by
    return [found for part in parted for found in _parted(part, rest, decided)]
