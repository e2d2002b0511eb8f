"""The sides on which competitors play each board group, to count comparisons.

Board groups are bits of integers, so that all groups of two competitors are compared in one
operation.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from boards.whist.seats import Side
from tournaments.movements.meetings import Meeting

Pairing = tuple[int, int]
Couples = dict[int, dict[int, int]]  # by two competitors, the board groups as bits
# competitor, round and table, and whether it is North-South
Sitting = tuple[int, tuple[int, int], bool]
Square = tuple[tuple[int, ...], ...]


class Sides:
    """The board groups that each competitor plays North-South, and those East-West.

    For two competitors, `met` has the groups on which the first sits North-South at the other's
    table, and `beside` the groups on which they are partners, for each side.
    """

    def __init__(self, played: Sequence[Meeting], competitor_by_place: dict[int, int]) -> None:
        self.played, self.competitor_by_place = played, competitor_by_place
        self.north = dict.fromkeys(competitor_by_place.values(), 0)
        self.east = dict.fromkeys(competitor_by_place.values(), 0)
        self.met: Couples = {place: {} for place in self.north}
        self.beside: tuple[Couples, Couples] = (defaultdict(dict), defaultdict(dict))
        self.twice = 0  # groups that some competitor plays twice on the same side
        for _round, _table, north, east, south, west, group in played:
            ns = (
                [competitor_by_place[north]]
                if north == south
                else [competitor_by_place[north], competitor_by_place[south]]
            )
            ew = (
                [competitor_by_place[east]]
                if east == west
                else [competitor_by_place[east], competitor_by_place[west]]
            )
            group_bit = 1 << group
            self._sit(self.north, self.beside[0], ns, group_bit)
            self._sit(self.east, self.beside[1], ew, group_bit)
            for one in ns:
                row = self.met[one]
                for other in ew:
                    row[other] = row.get(other, 0) | group_bit

    def _sit(
        self, side: dict[int, int], partners: Couples, sitting: Sequence[int], group_bit: int
    ) -> None:
        for place in sitting:
            self.twice |= side[place] & group_bit
            side[place] |= group_bit
        if len(sitting) == 2:
            one, other = sitting if sitting[0] < sitting[1] else sitting[::-1]
            partners[one][other] = partners[one].get(other, 0) | group_bit

    def count_unplayed(self) -> Iterable[int]:
        """Return how many board groups in play each competitor never plays."""
        own_groups = [self.north[place] | self.east[place] for place in self.north]
        in_play = reduce(or_, own_groups, 0).bit_count()
        return (in_play - group.bit_count() for group in own_groups)

    def squares(self, competitors: Sequence[int]) -> tuple[Square, Square]:
        """Return two matrices: how often two sit the same way, and that minus opposite ways.

        Both count board groups and leave out meetings at one table. The diagonals are 0.
        """
        compared = self._by_table() if self.twice else self._compare_sides
        same_counts = [[0] * len(competitors) for _each in competitors]
        influence = [[0] * len(competitors) for _each in competitors]
        for row, competitor in enumerate(competitors):
            others = competitors[row + 1 :]
            for column, (alike, opposite_count) in enumerate(
                compared(competitor, others), start=row + 1
            ):
                same_counts[row][column] = same_counts[column][row] = alike
                influence[row][column] = influence[column][row] = alike - opposite_count
        return tuple(map(tuple, same_counts)), tuple(map(tuple, influence))

    def _compare_sides(self, one: int, others: Sequence[int]) -> Iterator[Pairing]:
        """Yield the numbers of groups on which `one` and each other sit the same way and
        opposite ways.

        Groups that they play at one table are not counted.
        """
        ns, ew = self.north[one], self.east[one]
        met_groups = self.met[one]
        norths, easts = (beside.get(one, {}) for beside in self.beside)
        for other in others:
            north, east = self.north[other], self.east[other]
            alike = ns & north ^ norths.get(other, 0) | ew & east ^ easts.get(other, 0)
            opposite_groups = ns & east ^ met_groups.get(other, 0) | ew & north ^ self.met[
                other
            ].get(one, 0)
            yield alike.bit_count(), opposite_groups.bit_count()

    def _by_table(self) -> Callable[[int, Sequence[int]], Iterator[Pairing]]:
        """Count the board groups on which two competitors sat in the same direction, and in
        opposite directions.

        It is for movements in which a competitor plays a group twice on one side.
        """
        same_counts: Counter[Pairing] = Counter()
        opposite_counts: Counter[Pairing] = Counter()
        for sitting in self._by_group():
            alike: set[Pairing] = set()
            unlike: set[Pairing] = set()
            for (one, one_table, side), (other, other_table, other_side) in combinations(
                sitting, 2
            ):
                if one_table != other_table:
                    (alike if side == other_side else unlike).add((one, other))
            same_counts.update(alike)
            opposite_counts.update(unlike)
        return lambda one, others: (
            (same_counts[one, e], opposite_counts[one, e]) for e in others
        )

    def _by_group(self) -> Iterator[list[Sitting]]:
        groups: dict[int, list[Sitting]] = defaultdict(list)
        for meeting in self.played:
            groups[meeting.board_group] += (
                (
                    self.competitor_by_place[place],
                    (meeting.round, meeting.table),
                    meeting.side_of(place) is Side.NS,
                )
                for place in meeting.places
            )
        return map(sorted, groups.values())
