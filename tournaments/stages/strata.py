"""Strata: one field with several rankings. Each has its own ranks, but the same scores."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction


class Rule(StrEnum):
    """The rule which of an entry's members decides its stratum."""

    HIGHER = "higher"
    LOWER = "lower"
    MEAN = "mean"


def stratum_of(
    ratings: Sequence[Fraction], lines: Sequence[tuple[str, Fraction]], rule: Rule
) -> str:
    """Return the stratum of an entry by its members' ratings.

    `lines` are the strata from the highest, each with its minimum rating; an entry below all
    minimums is in the last.
    """
    if not ratings:
        return lines[-1][0]
    figure = {
        Rule.HIGHER: max(ratings),
        Rule.LOWER: min(ratings),
        Rule.MEAN: sum(ratings, Fraction(0)) / len(ratings),
    }[rule]
    return next((name for name, least in lines if figure >= least), lines[-1][0])


def rankings(
    scores: Mapping[int, Fraction], strata: Mapping[int, str], names: Sequence[str]
) -> dict[str, list[tuple[int, int]]]:
    """Rank each stratum together with all below it: C only C, B with C, A all entries.

    Lists are (rank, id) by score; equal scores share a rank.
    """
    found = {}
    for at, name in enumerate(names):
        within = set(names[at:])
        own = [each for each in scores if strata[each] in within]
        found[name] = _ranked(own, scores)
    return found


def _ranked(ids: Sequence[int], scores: Mapping[int, Fraction]) -> list[tuple[int, int]]:
    ordered = sorted(ids, key=lambda each: (-scores[each], each))
    lines: list[tuple[int, int]] = []
    for place, each in enumerate(ordered, start=1):
        tied = bool(lines) and scores[lines[-1][1]] == scores[each]
        lines.append((lines[-1][0] if tied else place, each))
    return lines
