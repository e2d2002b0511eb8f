"""Finds the place of one field that is best left empty for an odd number of pairs."""

from collections import Counter
from functools import lru_cache

from tournaments.movements.schedule import Movement


def find_fairest_place(movement: Movement, *, occupied: frozenset[int] = frozenset()) -> int:
    """Return the place without which comparisons vary least; of equal ones, the highest.

    A comparison is a board group on which two pairs sit the same way at different tables.
    Places in `occupied` are not considered.
    """
    spreads = _compute_spreads(movement)
    candidates = (place for place in range(1, movement.places + 1) if place not in occupied)
    return min(candidates, key=lambda place: (spreads[place - 1], -place))


@lru_cache(maxsize=256)
def _compute_spreads(movement: Movement) -> tuple[int, ...]:
    """Return how much comparisons vary without each place.

    The value is n² times the variance, an integer, where n couples are compared.
    """
    comparisons = _count_comparisons(movement)
    all_places = range(1, movement.places + 1)
    couples = (movement.places - 1) * (movement.places - 2) // 2
    total_comparisons = sum(comparisons.values())
    squares = sum(count * count for count in comparisons.values())
    lost_by_place = _list_lost_comparisons(movement)
    spreads = []
    for place in all_places:
        total, of_squares = total_comparisons, squares
        lost_comparisons = Counter(lost_by_place[place])
        for other in all_places:
            if other != place:
                lost_comparisons[_sorted_couple(place, other)] = comparisons[
                    _sorted_couple(place, other)
                ]
        for couple, count in lost_comparisons.items():
            old_count = comparisons[couple]
            total -= count
            of_squares += (old_count - count) ** 2 - old_count**2
        spreads.append(couples * of_squares - total * total)
    return tuple(spreads)


def _count_comparisons(movement: Movement) -> Counter[tuple[int, int]]:
    """Count how often two places sit the same way with the same boards at different tables."""
    comparisons: Counter[tuple[int, int]] = Counter()
    for sides in _map_sides(movement).values():
        for line in sides:
            for at, one in enumerate(line):
                for other in line[at + 1 :]:
                    comparisons[_sorted_couple(one, other)] += 1
    return comparisons


def _list_lost_comparisons(movement: Movement) -> dict[int, list[tuple[int, int]]]:
    """Return, for each place, the pairs of entries that would not be compared if it were
    empty.
    """
    sides = _map_sides(movement)
    lost_by_place: dict[int, list[tuple[int, int]]] = {
        n: [] for n in range(1, movement.places + 1)
    }
    for meeting in movement.meetings:
        for empty, idle, line in (
            (meeting.north, meeting.east, sides[meeting.board_group][1]),
            (meeting.east, meeting.north, sides[meeting.board_group][0]),
        ):
            lost_by_place[empty] += [
                _sorted_couple(idle, other) for other in line if other != idle
            ]
    return lost_by_place


def _map_sides(movement: Movement) -> dict[int, tuple[list[int], list[int]]]:
    """Return the places that sit North-South and East-West, by board group."""
    sides: dict[int, tuple[list[int], list[int]]] = {}
    for meeting in movement.meetings:
        north_south, east_west = sides.setdefault(meeting.board_group, ([], []))
        north_south.append(meeting.north)
        east_west.append(meeting.east)
    return sides


def _sorted_couple(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
