"""When one pair is missing, the fairest position is left empty."""

from fractions import Fraction

import pytest

from exchange.eventfile.sections import build_movement
from tournaments.movements import Movement, build_named_movement, rebuild_movement
from tournaments.movements.balance import compute_balance
from tournaments.movements.exports import build_movement_json

SYSTEM_NAMES = ("howell", "reduced-howell", "compass-hesitation")


def compute_variance(movement: Movement) -> Fraction:
    """Return the variance of comparisons over all couples."""
    balance = compute_balance(movement)
    competitor_count = len(balance.competitors)
    comparison_counts = [
        balance.same_side_counts[a][b] for a in range(competitor_count) for b in range(a)
    ]
    mean = Fraction(sum(comparison_counts), len(comparison_counts))
    return sum(((count - mean) ** 2 for count in comparison_counts), Fraction()) / len(
        comparison_counts
    )


@pytest.mark.parametrize(
    ("system_name", "pairs"),
    [
        (name, pairs)
        for name in SYSTEM_NAMES
        for pairs in (5, 7, 9, 11, 15, 19)
        if (name, pairs) != ("reduced-howell", 5)  # it begins at 7 pairs
    ],
)
def test_default_empty_position_has_smallest_variance(system_name: str, pairs: int) -> None:
    movement = build_named_movement(system_name, pairs=pairs)
    other_movements = (
        build_named_movement(system_name, pairs=pairs, absent=[n])
        for n in range(1, movement.place_count + 1)
    )
    assert compute_variance(movement) == min(map(compute_variance, other_movements))


def test_howell_for_nine_pairs_leaves_fairest_position_empty() -> None:
    assert compute_variance(build_named_movement("howell", pairs=9)) == Fraction(8, 9)
    assert compute_variance(build_named_movement("howell", pairs=9, edition=1)) == 2


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_movement_without_edition_keeps_its_empty_position(name: str) -> None:
    old = rebuild_movement(name, pairs=9)
    assert old.absent_places == {10}
    assert build_named_movement(name, pairs=9, edition=1).meetings == old.meetings


@pytest.mark.parametrize(("name", "pairs"), [("howell", 13), ("howell", 9), ("howell", 8)])
def test_file_written_from_movement_json_rebuilds_that_movement(name: str, pairs: int) -> None:
    movement = build_named_movement(name, pairs=pairs)
    movement_json = build_movement_json(movement)
    movement_data = {
        "name": movement_json["name"],
        "pairs": pairs,
        "edition": movement_json["edition"],
    }
    rebuilt_movement = build_movement(movement_data | {"boards_a_round": 2}, "pairs")
    assert (rebuilt_movement.played_meetings, rebuilt_movement.absent_places) == (
        movement.played_meetings,
        movement.absent_places,
    )
