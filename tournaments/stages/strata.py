"""Strata: several rankings of one field, each with its own ranks but the same scores."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction


class StratumRule(StrEnum):
    """The rule which members of an entry decide its stratum."""

    HIGHER = "higher"
    LOWER = "lower"
    MEAN = "mean"


def find_stratum(
    ratings: Sequence[Fraction], lines: Sequence[tuple[str, Fraction]], rule: StratumRule
) -> str:
    """Return the stratum of an entry by its members' ratings.

    `lines` are the strata from the highest, each with its minimum rating; an entry below all
    minimums is in the last.
    """
    if not ratings:
        return lines[-1][0]
    rating = {
        StratumRule.HIGHER: max(ratings),
        StratumRule.LOWER: min(ratings),
        StratumRule.MEAN: sum(ratings, Fraction(0)) / len(ratings),
    }[rule]
    return next(
        (name for name, minimum_rating in lines if rating >= minimum_rating), lines[-1][0]
    )


def rank_strata(
    scores: Mapping[int, Fraction], strata: Mapping[int, str], names: Sequence[str]
) -> dict[str, list[tuple[int, int]]]:
    """Rank each stratum together with all below it: C only C, B with C, A all entries.

    Lists are (rank, id) by score; equal scores share a rank.
    """
    rankings = {}
    for at, name in enumerate(names):
        within = set(names[at:])
        ranked_entries = [entry for entry in scores if strata[entry] in within]
        rankings[name] = _rank_ids(ranked_entries, scores)
    return rankings


def _rank_ids(ids: Sequence[int], scores: Mapping[int, Fraction]) -> list[tuple[int, int]]:
    ordered = sorted(ids, key=lambda id_: (-scores[id_], id_))
    lines: list[tuple[int, int]] = []
    for place, id_ in enumerate(ordered, start=1):
        tied = bool(lines) and scores[lines[-1][1]] == scores[id_]
        lines.append((lines[-1][0] if tied else place, id_))
    return lines
