"""Ranking of entries; equal scores share a rank unless the event has tie-breaks."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby
from math import lcm

ZERO = Fraction()
TieBreakValues = Callable[[Collection[int]], Mapping[int, Fraction]]
"""Returns a tie-break's value for each of the level entries; a higher value is better."""


@dataclass(frozen=True, slots=True)
class Placing:
    """One entry's place in a ranking; `tied` if another entry has the same rank."""

    rank: int
    tied: bool
    entry: int
    score: Fraction
    deciding_tie_break: str = ""
    """The tie-break that separated it from entries with an equal score; "" if none was
    needed.
    """


def rank_entries(
    scores: Mapping[int, Fraction],
    *,
    by: Mapping[int, Fraction] | None = None,
    tie_breaks: Mapping[str, TieBreakValues] | None = None,
) -> list[Placing]:
    """Rank entries by score, highest first; ties are broken by each tie-break in order.

    `by` are the numbers by which they are ranked instead of the score, such as percentages of
    unequal numbers of deals. Entries that are still level share the rank, in the order of
    their numbers.
    """
    placings: list[Placing] = []
    remaining_tie_breaks = tuple((tie_breaks or {}).items())
    for level in _group_by_value(scores, scores if by is None else by):
        for tie_break, level_entries in _split_level_entries(level, remaining_tie_breaks, ""):
            first = len(placings) + 1
            placings += [
                Placing(
                    rank=first,
                    tied=len(level_entries) > 1,
                    entry=entry,
                    score=scores[entry],
                    deciding_tie_break=tie_break,
                )
                for entry in level_entries
            ]
    return placings


def find_overall_winners(
    rankings: Iterable[Sequence[Placing]], *, by: Mapping[int, Fraction] | None = None
) -> list[int]:
    """Return the entries with the most above their own field's average, over all fields.

    `by` are the numbers by which entries are ranked instead of the score.

    Source: Foster, Complete Hoyle, Duplicate Whist.
    """
    figures = {
        placing.entry: placing.score if by is None else by[placing.entry]
        for placing in chain(*rankings)
    }
    highest_value = max(figures.values(), default=None)
    return sorted(entry for entry, figure in figures.items() if figure == highest_value)


def add_penalties_and_carry_over(
    scores: Mapping[int, Fraction],
    *,
    losses: Mapping[int, Fraction] | None = None,
    carried: Mapping[int, Fraction] | None = None,
) -> dict[int, Fraction]:
    """Return the scores less the penalties, plus the carried-over scores."""
    losses, carried = losses or {}, carried or {}
    return {
        entry: scores.get(entry, ZERO) - losses.get(entry, ZERO) + carried.get(entry, ZERO)
        for entry in sorted({*scores, *losses, *carried})
    }


def compute_carry_over(
    earlier: Iterable[Mapping[int, Fraction]], part: Fraction = Fraction(1)
) -> dict[int, Fraction]:
    """Add up the scores of earlier sessions, multiplied by `part`."""
    carried_scores: dict[int, Fraction] = {}
    for scores in earlier:
        for entry, score in scores.items():
            carried_scores[entry] = carried_scores.get(entry, ZERO) + score * part
    return carried_scores


def _group_by_value(entries: Iterable[int], figures: Mapping[int, Fraction]) -> list[list[int]]:
    """Group entries with equal values, the best group first.

    Values are compared as integers in a common unit fraction, which sorts thousands of
    fractions ten times as fast.
    """
    values_by_entry = {entry: figures.get(entry, ZERO) for entry in sorted(entries)}
    denominator = lcm(*{figure.denominator for figure in values_by_entry.values()})
    units = {
        entry: -figure.numerator * (denominator // figure.denominator)
        for entry, figure in values_by_entry.items()
    }
    order = sorted(values_by_entry, key=units.__getitem__)
    return [list(level) for _, level in groupby(order, key=units.__getitem__)]


def _split_level_entries(
    level: list[int], tie_breaks: Sequence[tuple[str, TieBreakValues]], broken_by: str
) -> list[tuple[str, list[int]]]:
    if len(level) == 1 or not tie_breaks:
        return [(broken_by, level)]
    (name, figures), *other_tie_breaks = tie_breaks
    groups = _group_by_value(level, figures(level))
    deciding_tie_break = name if len(groups) > 1 else broken_by
    return [
        result_group
        for part in groups
        for result_group in _split_level_entries(part, other_tie_breaks, deciding_tie_break)
    ]
