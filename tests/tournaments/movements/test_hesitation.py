"""The rounds of a hesitation with an arrow switch, checked by trying all."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments.movements import Movement, build, rebuild_movement
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
                    alike = (own_place == one.north) == (their_place == other.north)
                    influence[min(own_place, their_place), max(own_place, their_place)] += (
                        1 if alike else -1
                    )
        for m in meetings:
            influence[min(m.places), max(m.places)] += len(meetings) - 1
    every = [influence[c] for c in combinations(range(1, movement.place_count + 1), 2)]
    mean = sum(every) / len(every)
    return sum((item - mean) ** 2 for item in every) / len(every)


@pytest.mark.parametrize(("tables", "before", "after"), [(7, 11.6, 5.9), (9, 19.6, 7.5)])
def test_switch_halves_unevenness(tables: int, before: float, after: float) -> None:
    newest = build("compass-hesitation", tables=tables)
    first = rebuild_movement("compass-hesitation", tables=tables)
    assert abs(compute_variance(first) - before) < 0.05
    assert abs(compute_variance(newest) - after) < 0.05
    variance = min(
        compute_variance(switch_arrows(first, [number]))
        for number in range(1, first.round_count + 1)
    )
    assert compute_variance(newest) <= variance


@pytest.mark.parametrize("tables", [4, 6, 11, 12, 14])
def test_stored_switch_rounds_are_optimal(tables: int) -> None:
    first = rebuild_movement("compass-hesitation", tables=tables)
    newest = build("compass-hesitation", tables=tables)
    assert newest.meetings == switch_arrows(first, find_best_switched_rounds(first)).meetings


def test_nobody_changes_sides_at_three_tables() -> None:
    movement = build("compass-hesitation", tables=3)
    assert movement.edition == 1
    assert "sides changed" not in movement.title


def test_other_rounds_can_be_switched_and_curtailed_movement_has_own_switch() -> None:
    assert build("compass-hesitation", tables=7, switch=[3]).title.endswith("in round 3)")
    short = build("compass-hesitation", tables=7, rounds=6)
    turned = {m.round for m in short.meetings if m.table == 1 and m.north > m.east}
    assert len(turned) == 1
    assert turned <= set(range(1, 7))
