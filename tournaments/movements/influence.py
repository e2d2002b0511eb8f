"""Computes how evenly pairs influence each other, for any choice of switched rounds.

A pairing is two of the pairs. All pairings are computed together: an integer has a bit for each
pairing, and such integers are added in binary columns.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from tournaments.movements.meetings import Meeting
from tournaments.movements.schedule import Movement

BitColumns = list[int]
"""One number for each pairing, in binary; item i has the bits with the value 2 ** i."""


class PairInfluence:
    """The influence of any two pairs on each other, if no pair plays a group twice.

    The influence is 1 for each board group on which the pairs sit the same way, and -1 if they
    sit opposite ways. At one table, a pair's tricks are the other pair's loss, so that the
    influence equals that at all other tables together. Therefore the influence is a constant
    (`_level`) minus twice the groups on which the pairs sit opposite ways at different tables.
    """

    def __init__(self, movement: Movement) -> None:
        self.pair_count = len(movement.occupied_places)
        self.pairing_count = self.pair_count * (self.pair_count - 1) // 2
        self._indexes_by_place = {
            place: index for index, place in enumerate(movement.occupied_places)
        }
        self._row_bits = (1 << self.pair_count) - 1
        self._first_column_bits = sum(
            1 << self.pair_count * row for row in range(self.pair_count)
        )
        self._switched_rounds: frozenset[int] = frozenset()
        meetings_by_group: dict[int, list[Meeting]] = defaultdict(list)
        for meeting in movement.played_meetings:
            meetings_by_group[meeting.board_group].append(meeting)
        self._opposite_pairings: list[int] = []
        # the pairings whose sides a switch changes, by group and round
        self._switch_bits_by_group: list[dict[int, int]] = []
        constant_influence_bits: BitColumns = []
        for group_meetings in meetings_by_group.values():
            meeting_pairing_bits, separate_pairing_bits = self._compute_pairing_bits(
                group_meetings
            )
            constant_influence_bits += [separate_pairing_bits] + [meeting_pairing_bits] * (
                len(group_meetings) - 1
            )
            self._opposite_pairings.append(
                separate_pairing_bits
                & self._compute_divided_pairing_bits(
                    meeting.north for meeting in group_meetings
                )
            )
            places_by_round: dict[int, list[int]] = defaultdict(list)
            for meeting in group_meetings:
                places_by_round[meeting.round] += meeting.places
            self._switch_bits_by_group.append(
                {
                    round_number: separate_pairing_bits
                    & self._compute_divided_pairing_bits(places)
                    for round_number, places in places_by_round.items()
                }
            )
        self._level = _sum_bits_per_column(constant_influence_bits)

    def compute_unevenness(self, rounds: Collection[int]) -> int:
        """Return n² times the variance of influence if these rounds are switched.

        It is an integer; n is the number of pairings.
        """
        self._switch_rounds(frozenset(rounds))
        opposite_columns = _sum_bits_per_column(self._opposite_pairings)
        influence_total = _sum_columns(self._level) - 2 * _sum_columns(opposite_columns)
        sum_of_squares = (
            _sum_column_products(self._level, self._level)
            - 4 * _sum_column_products(self._level, opposite_columns)
            + 4 * _sum_column_products(opposite_columns, opposite_columns)
        )
        return self.pairing_count * sum_of_squares - influence_total * influence_total

    def _switch_rounds(self, rounds: frozenset[int]) -> None:
        """Update the stored sides for the rounds that differ from the last call."""
        for round_number in rounds ^ self._switched_rounds:
            for group_index, switch_bits_by_round in enumerate(self._switch_bits_by_group):
                if round_number in switch_bits_by_round:
                    self._opposite_pairings[group_index] ^= switch_bits_by_round[round_number]
        self._switched_rounds = rounds

    def _compute_pairing_bits(self, group_meetings: list[Meeting]) -> tuple[int, int]:
        """Return two sets of pairings, as bits: those that meet on a board group, and others.

        The others are pairings of two pairs that play the group at different tables.
        """
        meeting_pairing_bits = all_pairing_bits = place_bits = 0
        for meeting in group_meetings:
            lower_index, higher_index = sorted(
                self._indexes_by_place[place] for place in meeting.places
            )
            meeting_pairing_bits |= 1 << lower_index * self.pair_count + higher_index
            place_bits |= 1 << lower_index | 1 << higher_index
        for index in range(self.pair_count):
            if place_bits >> index & 1:
                higher_index_bits = place_bits >> index + 1 << index + 1
                all_pairing_bits |= higher_index_bits << index * self.pair_count
        return meeting_pairing_bits, all_pairing_bits ^ meeting_pairing_bits

    def _compute_divided_pairing_bits(self, places: Iterable[int]) -> int:
        """Return, as bits, the pairings in both orders with exactly one pair in `places`."""
        column_bits = row_bits = 0
        for place in places:
            column_bits |= 1 << self._indexes_by_place[place]
            row_bits |= self._row_bits << self._indexes_by_place[place] * self.pair_count
        return column_bits * self._first_column_bits ^ row_bits


def _sum_bits_per_column(bitmasks: Iterable[int]) -> BitColumns:
    """Add the bits of each pairing: three bits of a column become one bit and one carry."""
    columns: BitColumns = []
    column = list(bitmasks)
    while column:
        carries = []
        while len(column) > 1:
            first_bits, second_bits, third_bits = (
                column.pop(),
                column.pop(),
                column.pop() if column else 0,
            )
            different_bits = first_bits ^ second_bits
            carries.append(first_bits & second_bits | different_bits & third_bits)
            column.append(different_bits ^ third_bits)
        columns.append(column[0])
        column = [carry for carry in carries if carry]
    return columns


def _sum_columns(columns: BitColumns) -> int:
    return sum(column.bit_count() << exponent for exponent, column in enumerate(columns))


def _sum_column_products(columns: BitColumns, other_columns: BitColumns) -> int:
    """Multiply the two numbers of each pairing, and return the sum over all pairings."""
    return sum(
        (column & other_column).bit_count() << exponent + other_exponent
        for exponent, column in enumerate(columns)
        for other_exponent, other_column in enumerate(other_columns)
    )
