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
from scoring.methods.result_line import LineSide, Tricks

DealSide = tuple[int, Side]
"""A deal, and the side whose cards an entry had on it."""


@dataclass(frozen=True, slots=True)
class _ComparableEntries:
    """Entries of one match number that had the same cards, each the same number of times."""

    place_counts: Mapping[DealSide, int]
    tricks: Mapping[int, Mapping[DealSide, Tricks]]
    """The tricks of each entry on each deal and side, added up over repeated plays."""

    def compute_totals(self, weights: Mapping[DealSide, int]) -> dict[int, Tricks]:
        """Add up each entry's tricks on some deals and sides, with weights."""
        return {
            entry: sum(tricks[place] * weight for place, weight in weights.items())
            for entry, tricks in self.tricks.items()
        }


def count_half_wins(line_sides: Iterable[LineSide]) -> dict[int, int]:
    """Count two for each match that an entry won, and one for each level match.

    Lines that count as the average are left out. Every side must have exactly one entry.
    """
    halves: dict[int, int] = defaultdict(int)
    for groups in _group_entries(line_sides):
        for field_entries in groups:
            _count_within(field_entries, halves)
        for (one_group, other), places in _list_common_places(groups).items():
            _count_between(groups[one_group], groups[other], places, halves)
    return dict(halves)


def _group_entries(line_sides: Iterable[LineSide]) -> list[list[_ComparableEntries]]:
    """Group the entries of each match number by the deals and sides that are compared."""
    times: dict[int, dict[int, dict[DealSide, int]]] = defaultdict(lambda: defaultdict(dict))
    tricks: dict[int, dict[int, dict[DealSide, Tricks]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for line_side in line_sides:
        if line_side.tricks is None:
            continue
        (entry,), place = line_side.entries, (line_side.deal, line_side.side)
        play_counts, tricks_taken = (
            times[line_side.match][entry],
            tricks[line_side.match][entry],
        )
        play_counts[place] = play_counts.get(place, 0) + 1
        tricks_taken[place] = tricks_taken.get(place, 0) + line_side.tricks
    return [_group_by_places(play_counts, tricks[key]) for key, play_counts in times.items()]


def _group_by_places(
    times: Mapping[int, Mapping[DealSide, int]], tricks: Mapping[int, Mapping[DealSide, Tricks]]
) -> list[_ComparableEntries]:
    entries_by_places: dict[frozenset[tuple[DealSide, int]], list[int]] = defaultdict(list)
    for entry, play_counts in times.items():
        entries_by_places[frozenset(play_counts.items())].append(entry)
    return [
        _ComparableEntries(times[entries[0]], {entry: tricks[entry] for entry in entries})
        for entries in entries_by_places.values()
    ]


def _list_common_places(
    groups: Sequence[_ComparableEntries],
) -> dict[tuple[int, int], list[DealSide]]:
    """List the deals and sides that are common to each two groups."""
    groups_by_place: dict[DealSide, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        for place in group.place_counts:
            groups_by_place[place].append(number)
    places_by_groups: dict[tuple[int, int], list[DealSide]] = defaultdict(list)
    for place, numbers in groups_by_place.items():
        for pair in combinations(numbers, 2):
            places_by_groups[pair].append(place)
    return places_by_groups


def _count_within(field_entries: _ComparableEntries, halves: dict[int, int]) -> None:
    totals = field_entries.compute_totals(field_entries.place_counts)
    order = sorted(totals.values())
    for entry, total in totals.items():
        halves[entry] += _count_half_wins_over(total, order) - 1  # less the match with itself


def _count_between(
    field_entries: _ComparableEntries,
    other: _ComparableEntries,
    places: Sequence[DealSide],
    halves: dict[int, int],
) -> None:
    one_totals = field_entries.compute_totals(
        {place: other.place_counts[place] for place in places}
    )
    other_totals = other.compute_totals(
        {place: field_entries.place_counts[place] for place in places}
    )
    for own_totals, compared_totals in ((one_totals, other_totals), (other_totals, one_totals)):
        order = sorted(compared_totals.values())
        for entry, total in own_totals.items():
            halves[entry] += _count_half_wins_over(total, order)


def _count_half_wins_over(total: Tricks, order: Sequence[Tricks]) -> int:
    """Count two for each number below a total and one for each equal number."""
    return bisect_left(order, total) + bisect_right(order, total)
