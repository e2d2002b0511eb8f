"""Ranking of entries; equal scores share a rank unless the event has tie-breaks."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import lcm

ZERO = Fraction()
TieBreakFunction = Callable[[Collection[int]], Mapping[int, Fraction]]
"""A function that returns a number for each of some tied entries; a higher one is better."""


@dataclass(frozen=True, slots=True)
class Placing:
    """One entry's place in a ranking; `is_tied` if another entry has the same rank."""

    rank: int
    is_tied: bool
    entry_number: int
    score: Fraction
    deciding_tie_break: str = ""
    """The tie-break that separated the entry from others with an equal score; "" if none was
    needed.
    """


def rank_entries(
    scores_by_entry: Mapping[int, Fraction],
    *,
    ranking_values_by_entry: Mapping[int, Fraction] | None = None,
    tie_breaks_by_name: Mapping[str, TieBreakFunction] | None = None,
) -> list[Placing]:
    """Rank entries by score, highest first; ties are broken by each tie-break in order.

    If `ranking_values_by_entry` are given, entries are ranked by these numbers, not by their
    scores: for example by percentages if they played unequal numbers of deals. Entries that are
    still tied share the rank, and are ordered by number.
    """
    placings: list[Placing] = []
    remaining_tie_breaks = tuple((tie_breaks_by_name or {}).items())
    for equal_entries in _group_entries_by_value(
        scores_by_entry,
        scores_by_entry if ranking_values_by_entry is None else ranking_values_by_entry,
    ):
        for deciding_tie_break, tied_entries in _split_tied_entries(
            equal_entries, remaining_tie_breaks, ""
        ):
            first_rank = len(placings) + 1
            placings += [
                Placing(
                    rank=first_rank,
                    is_tied=len(tied_entries) > 1,
                    entry_number=entry_number,
                    score=scores_by_entry[entry_number],
                    deciding_tie_break=deciding_tie_break,
                )
                for entry_number in tied_entries
            ]
    return placings


def add_penalties_and_carry_over(
    scores_by_entry: Mapping[int, Fraction],
    *,
    penalties_by_entry: Mapping[int, Fraction] | None = None,
    carry_overs_by_entry: Mapping[int, Fraction] | None = None,
) -> dict[int, Fraction]:
    """Return the scores less the penalties, plus the carried-over scores."""
    penalties_by_entry, carry_overs_by_entry = (
        penalties_by_entry or {},
        carry_overs_by_entry or {},
    )
    return {
        entry_number: scores_by_entry.get(entry_number, ZERO)
        - penalties_by_entry.get(entry_number, ZERO)
        + carry_overs_by_entry.get(entry_number, ZERO)
        for entry_number in sorted(
            {*scores_by_entry, *penalties_by_entry, *carry_overs_by_entry}
        )
    }


def compute_carry_over(
    earlier_scores: Iterable[Mapping[int, Fraction]], factor: Fraction = Fraction(1)
) -> dict[int, Fraction]:
    """Add up the scores of earlier sessions, multiplied by `factor`."""
    carried_scores_by_entry: dict[int, Fraction] = {}
    for scores_by_entry in earlier_scores:
        for entry_number, score in scores_by_entry.items():
            carried_scores_by_entry[entry_number] = (
                carried_scores_by_entry.get(entry_number, ZERO) + score * factor
            )
    return carried_scores_by_entry


def _group_entries_by_value(
    entries: Iterable[int], ranking_values_by_entry: Mapping[int, Fraction]
) -> list[list[int]]:
    """Group entries with equal values, the best group first.

    Values are compared as integer numerators of a common denominator, which sorts thousands
    of fractions ten times as fast.
    """
    values_by_entry = {
        entry_number: ranking_values_by_entry.get(entry_number, ZERO)
        for entry_number in sorted(entries)
    }
    denominator = lcm(*{value.denominator for value in values_by_entry.values()})
    units_by_entry = {
        entry_number: -value.numerator * (denominator // value.denominator)
        for entry_number, value in values_by_entry.items()
    }
    sorted_entries = sorted(values_by_entry, key=units_by_entry.__getitem__)
    return [
        list(tied_entries)
        for _, tied_entries in groupby(sorted_entries, key=units_by_entry.__getitem__)
    ]


def _split_tied_entries(
    tied_entries: list[int],
    tie_breaks: Sequence[tuple[str, TieBreakFunction]],
    last_tie_break: str,
) -> list[tuple[str, list[int]]]:
    if len(tied_entries) == 1 or not tie_breaks:
        return [(last_tie_break, tied_entries)]
    (tie_break_name, compute_values), *other_tie_breaks = tie_breaks
    entry_groups = _group_entries_by_value(tied_entries, compute_values(tied_entries))
    deciding_tie_break = tie_break_name if len(entry_groups) > 1 else last_tie_break
    return [
        tie_break_and_entries
        for entry_group in entry_groups
        for tie_break_and_entries in _split_tied_entries(
            entry_group, other_tie_breaks, deciding_tie_break
        )
    ]
