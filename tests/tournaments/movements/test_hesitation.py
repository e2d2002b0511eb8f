"""The rounds of a hesitation with an arrow switch, checked by trying all."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments.movements import Movement, build_named_movement, rebuild_movement
from tournaments.movements.arrow import find_best_switched_rounds, switch_arrows


def compute_variance(movement: Movement) -> float:
    """Return the variance of influence over all couples.

    Where two meet, all other tables count for their influence.
    """
    influence: Counter[tuple[int, int]] = Counter()
    for group in range(1, movement.group_count + 1):
        meetings = [m for m in movement.meetings if m.board_group == group]
        for one, other in combinations(meetings, 2):
            for own_place in one.places:
                for their_place in other.places:
                    is_same_side = (own_place == one.north) == (their_place == other.north)
                    influence[min(own_place, their_place), max(own_place, their_place)] += (
                        1 if is_same_side else -1
                    )
        for m in meetings:
            influence[min(m.places), max(m.places)] += len(meetings) - 1
    influence_values = [
        influence[c] for c in combinations(range(1, movement.place_count + 1), 2)
    ]
    mean = sum(influence_values) / len(influence_values)
    return sum((item - mean) ** 2 for item in influence_values) / len(influence_values)


@pytest.mark.parametrize(
    ("tables", "variance_before", "variance_after"), [(7, 11.6, 5.9), (9, 19.6, 7.5)]
)
def test_arrow_switch_halves_variance(
    tables: int, variance_before: float, variance_after: float
) -> None:
    newest_edition = build_named_movement("compass-hesitation", tables=tables)
    first_edition = rebuild_movement("compass-hesitation", tables=tables)
    assert abs(compute_variance(first_edition) - variance_before) < 0.05
    assert abs(compute_variance(newest_edition) - variance_after) < 0.05
    lowest_variance = min(
        compute_variance(switch_arrows(first_edition, [number]))
        for number in range(1, first_edition.round_count + 1)
    )
    assert compute_variance(newest_edition) <= lowest_variance


@pytest.mark.parametrize("tables", [4, 6, 11, 12, 14])
def test_stored_switch_rounds_are_optimal(tables: int) -> None:
    first = rebuild_movement("compass-hesitation", tables=tables)
    newest = build_named_movement("compass-hesitation", tables=tables)
    assert newest.meetings == switch_arrows(first, find_best_switched_rounds(first)).meetings


def test_hesitation_mitchell_of_three_tables_has_no_arrow_switch() -> None:
    movement = build_named_movement("compass-hesitation", tables=3)
    assert movement.edition == 1
    assert "sides changed" not in movement.title


def test_switch_round_can_be_chosen_and_shortened_movement_has_own_switch() -> None:
    assert build_named_movement("compass-hesitation", tables=7, switch=[3]).title.endswith(
        "in round 3)"
    )
    curtailed_movement = build_named_movement("compass-hesitation", tables=7, rounds=6)
    switched_rounds = {
        m.round for m in curtailed_movement.meetings if m.table == 1 and m.north > m.east
    }
    assert len(switched_rounds) == 1
    assert switched_rounds <= set(range(1, 7))
