"""How even the influence of pairs on each other is, whichever rounds are switched.

All couples are reckoned at once: a whole number has a bit for each of them, and so many of them
are added up in columns, as one adds on paper.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from tournaments.movements.meetings import Meeting
from tournaments.movements.schedule import Movement

Columns = list[int]  # of a number for each couple the ones, the twos, the fours and so on


class Influence:
    """The influence of every two pairs of a movement in which nobody plays a group twice.

    It is one for each board group on which they sit the same way, less one where they sit
    opposite ways; where they meet it is as much as all the other tables together, because one's
    trick is the other's loss. So it is a `level` that no switch touches, less twice the groups
    on which they sit opposite ways at different tables.
    """

    def __init__(self, movement: Movement) -> None:
        self.size = len(movement.taken)
        self.couples = self.size * (self.size - 1) // 2
        self._at = {place: number for number, place in enumerate(movement.taken)}
        self._row = (1 << self.size) - 1
        self._rows = sum(1 << self.size * row for row in range(self.size))
        self._switched: frozenset[int] = frozenset()
        groups: dict[int, list[Meeting]] = defaultdict(list)
        for meeting in movement.played:
            groups[meeting.board_group].append(meeting)
        self._opposite: list[int] = []
        self._turns: list[dict[int, int]] = []  # of each group, by round, whom a switch turns
        levels: Columns = []
        for on_group in groups.values():
            met, apart = self._together(on_group)
            levels += [apart] + [met] * (len(on_group) - 1)
            self._opposite.append(apart & self._differ(each.north for each in on_group))
            turns: dict[int, list[int]] = defaultdict(list)
            for each in on_group:
                turns[each.round] += each.places
            self._turns.append({r: apart & self._differ(p) for r, p in turns.items()})
        self._level = _added(levels)

    def unevenness(self, rounds: Collection[int]) -> int:
        """The variance over all couples if these rounds are switched, as a whole number."""
        self._switch(frozenset(rounds))
        opposite = _added(self._opposite)
        total = _sum(self._level) - 2 * _sum(opposite)
        squares = (
            _product(self._level, self._level)
            - 4 * _product(self._level, opposite)
            + 4 * _product(opposite, opposite)
        )
        return self.couples * squares - total * total

    def _switch(self, rounds: frozenset[int]) -> None:
        """Turn what differs from the rounds that are switched: between two choices little."""
        for number in rounds ^ self._switched:
            for group, turns in enumerate(self._turns):
                if number in turns:
                    self._opposite[group] ^= turns[number]
        self._switched = rounds

    def _together(self, on_group: list[Meeting]) -> tuple[int, int]:
        """Who of those that play a group meet, and who play it at different tables."""
        met = every = places = 0
        for each in on_group:
            one, other = sorted(self._at[place] for place in each.places)
            met |= 1 << one * self.size + other
            places |= 1 << one | 1 << other
        for place in range(self.size):
            if places >> place & 1:
                later = places >> place + 1 << place + 1
                every |= later << place * self.size
        return met, every ^ met

    def _differ(self, places: Iterable[int]) -> int:
        """The couples of which just one is among these, also the other way round."""
        across = down = 0
        for place in places:
            across |= 1 << self._at[place]
            down |= self._row << self._at[place] * self.size
        return across * self._rows ^ down


def _added(numbers: Iterable[int]) -> Columns:
    """Add up bits, couple by couple: three of a column leave one and carry one."""
    columns: Columns = []
    column = list(numbers)
    while column:
        carried = []
        while len(column) > 1:
            one, other, third = column.pop(), column.pop(), column.pop() if column else 0
            unlike = one ^ other
            carried.append(one & other | unlike & third)
            column.append(unlike ^ third)
        columns.append(column[0])
        column = [each for each in carried if each]
    return columns


def _sum(columns: Columns) -> int:
    return sum(each.bit_count() << place for place, each in enumerate(columns))


def _product(columns: Columns, others: Columns) -> int:
    """The sum over all couples of the products of their two numbers."""
    return sum(
        (one & other).bit_count() << place + further
        for place, one in enumerate(columns)
        for further, other in enumerate(others)
    )
