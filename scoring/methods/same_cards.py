"""Matches counted without listing each of them: by sorting entries that had the same deals.

In a compass every pair of a field has the same cards, so every two pairs have a match. Between
two pairs that were compared on the same deals the one with more tricks wins. So the order of
their totals shows how many matches each has won.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from boards.whist.seats import Side
from scoring.methods.lines import Stand, Tricks

Place = tuple[int, Side]
"""A deal and a side whose cards an entry had."""


@dataclass(frozen=True, slots=True)
class _Alike:
    """Entries of one match number that had the same cards, each place equally often."""

    times: Mapping[Place, int]
    tricks: Mapping[int, Mapping[Place, Tricks]]
    """The tricks of each entry in each place, added up if it was there more than once."""

    def totals(self, weights: Mapping[Place, int]) -> dict[int, Tricks]:
        """Add up each entry's tricks in some places, weighted."""
        return {
            entry: sum(taken[place] * weight for place, weight in weights.items())
            for entry, taken in self.tricks.items()
        }


def halves_won(stands: Iterable[Stand]) -> dict[int, int]:
    """Count two for each match that an entry won and one for each level match.

    Lines that count as the average are left out. Every side must have one entry.
    """
    halves: dict[int, int] = defaultdict(int)
    for groups in _gathered(stands):
        for each in groups:
            _count_within(each, halves)
        for (one, other), places in _shared(groups).items():
            _count_between(groups[one], groups[other], places, halves)
    return dict(halves)


def _gathered(stands: Iterable[Stand]) -> list[list[_Alike]]:
    """Group the entries of each match number by the places in which they were compared."""
    times: dict[int, dict[int, dict[Place, int]]] = defaultdict(lambda: defaultdict(dict))
    tricks: dict[int, dict[int, dict[Place, Tricks]]] = defaultdict(lambda: defaultdict(dict))
    for stand in stands:
        if stand.tricks is None:
            continue
        (entry,), place = stand.entries, (stand.deal, stand.side)
        often, taken = times[stand.match][entry], tricks[stand.match][entry]
        often[place] = often.get(place, 0) + 1
        taken[place] = taken.get(place, 0) + stand.tricks
    return [_alike(often, tricks[key]) for key, often in times.items()]


def _alike(
    times: Mapping[int, Mapping[Place, int]], tricks: Mapping[int, Mapping[Place, Tricks]]
) -> list[_Alike]:
    together: dict[frozenset[tuple[Place, int]], list[int]] = defaultdict(list)
    for entry, often in times.items():
        together[frozenset(often.items())].append(entry)
    return [
        _Alike(times[entries[0]], {entry: tricks[entry] for entry in entries})
        for entries in together.values()
    ]


def _shared(groups: Sequence[_Alike]) -> dict[tuple[int, int], list[Place]]:
    """List the places that are common to any two groups."""
    held: dict[Place, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        for place in group.times:
            held[place].append(number)
    shared: dict[tuple[int, int], list[Place]] = defaultdict(list)
    for place, numbers in held.items():
        for pair in combinations(numbers, 2):
            shared[pair].append(place)
    return shared


def _count_within(one: _Alike, halves: dict[int, int]) -> None:
    totals = one.totals(one.times)
    order = sorted(totals.values())
    for entry, mine in totals.items():
        halves[entry] += _halves(mine, order) - 1  # less the match with itself


def _count_between(
    one: _Alike, other: _Alike, places: Sequence[Place], halves: dict[int, int]
) -> None:
    ours = one.totals({place: other.times[place] for place in places})
    theirs = other.totals({place: one.times[place] for place in places})
    for mine, against in ((ours, theirs), (theirs, ours)):
        order = sorted(against.values())
        for entry, total in mine.items():
            halves[entry] += _halves(total, order)


def _halves(total: Tricks, order: Sequence[Tricks]) -> int:
    """Count two for each number below a total and one for each equal number."""
    return bisect_left(order, total) + bisect_right(order, total)
