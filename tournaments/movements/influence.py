"""Computes how evenly pairs influence each other, for any choice of switched rounds.

All couples are computed together: a whole number has a bit for each couple, and such numbers
are added in binary columns.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from tournaments.movements.meetings import Meeting
from tournaments.movements.schedule import Movement

# the binary digits of one number for each couple; column i has the digits of 2 ** i
Columns = list[int]


class Influence:
    """The influence of any two pairs on each other, if no pair plays a group twice.

    It is one for each board group on which they sit the same way, minus one if they sit
    opposite ways. At their own table it equals that at all other tables together, since one's
    tricks are the other's loss. It is therefore a constant `level`, minus twice the groups on
    which they sit opposite ways at different tables.
    """

    def __init__(self, movement: Movement) -> None:
        self.size = len(movement.occupied_places)
        self.couples = self.size * (self.size - 1) // 2
        self._at = {place: number for number, place in enumerate(movement.occupied_places)}
        self._row = (1 << self.size) - 1
        self._rows = sum(1 << self.size * row for row in range(self.size))
        self._switched: frozenset[int] = frozenset()
        groups: dict[int, list[Meeting]] = defaultdict(list)
        for meeting in movement.played:
            groups[meeting.board_group].append(meeting)
        self._opposite: list[int] = []
        # The couples whose sides a switch changes, by group and round.
        self._turns: list[dict[int, int]] = []
        levels: Columns = []
        for on_group in groups.values():
            meeting_couples, separate_couples = self._together(on_group)
            levels += [separate_couples] + [meeting_couples] * (len(on_group) - 1)
            self._opposite.append(
                separate_couples & self._differ(each.north for each in on_group)
            )
            turns: dict[int, list[int]] = defaultdict(list)
            for each in on_group:
                turns[each.round] += each.places
            self._turns.append(
                {r: separate_couples & self._differ(p) for r, p in turns.items()}
            )
        self._level = _add_columns(levels)

    def unevenness(self, rounds: Collection[int]) -> int:
        """Return the variance over all couples if these rounds are switched, as an integer."""
        self._switch(frozenset(rounds))
        opposite_columns = _add_columns(self._opposite)
        total = _sum_columns(self._level) - 2 * _sum_columns(opposite_columns)
        squares = (
            _multiply_columns(self._level, self._level)
            - 4 * _multiply_columns(self._level, opposite_columns)
            + 4 * _multiply_columns(opposite_columns, opposite_columns)
        )
        return self.couples * squares - total * total

    def _switch(self, rounds: frozenset[int]) -> None:
        """Update the stored sides for the rounds that differ from the last call."""
        for number in rounds ^ self._switched:
            for group, turns in enumerate(self._turns):
                if number in turns:
                    self._opposite[group] ^= turns[number]
        self._switched = rounds

    def _together(self, on_group: list[Meeting]) -> tuple[int, int]:
        """Return the couples that meet on a group, and those that play it at different
        tables.
        """
        meeting_couples = all_couples = places = 0
        for meeting in on_group:
            one, other = sorted(self._at[place] for place in meeting.places)
            meeting_couples |= 1 << one * self.size + other
            places |= 1 << one | 1 << other
        for place in range(self.size):
            if places >> place & 1:
                later = places >> place + 1 << place + 1
                all_couples |= later << place * self.size
        return meeting_couples, all_couples ^ meeting_couples

    def _differ(self, places: Iterable[int]) -> int:
        """Return the couples, in both orders, of which exactly one is among these places."""
        across = down = 0
        for place in places:
            across |= 1 << self._at[place]
            down |= self._row << self._at[place] * self.size
        return across * self._rows ^ down


def _add_columns(numbers: Iterable[int]) -> Columns:
    """Add bits for each couple: three bits of a column become one bit and one carry."""
    columns: Columns = []
    column = list(numbers)
    while column:
        carries = []
        while len(column) > 1:
            one, other, third = column.pop(), column.pop(), column.pop() if column else 0
            unlike = one ^ other
            carries.append(one & other | unlike & third)
            column.append(unlike ^ third)
        columns.append(column[0])
        column = [carry for carry in carries if carry]
    return columns


def _sum_columns(columns: Columns) -> int:
    return sum(column.bit_count() << place for place, column in enumerate(columns))


def _multiply_columns(columns: Columns, others: Columns) -> int:
    """Return the sum, over all couples, of the products of their two numbers."""
    return sum(
        (column & other).bit_count() << place + further
        for place, column in enumerate(columns)
        for further, other in enumerate(others)
    )
