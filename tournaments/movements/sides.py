"""The sides on which competitors play each board group, to count comparisons.

Board groups are bits of integers. One operation therefore compares all groups of two
competitors.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from boards.whist.seats import Side
from tournaments.movements.meetings import Meeting

Pairing = tuple[int, int]
GroupBitsByPairing = dict[int, dict[int, int]]
"""Board groups as bits, by two competitors."""

CompetitorSitting = tuple[int, tuple[int, int], bool]
"""The competitor, (round, table), and whether the competitor sits North-South."""

CountMatrix = tuple[tuple[int, ...], ...]


class BoardGroupsBySide:
    """The board groups that each competitor plays North-South and East-West.

    They are the bits of `ns_group_bits_by_competitor` and `ew_group_bits_by_competitor`.

    For two competitors, `opposing_groups` has the groups on which the first sits North-South
    and the second East-West at one table. `partner_groups` has the groups on which they are
    partners, for each side.
    """

    def __init__(
        self, played_meetings: Sequence[Meeting], competitors_by_place: dict[int, int]
    ) -> None:
        self.played_meetings, self.competitors_by_place = played_meetings, competitors_by_place
        self.ns_group_bits_by_competitor = dict.fromkeys(competitors_by_place.values(), 0)
        self.ew_group_bits_by_competitor = dict.fromkeys(competitors_by_place.values(), 0)
        self.opposing_groups: GroupBitsByPairing = {
            place: {} for place in self.ns_group_bits_by_competitor
        }
        self.partner_groups: tuple[GroupBitsByPairing, GroupBitsByPairing] = (
            defaultdict(dict),
            defaultdict(dict),
        )
        self.repeated_group_bits = 0  # bits of groups that a competitor plays twice on one side
        for _round, _table, north, east, south, west, board_group in played_meetings:
            ns_competitors = (
                [competitors_by_place[north]]
                if north == south
                else [competitors_by_place[north], competitors_by_place[south]]
            )
            ew_competitors = (
                [competitors_by_place[east]]
                if east == west
                else [competitors_by_place[east], competitors_by_place[west]]
            )
            group_bit = 1 << board_group
            self._record_group_for_side(
                self.ns_group_bits_by_competitor,
                self.partner_groups[0],
                ns_competitors,
                group_bit,
            )
            self._record_group_for_side(
                self.ew_group_bits_by_competitor,
                self.partner_groups[1],
                ew_competitors,
                group_bit,
            )
            for competitor in ns_competitors:
                group_bits_by_opponent = self.opposing_groups[competitor]
                for opponent in ew_competitors:
                    group_bits_by_opponent[opponent] = (
                        group_bits_by_opponent.get(opponent, 0) | group_bit
                    )

    def _record_group_for_side(
        self,
        group_bits_by_competitor: dict[int, int],
        partner_groups: GroupBitsByPairing,
        competitors: Sequence[int],
        group_bit: int,
    ) -> None:
        for competitor in competitors:
            self.repeated_group_bits |= group_bits_by_competitor[competitor] & group_bit
            group_bits_by_competitor[competitor] |= group_bit
        if len(competitors) == 2:
            lower_competitor, higher_competitor = (
                competitors if competitors[0] < competitors[1] else competitors[::-1]
            )
            partner_groups[lower_competitor][higher_competitor] = (
                partner_groups[lower_competitor].get(higher_competitor, 0) | group_bit
            )

    def iter_unplayed_group_counts(self) -> Iterable[int]:
        """Return the number of board groups in play that each competitor never plays."""
        played_group_bits = [
            self.ns_group_bits_by_competitor[competitor]
            | self.ew_group_bits_by_competitor[competitor]
            for competitor in self.ns_group_bits_by_competitor
        ]
        played_group_count = reduce(or_, played_group_bits, 0).bit_count()
        return (played_group_count - group_bits.bit_count() for group_bits in played_group_bits)

    def build_comparison_matrices(
        self, competitors: Sequence[int]
    ) -> tuple[CountMatrix, CountMatrix]:
        """Return two matrices with a number for any two competitors.

        The first is how often the two sit the same way. The second is the same number minus
        how often they sit opposite ways. Both count board groups and leave out meetings at one
        table. The diagonals are 0.
        """
        compare_competitors = (
            self._build_competitor_comparer()
            if self.repeated_group_bits
            else self._compare_sides
        )
        same_side_counts = [[0] * len(competitors) for _each in competitors]
        influence_matrix = [[0] * len(competitors) for _each in competitors]
        for row, competitor in enumerate(competitors):
            other_competitors = competitors[row + 1 :]
            for column, (same_side_count, opposite_side_count) in enumerate(
                compare_competitors(competitor, other_competitors), start=row + 1
            ):
                same_side_counts[row][column] = same_side_counts[column][row] = same_side_count
                influence_matrix[row][column] = influence_matrix[column][row] = (
                    same_side_count - opposite_side_count
                )
        return tuple(map(tuple, same_side_counts)), tuple(map(tuple, influence_matrix))

    def _compare_sides(
        self, competitor: int, other_competitors: Sequence[int]
    ) -> Iterator[Pairing]:
        """Yield two numbers of board groups for each other competitor.

        The two sit the same way on the first number of groups, and opposite ways on the second.
        Groups that the two play at one table are not counted.
        """
        ns_group_bits, ew_group_bits = (
            self.ns_group_bits_by_competitor[competitor],
            self.ew_group_bits_by_competitor[competitor],
        )
        met_group_bits_by_opponent = self.opposing_groups[competitor]
        ns_group_bits_by_partner, ew_group_bits_by_partner = (
            groups_by_pairing.get(competitor, {}) for groups_by_pairing in self.partner_groups
        )
        for other_competitor in other_competitors:
            other_ns_group_bits, other_ew_group_bits = (
                self.ns_group_bits_by_competitor[other_competitor],
                self.ew_group_bits_by_competitor[other_competitor],
            )
            same_side_group_bits = (
                ns_group_bits & other_ns_group_bits
                ^ ns_group_bits_by_partner.get(other_competitor, 0)
                | ew_group_bits & other_ew_group_bits
                ^ ew_group_bits_by_partner.get(other_competitor, 0)
            )
            opposite_side_group_bits = (
                ns_group_bits & other_ew_group_bits
                ^ met_group_bits_by_opponent.get(other_competitor, 0)
                | ew_group_bits & other_ns_group_bits
                ^ self.opposing_groups[other_competitor].get(competitor, 0)
            )
            yield same_side_group_bits.bit_count(), opposite_side_group_bits.bit_count()

    def _build_competitor_comparer(self) -> Callable[[int, Sequence[int]], Iterator[Pairing]]:
        """Return a function like `_compare_sides` that counts table by table.

        It is needed if a competitor plays a group twice on one side.
        """
        same_side_counts: Counter[Pairing] = Counter()
        opposite_side_counts: Counter[Pairing] = Counter()
        for group_sittings in self._iter_group_sittings():
            same_side_pairings: set[Pairing] = set()
            opposite_side_pairings: set[Pairing] = set()
            for (competitor, round_and_table, is_ns), (
                other_competitor,
                other_round_and_table,
                is_other_ns,
            ) in combinations(group_sittings, 2):
                if round_and_table != other_round_and_table:
                    (
                        same_side_pairings if is_ns == is_other_ns else opposite_side_pairings
                    ).add((competitor, other_competitor))
            same_side_counts.update(same_side_pairings)
            opposite_side_counts.update(opposite_side_pairings)
        return lambda competitor, other_competitors: (
            (
                same_side_counts[competitor, other_competitor],
                opposite_side_counts[competitor, other_competitor],
            )
            for other_competitor in other_competitors
        )

    def _iter_group_sittings(self) -> Iterator[list[CompetitorSitting]]:
        sittings_by_group: dict[int, list[CompetitorSitting]] = defaultdict(list)
        for meeting in self.played_meetings:
            sittings_by_group[meeting.board_group] += (
                (
                    self.competitors_by_place[place],
                    (meeting.round, meeting.table),
                    meeting.find_side(place) is Side.NS,
                )
                for place in meeting.places
            )
        return map(sorted, sittings_by_group.values())
