"""When one pair is missing, the fairest position is left empty."""

from fractions import Fraction

import pytest

from exchange.eventfile.sections import build_movement
from tournaments.movements import Movement, build, rebuild_movement
from tournaments.movements.balance import compute_balance
from tournaments.movements.exports import build_movement_json

SYSTEMS = ("howell", "reduced-howell", "compass-hesitation")


def compute_variance(movement: Movement) -> Fraction:
    """Return the variance of comparisons over all couples."""
    figures = compute_balance(movement)
    size = len(figures.competitors)
    counts = [figures.same_side_counts[a][b] for a in range(size) for b in range(a)]
    mean = Fraction(sum(counts), len(counts))
    return sum(((count - mean) ** 2 for count in counts), Fraction()) / len(counts)


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        (name, pairs)
        for name in SYSTEMS
        for pairs in (5, 7, 9, 11, 15, 19)
        if (name, pairs) != ("reduced-howell", 5)  # it begins at 7 pairs
    ],
)
def test_no_other_empty_position_is_fairer(name: str, pairs: int) -> None:
    movement = build(name, pairs=pairs)
    others = (build(name, pairs=pairs, absent=[n]) for n in range(1, movement.place_count + 1))
    assert compute_variance(movement) == min(map(compute_variance, others))


def test_howell_for_nine_pairs_leaves_fairest_position_empty() -> None:
    assert compute_variance(build("howell", pairs=9)) == Fraction(8, 9)
    assert compute_variance(build("howell", pairs=9, edition=1)) == 2


@pytest.mark.parametrize("name", SYSTEMS)
def test_movement_without_edition_keeps_its_empty_position(name: str) -> None:
    old = rebuild_movement(name, pairs=9)
    assert old.absent_places == {10}
    assert build(name, pairs=9, edition=1).meetings == old.meetings


@pytest.mark.parametrize(("name", "pairs"), [("howell", 13), ("howell", 9), ("howell", 8)])
def test_file_written_from_movement_json_rebuilds_that_movement(name: str, pairs: int) -> None:
    movement = build(name, pairs=pairs)
    movement_json = build_movement_json(movement)
    written = {
        "name": movement_json["name"],
        "pairs": pairs,
        "edition": movement_json["edition"],
    }
    repeated_movement = build_movement(written | {"boards_a_round": 2}, "pairs")
    assert (repeated_movement.played_meetings, repeated_movement.absent_places) == (
        movement.played_meetings,
        movement.absent_places,
    )
