"""The place of one field that is best left empty for an odd number of pairs."""

from collections import Counter
from functools import lru_cache

from tournaments.movements.schedule import Movement


def find_fairest_place(movement: Movement, *, taken: frozenset[int] = frozenset()) -> int:
    """Return the place without which comparisons vary least; the highest if several are equal.

    A comparison is a board group on which two pairs sit the same way at different tables.
    Places in `taken` stay occupied.
    """
    spreads = _compute_spreads(movement)
    free = (place for place in range(1, movement.places + 1) if place not in taken)
    return min(free, key=lambda place: (spreads[place - 1], -place))


@lru_cache(maxsize=256)
def _compute_spreads(movement: Movement) -> tuple[int, ...]:
    """Return how much comparisons vary without each place.

    The value is n squared times the variance, a whole number, where n couples are compared.
    """
    same = _count_comparisons(movement)
    every = range(1, movement.places + 1)
    couples = (movement.places - 1) * (movement.places - 2) // 2
    whole = sum(same.values())
    squares = sum(count * count for count in same.values())
    lost = _list_lost_comparisons(movement)
    found = []
    for place in every:
        total, of_squares = whole, squares
        gone = Counter(lost[place])
        for other in every:
            if other != place:
                gone[_sorted_couple(place, other)] = same[_sorted_couple(place, other)]
        for couple, count in gone.items():
            before = same[couple]
            total -= count
            of_squares += (before - count) ** 2 - before**2
        found.append(couples * of_squares - total * total)
    return tuple(found)


def _count_comparisons(movement: Movement) -> Counter[tuple[int, int]]:
    """Count how often two places sit the same way with the same boards at different tables."""
    same: Counter[tuple[int, int]] = Counter()
    for sides in _map_sides(movement).values():
        for line in sides:
            for at, one in enumerate(line):
                for other in line[at + 1 :]:
                    same[_sorted_couple(one, other)] += 1
    return same


def _list_lost_comparisons(movement: Movement) -> dict[int, list[tuple[int, int]]]:
    """Count the comparisons that a place's opponents lose if it is empty."""
    sides = _map_sides(movement)
    lost: dict[int, list[tuple[int, int]]] = {n: [] for n in range(1, movement.places + 1)}
    for each in movement.meetings:
        for empty, idle, line in (
            (each.north, each.east, sides[each.board_group][1]),
            (each.east, each.north, sides[each.board_group][0]),
        ):
            lost[empty] += [_sorted_couple(idle, other) for other in line if other != idle]
    return lost


def _map_sides(movement: Movement) -> dict[int, tuple[list[int], list[int]]]:
    """Return the places that sit North-South and East-West, by board group."""
    sides: dict[int, tuple[list[int], list[int]]] = {}
    for each in movement.meetings:
        north_south, east_west = sides.setdefault(each.board_group, ([], []))
        north_south.append(each.north)
        east_west.append(each.east)
    return sides


def _sorted_couple(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
