"""The sides on which competitors play board groups, to find who is compared with whom.

Board groups are bits of integers, so all groups of two competitors are compared in one
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
Couples = dict[int, dict[int, int]]  # the groups of two competitors, as bits
Sitting = tuple[int, tuple[int, int], bool]  # competitor, (round, table), is North-South
Square = tuple[tuple[int, ...], ...]


class Sides:
    """The board groups that each competitor plays North-South, and those East-West.

    For two competitors `met` has the groups on which the first sits North-South at the other's
    table, and `beside`, for each side, the groups on which they are partners.
    """

    def __init__(self, played: Sequence[Meeting], of: dict[int, int]) -> None:
        self.played, self.of = played, of
        self.north = dict.fromkeys(of.values(), 0)
        self.east = dict.fromkeys(of.values(), 0)
        self.met: Couples = {each: {} for each in self.north}
        self.beside: tuple[Couples, Couples] = (defaultdict(dict), defaultdict(dict))
        self.twice = 0  # the groups that a competitor plays twice on the same side
        for _round, _table, north, east, south, west, group in played:
            ns = [of[north]] if north == south else [of[north], of[south]]
            ew = [of[east]] if east == west else [of[east], of[west]]
            bit = 1 << group
            self._sit(self.north, self.beside[0], ns, bit)
            self._sit(self.east, self.beside[1], ew, bit)
            for one in ns:
                row = self.met[one]
                for other in ew:
                    row[other] = row.get(other, 0) | bit

    def _sit(
        self, side: dict[int, int], beside: Couples, sitting: Sequence[int], bit: int
    ) -> None:
        for each in sitting:
            self.twice |= side[each] & bit
            side[each] |= bit
        if len(sitting) == 2:
            one, other = sitting if sitting[0] < sitting[1] else sitting[::-1]
            beside[one][other] = beside[one].get(other, 0) | bit

    def count_unplayed(self) -> Iterable[int]:
        """Return how many of the board groups in play each competitor never plays."""
        own = [self.north[each] | self.east[each] for each in self.north]
        in_play = reduce(or_, own, 0).bit_count()
        return (in_play - each.bit_count() for each in own)

    def squares(self, competitors: Sequence[int]) -> tuple[Square, Square]:
        """Return two matrices: how often two sit the same way, and that less opposite ways.

        Both count board groups. Meetings at one table are left out of both; the diagonals are
        0.
        """
        compared = self._by_table() if self.twice else self._compare_sides
        same = [[0] * len(competitors) for _each in competitors]
        influence = [[0] * len(competitors) for _each in competitors]
        for row, one in enumerate(competitors):
            others = competitors[row + 1 :]
            for column, (alike, opposite) in enumerate(compared(one, others), start=row + 1):
                same[row][column] = same[column][row] = alike
                influence[row][column] = influence[column][row] = alike - opposite
        return tuple(map(tuple, same)), tuple(map(tuple, influence))

    def _compare_sides(self, one: int, others: Sequence[int]) -> Iterator[Pairing]:
        """Yield on how many groups one and each other sit the same way and opposite ways.

        Groups that they play at one table are in both rows and are removed.
        """
        ns, ew = self.north[one], self.east[one]
        met = self.met[one]
        norths, easts = (beside.get(one, {}) for beside in self.beside)
        for other in others:
            north, east = self.north[other], self.east[other]
            alike = ns & north ^ norths.get(other, 0) | ew & east ^ easts.get(other, 0)
            opposite = ns & east ^ met.get(other, 0) | ew & north ^ self.met[other].get(one, 0)
            yield alike.bit_count(), opposite.bit_count()

    def _by_table(self) -> Callable[[int, Sequence[int]], Iterator[Pairing]]:
        """Count, for each two competitors, at how many groups they sat on the same side and on
        opposite sides.

        For movements in which a competitor plays a group twice on one side.
        """
        same: Counter[Pairing] = Counter()
        opposite: Counter[Pairing] = Counter()
        for sitting in self._by_group():
            alike: set[Pairing] = set()
            unlike: set[Pairing] = set()
            for (one, here, side), (other, there, its) in combinations(sitting, 2):
                if here != there:
                    (alike if side == its else unlike).add((one, other))
            same.update(alike)
            opposite.update(unlike)
        return lambda one, others: ((same[one, e], opposite[one, e]) for e in others)

    def _by_group(self) -> Iterator[list[Sitting]]:
        groups: dict[int, list[Sitting]] = defaultdict(list)
        for each in self.played:
            groups[each.board_group] += (
                (self.of[place], (each.round, each.table), each.side_of(place) is Side.NS)
                for place in each.places
            )
        return map(sorted, groups.values())
