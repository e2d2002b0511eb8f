"""Test victory points, and which unfinished matches count."""

import itertools
from decimal import Decimal
from fractions import Fraction

import pytest

from tournaments.swiss.victory_points import (
    PAIRS_FACTOR,
    VictoryPointScale,
    score_unfinished_match,
)


@pytest.mark.parametrize(
    ("margin", "points"),
    [(0, "10.00"), (1, "11.61"), (3, "14.26"), (8, "18.51"), (11, "20.00")],
)
def test_points_for_four_board_match_equal_published_table(margin: int, points: str) -> None:
    scale = VictoryPointScale(4)
    assert scale.max_margin == 11
    assert scale.compute_points(Fraction(margin)) == (Decimal(points), 20 - Decimal(points))
    assert scale.compute_points(Fraction(-margin)) == (20 - Decimal(points), Decimal(points))


@pytest.mark.parametrize(
    ("margin", "points"), [(1, "10.31"), (10, "12.80"), (30, "16.73"), (60, "20.00")]
)
def test_points_with_upper_limit_fifteen_equal_reference_scale(
    margin: int, points: str
) -> None:
    assert VictoryPointScale(16, Fraction(15)).compute_points(Fraction(margin))[0] == Decimal(
        points
    )


@pytest.mark.parametrize(
    ("scale", "points"),
    [
        (
            VictoryPointScale(4),
            "10.00 11.61 13.02 14.26 15.35 16.30 17.13 17.87 18.51 19.07 19.57 20.00",
        ),
        (VictoryPointScale(1, PAIRS_FACTOR), "10.00 14.05 16.85 18.78 20.00"),
    ],
)
def test_points_table_ends_at_first_margin_that_wins_all_points(
    scale: VictoryPointScale, points: str
) -> None:
    assert [f"{winner_points}" for _margin, winner_points in scale.build_points_table()] == (
        points.split()
    )
    margins = [margin for margin, _points in scale.build_points_table()]
    assert margins == list(range(len(points.split())))


@pytest.mark.parametrize("boards", [1, 4, 7, 24])
def test_points_never_decrease_with_margin_and_steps_never_increase(boards: int) -> None:
    rows = [
        points
        for _margin, points in VictoryPointScale(boards, PAIRS_FACTOR).build_points_table()
    ]
    steps = [after - before for before, after in itertools.pairwise(rows)]
    assert rows[0] == 10
    assert rows[-1] == 20
    assert all(step >= 0 for step in steps)
    assert all(after <= before + Decimal("0.01") for before, after in itertools.pairwise(steps))


def test_unfinished_match_counts_if_half_of_its_boards_are_played() -> None:
    assert score_unfinished_match(Fraction(3), 2, 4) == (3, 2)
    assert score_unfinished_match(Fraction(3), 1, 4) is None
