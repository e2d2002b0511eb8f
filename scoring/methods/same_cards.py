"""Fast counting of matches, by sorting the entries that had the same deals.

In a Mitchell movement every pair of a field has the same cards, so every two pairs have a
match. Between two pairs that were compared on the same deals, the one with more tricks wins.
Therefore the order of their totals shows how many matches each has won.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from boards.whist.seats import Side
from scoring.methods.result_line import ResultSide, Tricks

DealSide = tuple[int, Side]
"""A deal, and the side whose cards an entry had on it."""


@dataclass(frozen=True, slots=True)
class _ComparableEntries:
    """Entries of one match number that had the same cards, each the same number of times."""

    deal_side_counts: Mapping[DealSide, int]
    tricks_by_entry: Mapping[int, Mapping[DealSide, Tricks]]
    """The tricks of each entry on each deal and side, added up over repeated plays."""

    def compute_totals(self, weights_by_deal_side: Mapping[DealSide, int]) -> dict[int, Tricks]:
        """Add up each entry's tricks on some deals and sides, with weights."""
        return {
            entry_number: sum(
                tricks_by_deal_side[deal_side] * weight
                for deal_side, weight in weights_by_deal_side.items()
            )
            for entry_number, tricks_by_deal_side in self.tricks_by_entry.items()
        }


def count_half_wins(result_sides: Iterable[ResultSide]) -> dict[int, int]:
    """Count two for each match that an entry won, and one for each level match.

    Lines that count as the average are left out. Every side must have exactly one entry.
    """
    half_wins_by_entry: dict[int, int] = defaultdict(int)
    for entry_groups in _group_entries(result_sides):
        for entry_group in entry_groups:
            _count_wins_within_group(entry_group, half_wins_by_entry)
        for (first_index, second_index), deal_sides in _list_common_deal_sides(
            entry_groups
        ).items():
            _count_wins_between_groups(
                entry_groups[first_index],
                entry_groups[second_index],
                deal_sides,
                half_wins_by_entry,
            )
    return dict(half_wins_by_entry)


def _group_entries(result_sides: Iterable[ResultSide]) -> list[list[_ComparableEntries]]:
    """Group the entries of each match number by the deals and sides that are compared."""
    play_counts_by_match: dict[int, dict[int, dict[DealSide, int]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    tricks_by_match: dict[int, dict[int, dict[DealSide, Tricks]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for result_side in result_sides:
        if result_side.tricks is None:
            continue
        (entry_number,), deal_side = (
            result_side.entries,
            (result_side.deal_number, result_side.side),
        )
        play_counts_by_deal_side, tricks_by_deal_side = (
            play_counts_by_match[result_side.match_number][entry_number],
            tricks_by_match[result_side.match_number][entry_number],
        )
        play_counts_by_deal_side[deal_side] = play_counts_by_deal_side.get(deal_side, 0) + 1
        tricks_by_deal_side[deal_side] = (
            tricks_by_deal_side.get(deal_side, 0) + result_side.tricks
        )
    return [
        _group_by_deal_sides(play_counts_by_deal_side, tricks_by_match[match_number])
        for match_number, play_counts_by_deal_side in play_counts_by_match.items()
    ]


def _group_by_deal_sides(
    play_counts_by_entry: Mapping[int, Mapping[DealSide, int]],
    tricks_by_entry: Mapping[int, Mapping[DealSide, Tricks]],
) -> list[_ComparableEntries]:
    entries_by_deal_sides: dict[frozenset[tuple[DealSide, int]], list[int]] = defaultdict(list)
    for entry_number, play_counts_by_deal_side in play_counts_by_entry.items():
        entries_by_deal_sides[frozenset(play_counts_by_deal_side.items())].append(entry_number)
    return [
        _ComparableEntries(
            play_counts_by_entry[entries[0]],
            {entry_number: tricks_by_entry[entry_number] for entry_number in entries},
        )
        for entries in entries_by_deal_sides.values()
    ]


def _list_common_deal_sides(
    entry_groups: Sequence[_ComparableEntries],
) -> dict[tuple[int, int], list[DealSide]]:
    """List the deals and sides that are common to each two groups."""
    indexes_by_deal_side: dict[DealSide, list[int]] = defaultdict(list)
    for group_index, entry_group in enumerate(entry_groups):
        for deal_side in entry_group.deal_side_counts:
            indexes_by_deal_side[deal_side].append(group_index)
    deal_sides_by_indexes: dict[tuple[int, int], list[DealSide]] = defaultdict(list)
    for deal_side, group_indexes in indexes_by_deal_side.items():
        for index_pair in combinations(group_indexes, 2):
            deal_sides_by_indexes[index_pair].append(deal_side)
    return deal_sides_by_indexes


def _count_wins_within_group(
    entry_group: _ComparableEntries, half_wins_by_entry: dict[int, int]
) -> None:
    totals_by_entry = entry_group.compute_totals(entry_group.deal_side_counts)
    sorted_totals = sorted(totals_by_entry.values())
    for entry_number, total in totals_by_entry.items():
        # The entry's level match with itself is subtracted.
        half_wins_by_entry[entry_number] += _count_half_wins(total, sorted_totals) - 1


def _count_wins_between_groups(
    first_group: _ComparableEntries,
    second_group: _ComparableEntries,
    deal_sides: Sequence[DealSide],
    half_wins_by_entry: dict[int, int],
) -> None:
    first_group_totals_by_entry = first_group.compute_totals(
        {deal_side: second_group.deal_side_counts[deal_side] for deal_side in deal_sides}
    )
    second_group_totals_by_entry = second_group.compute_totals(
        {deal_side: first_group.deal_side_counts[deal_side] for deal_side in deal_sides}
    )
    for own_totals_by_entry, compared_totals_by_entry in (
        (first_group_totals_by_entry, second_group_totals_by_entry),
        (second_group_totals_by_entry, first_group_totals_by_entry),
    ):
        sorted_totals = sorted(compared_totals_by_entry.values())
        for entry_number, total in own_totals_by_entry.items():
            half_wins_by_entry[entry_number] += _count_half_wins(total, sorted_totals)


def _count_half_wins(total: Tricks, sorted_totals: Sequence[Tricks]) -> int:
    """Count two for each number below a total and one for each equal number."""
    return bisect_left(sorted_totals, total) + bisect_right(sorted_totals, total)
