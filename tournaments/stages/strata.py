"""Strata: several rankings of one field, each with its own ranks but the same scores."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction


class StratumRule(StrEnum):
    """The rule by which the members' ratings decide the stratum of an entry."""

    HIGHER_RATING = "higher"
    LOWER_RATING = "lower"
    MEAN_RATING = "mean"


def find_stratum(
    ratings: Sequence[Fraction],
    names_and_minimums: Sequence[tuple[str, Fraction]],
    rule: StratumRule,
) -> str:
    """Return the stratum of an entry by its members' ratings.

    `names_and_minimums` has the name and minimum rating of each stratum, the highest first. An
    entry below all minimums is in the last stratum.
    """
    if not ratings:
        return names_and_minimums[-1][0]
    rating = {
        StratumRule.HIGHER_RATING: max(ratings),
        StratumRule.LOWER_RATING: min(ratings),
        StratumRule.MEAN_RATING: sum(ratings, Fraction(0)) / len(ratings),
    }[rule]
    return next(
        (name for name, minimum_rating in names_and_minimums if rating >= minimum_rating),
        names_and_minimums[-1][0],
    )


def rank_strata(
    scores_by_entry: Mapping[int, Fraction],
    stratum_by_entry: Mapping[int, str],
    stratum_names: Sequence[str],
) -> dict[str, list[tuple[int, int]]]:
    """Rank each stratum together with all lower strata: A ranks all, B ranks B and C.

    Returns lists of (rank, id) in order of score. Equal scores share a rank.
    """
    rankings_by_stratum = {}
    for index, name in enumerate(stratum_names):
        eligible_strata = set(stratum_names[index:])
        ranked_entries = [
            entry_id
            for entry_id in scores_by_entry
            if stratum_by_entry[entry_id] in eligible_strata
        ]
        rankings_by_stratum[name] = _rank_ids(ranked_entries, scores_by_entry)
    return rankings_by_stratum


def _rank_ids(
    entry_ids: Sequence[int], scores_by_entry: Mapping[int, Fraction]
) -> list[tuple[int, int]]:
    sorted_ids = sorted(entry_ids, key=lambda id_: (-scores_by_entry[id_], id_))
    ranked_lines: list[tuple[int, int]] = []
    for rank, id_ in enumerate(sorted_ids, start=1):
        is_tied = (
            bool(ranked_lines) and scores_by_entry[ranked_lines[-1][1]] == scores_by_entry[id_]
        )
        ranked_lines.append((ranked_lines[-1][0] if is_tied else rank, id_))
    return ranked_lines
