"""Test match points: victory points, tricks against the field, totals and ties."""

import itertools
from decimal import Decimal
from fractions import Fraction

import pytest

from tournaments.swiss.totals import (
    SwissMatch,
    rank_entries,
    score_unfinished,
)
from tournaments.swiss.victory_points import PAIRS_FACTOR, VictoryPointScale


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
def test_printed_scale_has_every_margin_up_to_the_first_with_all_points(
    scale: VictoryPointScale, points: str
) -> None:
    assert [f"{winner_points}" for _margin, winner_points in scale.build_table()] == (
        points.split()
    )
    margins = [margin for margin, _points in scale.build_table()]
    assert margins == list(range(len(points.split())))


@pytest.mark.parametrize("boards", [1, 4, 7, 24])
def test_larger_margin_never_scores_less_and_gains_never_increase(boards: int) -> None:
    rows = [points for _margin, points in VictoryPointScale(boards, PAIRS_FACTOR).build_table()]
    steps = [after - before for before, after in itertools.pairwise(rows)]
    assert rows[0] == 10
    assert rows[-1] == 20
    assert all(step >= 0 for step in steps)
    assert all(after <= before + Decimal("0.01") for before, after in itertools.pairwise(steps))


def test_unfinished_match_counts_from_half_of_its_boards() -> None:
    assert score_unfinished(Fraction(3), 2, 4) == (3, 2)
    assert score_unfinished(Fraction(3), 1, 4) is None


def rank_matches(matches: list[SwissMatch], **options: object) -> list[tuple[object, int]]:
    ids = range(1, 5)
    return [(line.id, line.rank) for line in rank_entries(matches, ids, **options)]


def test_corrected_total_breaks_ties_or_decides_ranking_if_configured() -> None:
    matches = [
        *(SwissMatch(1, 1, 2, Fraction(4)), SwissMatch(1, 3, 4, Fraction(6))),
        *(SwissMatch(2, 1, 3, Fraction(-2)), SwissMatch(2, 2, 4, Fraction(6))),
    ]
    # totals 2, 2, 8, -12: 1 met 2 and 3 (10), 2 met 1 and 4 (-10)
    assert rank_matches(matches) == [(3, 1), (1, 2), (2, 3), (4, 4)]
    lines = {line.id: line for line in rank_entries(matches, range(1, 5))}
    assert [lines[n].corrected_total for n in range(1, 5)] == [7, -3, 3, -7]
    assert rank_matches(matches, is_by_corrected=True)[0] == (1, 1)
    assert rank_matches(matches, boards=48)[0] == (1, 1)


def test_ties_break_by_direct_match_then_boards_won_or_stay_shared() -> None:
    level = [SwissMatch(1, 1, 2, Fraction(1)), SwissMatch(2, 1, 2, Fraction(-1))]
    assert rank_matches(level) == [(1, 1), (2, 1), (3, 1), (4, 1)]
    boards = [SwissMatch(1, 1, 2, Fraction(0), boards_won=3, boards_lost=1)]
    assert rank_matches(boards) == [(1, 1), (2, 2), (3, 3), (4, 3)]


def test_match_between_two_tied_entries_decides_before_boards_won() -> None:
    # 1 beats 2, and 4 beats 3: totals 2, 2, -2, -2, and all corrected totals are equal in pairs
    matches = [
        *(SwissMatch(1, 1, 2, Fraction(2)), SwissMatch(1, 3, 4, Fraction(-2))),
        *(SwissMatch(2, 1, 3, Fraction(0)), SwissMatch(2, 2, 4, Fraction(4), boards_won=2)),
    ]
    assert rank_matches(matches) == [(1, 1), (2, 2), (4, 3), (3, 4)]


def test_three_entries_that_beat_each_other_in_a_circle_share_a_place() -> None:
    matches = [
        SwissMatch(1, 1, 2, Fraction(2)),
        SwissMatch(2, 2, 3, Fraction(2)),
        SwissMatch(3, 3, 1, Fraction(2)),
    ]
    ranking = rank_entries(matches, [1, 2, 3])
    assert [(row.id, row.rank) for row in ranking] == [(1, 1), (2, 1), (3, 1)]


def test_missed_round_does_not_lower_corrected_total() -> None:
    matches = [
        *(SwissMatch(1, 1, 2, Fraction(2)), SwissMatch(1, 3, 4, Fraction(0))),
        SwissMatch(2, 1, 3, Fraction(2)),
    ]
    lines = {line.id: line for line in rank_entries(matches, range(1, 5))}
    assert lines[2].matches_played == 1
    assert lines[2].corrected_total == -2 + (4 - 2) / Fraction(
        2
    )  # the opponent's, and its own mean


def test_bye_counts_configured_points() -> None:
    lines = {line.id: line for line in rank_entries([], [1, 2], byes={1: Fraction(10)})}
    assert (lines[1].rank, lines[1].total) == (1, 10)
