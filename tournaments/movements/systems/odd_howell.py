"""Perfect Howells for an odd number of pairs, of which one sits out each round.

There are q = 13, 17, 25, 29, 37, 41, 49 or 53 pairs, which are prime powers of the form 4k + 1.
Any two pairs meet once and sit the same way on (q - 3) / 2 sets. Pairs and sets are the
elements of the field of q elements. In a round, the side of a pair depends on whether the
difference of its set and the pair is a square. If the difference is zero, the pair sits out.
With q - 1 = 2^k h and h odd, round 1 is 2^(k-1) base tables times the subgroup of order h. Each
later round adds one to all pairs and sets.

For 21, 33 and 57 no such movement exists, because q is not a sum of two squares; 9 and 45 are
open.

Source: derived by this project. The quadratic character has autocorrelation -1, and the one
set on which two pairs meet balances it. The base tables were found by a search for an exact
cover of the logarithms.
"""

from tournaments.movements.meetings import Meeting, make_pair_meeting
from tournaments.movements.systems.finite_fields import Element, FiniteField

StarterTable = tuple[Element, Element, Element]  # North-South, East-West, board set

BASE_TABLES_BY_PAIR_COUNT = {
    13: "3-8:2 12-2:8",
    17: "1-11:16 13-10:5 16-5:12 6-15:8 3-4:7 8-12:9 7-9:15 14-2:13",
    25: "9-12:21 19-7:2 11-6:14 13-10:7",
    29: "17-20:1 13-26:8",
    37: "6-16:2 24-30:8",
    41: "31-1:36 35-12:25 21-13:39 14-36:6",
    49: "1-31:5 44-28:12 48-15:21 20-34:8 38-26:45 32-29:23 43-23:15 5-42:1",
    53: "13-32:2 29-22:1",
}


def build_odd_howell_meetings(pair_count: int) -> tuple[Meeting, ...]:
    """Return the meetings of the perfect Howell for an odd number of pairs."""
    finite_field = FiniteField.build(pair_count)
    starter_tables = build_round_one(pair_count)
    return tuple(
        make_pair_meeting(
            round_index + 1,
            table_number,
            *(1 + finite_field.add(element, round_index) for element in starter_table),
        )
        for round_index in range(pair_count)
        for table_number, starter_table in enumerate(starter_tables, start=1)
    )


def build_round_one(pair_count: int) -> list[StarterTable]:
    """Return the tables of round 1, in which element 0 sits out, in the order of their sets."""
    finite_field = FiniteField.build(pair_count)
    multipliers = _build_odd_order_subgroup(finite_field)
    starter_tables = [
        (
            finite_field.multiply(base_ns, multiplier),
            finite_field.multiply(base_ew, multiplier),
            finite_field.multiply(base_set, multiplier),
        )
        for base_ns, base_ew, base_set in map(
            _parse_table, BASE_TABLES_BY_PAIR_COUNT[pair_count].split()
        )
        for multiplier in multipliers
    ]
    return sorted(starter_tables, key=lambda starter_table: starter_table[2])


def _build_odd_order_subgroup(finite_field: FiniteField) -> list[Element]:
    """Return the subgroup of multiplication whose order is the largest odd factor of q - 1."""
    # the largest power of two that divides q - 1
    power_of_two_factor = (finite_field.size - 1) & -(finite_field.size - 1)
    subgroup = set()
    for element in range(1, finite_field.size):
        power, remaining_exponent = element, power_of_two_factor
        while remaining_exponent > 1:
            power, remaining_exponent = (
                finite_field.multiply(power, power),
                remaining_exponent // 2,
            )
        subgroup.add(power)
    return sorted(subgroup)


def _parse_table(table_text: str) -> StarterTable:
    sides_text, group_text = table_text.split(":")
    ns, ew = sides_text.split("-")
    return int(ns), int(ew), int(group_text)
