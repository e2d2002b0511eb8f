"""Perfect Howells for an odd number of pairs: one sits out each round, and all is balanced.

For q = 13, 17, 25, 29, 37, 41, 49 and 53 pairs, each a prime power that leaves 1 when divided
by 4, any two pairs meet once and sit the same way on (q - 3) / 2 sets. Pairs and sets are the
elements of the field of q. In a round a pair's side depends on whether its set less itself is a
square; where that is zero it sits out. With q - 1 = 2^k h, h odd, round 1 is 2^(k-1) base
tables times the subgroup of order h, and each later round adds one to everything. For 21, 33
and 57 no such movement exists, for q is not a sum of two squares; 9 and 45 are open. Source:
derived here. The quadratic character has autocorrelation -1, and the one set on which two pairs
meet balances it; the bases by exact cover over the logarithms.
"""

from tournaments.movements.meetings import Meeting, make_pair_meeting
from tournaments.movements.systems.finite_fields import Element, FiniteField

Row = tuple[Element, Element, Element]  # North-South, East-West, set

BASE_TABLES = {
    13: "3-8:2 12-2:8",
    17: "1-11:16 13-10:5 16-5:12 6-15:8 3-4:7 8-12:9 7-9:15 14-2:13",
    25: "9-12:21 19-7:2 11-6:14 13-10:7",
    29: "17-20:1 13-26:8",
    37: "6-16:2 24-30:8",
    41: "31-1:36 35-12:25 21-13:39 14-36:6",
    49: "1-31:5 44-28:12 48-15:21 20-34:8 38-26:45 32-29:23 43-23:15 5-42:1",
    53: "13-32:2 29-22:1",
}


def build_odd_howell_meetings(pairs: int) -> tuple[Meeting, ...]:
    """Return the meetings of the perfect Howell of an odd number of pairs."""
    field = FiniteField.of(pairs)
    rows = build_round_one(pairs)
    return tuple(
        make_pair_meeting(step + 1, table, *(1 + field.plus(each, step) for each in row))
        for step in range(pairs)
        for table, row in enumerate(rows, start=1)
    )


def build_round_one(pairs: int) -> list[Row]:
    """Return the tables of round 1, in which element 0 sits out, by their sets."""
    field = FiniteField.of(pairs)
    multipliers = _build_odd_subgroup(field)
    rows = [
        (field.times(a, y), field.times(b, y), field.times(g, y))
        for a, b, g in map(_parse_numbers, BASE_TABLES[pairs].split())
        for y in multipliers
    ]
    return sorted(rows, key=lambda row: row[2])


def _build_odd_subgroup(field: FiniteField) -> list[Element]:
    """Return the multiplicative subgroup whose order is the odd part of q - 1."""
    even = (field.size - 1) & -(field.size - 1)  # the greatest power of two in it
    found = set()
    for element in range(1, field.size):
        power, left = element, even
        while left > 1:
            power, left = field.times(power, power), left // 2
        found.add(power)
    return sorted(found)


def _parse_numbers(row: str) -> Row:
    pairs, group = row.split(":")
    one, other = pairs.split("-")
    return int(one), int(other), int(group)
