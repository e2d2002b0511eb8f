"""Finds the place of one field that is best left empty for an odd number of pairs."""

from collections import Counter
from functools import lru_cache

from tournaments.movements.schedule import Movement


def find_fairest_empty_place(
    movement: Movement, *, occupied_places: frozenset[int] = frozenset()
) -> int:
    """Return the place without which comparisons vary least; of equal ones, the highest.

    A comparison is a board group on which two pairs sit the same way at different tables.
    Places in `occupied_places` are not considered.
    """
    scaled_variances = _compute_scaled_variances(movement)
    candidates = (
        place for place in range(1, movement.place_count + 1) if place not in occupied_places
    )
    return min(candidates, key=lambda place: (scaled_variances[place - 1], -place))


@lru_cache(maxsize=256)
def _compute_scaled_variances(movement: Movement) -> tuple[int, ...]:
    """Return how much comparisons vary if a place is empty, for each place.

    The value is n² times the variance, where n pairings are compared, so that it is an integer.
    """
    comparison_counts = _count_comparisons(movement)
    all_places = range(1, movement.place_count + 1)
    pairing_count = (movement.place_count - 1) * (movement.place_count - 2) // 2
    comparison_total = sum(comparison_counts.values())
    sum_of_squares = sum(count * count for count in comparison_counts.values())
    lost_pairings_by_place = _map_lost_pairings(movement)
    scaled_variances = []
    for place in all_places:
        remaining_total, remaining_sum_of_squares = comparison_total, sum_of_squares
        lost_comparison_counts = Counter(lost_pairings_by_place[place])
        for other_place in all_places:
            if other_place != place:
                lost_comparison_counts[_sort_pairing(place, other_place)] = comparison_counts[
                    _sort_pairing(place, other_place)
                ]
        for pairing, lost_count in lost_comparison_counts.items():
            old_count = comparison_counts[pairing]
            remaining_total -= lost_count
            remaining_sum_of_squares += (old_count - lost_count) ** 2 - old_count**2
        scaled_variances.append(
            pairing_count * remaining_sum_of_squares - remaining_total * remaining_total
        )
    return tuple(scaled_variances)


def _count_comparisons(movement: Movement) -> Counter[tuple[int, int]]:
    """Count how often two places sit the same way with the same boards at different tables."""
    comparison_counts: Counter[tuple[int, int]] = Counter()
    for sides in _map_sides_by_group(movement).values():
        for side_places in sides:
            for index, place in enumerate(side_places):
                for other_place in side_places[index + 1 :]:
                    comparison_counts[_sort_pairing(place, other_place)] += 1
    return comparison_counts


def _map_lost_pairings(movement: Movement) -> dict[int, list[tuple[int, int]]]:
    """Return, by place, the pairings that lose a comparison if the place is empty."""
    sides_by_group = _map_sides_by_group(movement)
    lost_pairings_by_place: dict[int, list[tuple[int, int]]] = {
        place: [] for place in range(1, movement.place_count + 1)
    }
    for meeting in movement.meetings:
        for empty_place, idle_opponent, side_places in (
            (meeting.north, meeting.east, sides_by_group[meeting.board_group][1]),
            (meeting.east, meeting.north, sides_by_group[meeting.board_group][0]),
        ):
            lost_pairings_by_place[empty_place] += [
                _sort_pairing(idle_opponent, other_place)
                for other_place in side_places
                if other_place != idle_opponent
            ]
    return lost_pairings_by_place


def _map_sides_by_group(movement: Movement) -> dict[int, tuple[list[int], list[int]]]:
    """Return the places that sit North-South and East-West, by board group."""
    sides_by_group: dict[int, tuple[list[int], list[int]]] = {}
    for meeting in movement.meetings:
        ns_places, ew_places = sides_by_group.setdefault(meeting.board_group, ([], []))
        ns_places.append(meeting.north)
        ew_places.append(meeting.east)
    return sides_by_group


def _sort_pairing(first_place: int, second_place: int) -> tuple[int, int]:
    return (
        (first_place, second_place)
        if first_place < second_place
        else (second_place, first_place)
    )
