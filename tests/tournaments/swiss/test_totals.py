"""The value of matches: victory points, tricks against the field, totals and ties."""

import itertools
from decimal import Decimal
from fractions import Fraction

import pytest

from tournaments.swiss.totals import (
    SwissMatch,
    rank_entries,
    score_unfinished,
)
from tournaments.swiss.victory_points import PAIRS, VictoryPointScale


@pytest.mark.parametrize(
    ("margin", "points"),
    [(0, "10.00"), (1, "11.61"), (3, "14.26"), (8, "18.51"), (11, "20.00")],
)
def test_a_match_of_four_boards_is_worth_what_the_table_says(margin: int, points: str) -> None:
    scale = VictoryPointScale(4)
    assert scale.end == 11
    assert scale.of(Fraction(margin)) == (Decimal(points), 20 - Decimal(points))
    assert scale.of(Fraction(-margin)) == (20 - Decimal(points), Decimal(points))


@pytest.mark.parametrize(
    ("margin", "points"), [(1, "10.31"), (10, "12.80"), (30, "16.73"), (60, "20.00")]
)
def test_with_the_other_end_it_is_the_scale_it_is_shaped_after(
    margin: int, points: str
) -> None:
    assert VictoryPointScale(16, Fraction(15)).of(Fraction(margin))[0] == Decimal(points)


@pytest.mark.parametrize("boards", [1, 4, 7, 24])
def test_a_larger_margin_is_never_worth_less_nor_gains_more(boards: int) -> None:
    rows = [points for _margin, points in VictoryPointScale(boards, PAIRS).table()]
    steps = [after - before for before, after in itertools.pairwise(rows)]
    assert rows[0] == 10
    assert rows[-1] == 20
    assert all(step >= 0 for step in steps)
    assert all(after <= before + Decimal("0.01") for before, after in itertools.pairwise(steps))


def test_a_match_that_was_not_finished_counts_from_half_of_it_on() -> None:
    assert score_unfinished(Fraction(3), 2, 4) == (3, 2)
    assert score_unfinished(Fraction(3), 1, 4) is None


def rank_matches(matches: list[SwissMatch], **options: object) -> list[tuple[object, int]]:
    ids = range(1, 5)
    return [(line.id, line.rank) for line in rank_entries(matches, ids, **options)]


def test_the_corrected_total_breaks_a_tie_and_decides_where_that_was_chosen() -> None:
    matches = [
        *(SwissMatch(1, 1, 2, Fraction(4)), SwissMatch(1, 3, 4, Fraction(6))),
        *(SwissMatch(2, 1, 3, Fraction(-2)), SwissMatch(2, 2, 4, Fraction(6))),
    ]
    # totals 2, 2, 8, -12: 1 met 2 and 3 (10), 2 met 1 and 4 (-10)
    assert rank_matches(matches) == [(3, 1), (1, 2), (2, 3), (4, 4)]
    lines = {line.id: line for line in rank_entries(matches, range(1, 5))}
    assert [lines[n].corrected for n in range(1, 5)] == [7, -3, 3, -7]
    assert rank_matches(matches, by_corrected=True)[0] == (1, 1)
    assert rank_matches(matches, boards=48)[0] == (1, 1)


def test_the_match_between_two_then_boards_won_and_else_a_shared_place() -> None:
    level = [SwissMatch(1, 1, 2, Fraction(1)), SwissMatch(2, 1, 2, Fraction(-1))]
    assert rank_matches(level) == [(1, 1), (2, 1), (3, 1), (4, 1)]
    boards = [SwissMatch(1, 1, 2, Fraction(0), won=3, lost=1)]
    assert rank_matches(boards) == [(1, 1), (2, 2), (3, 3), (4, 3)]


def test_who_missed_a_round_is_not_punished_in_the_corrected_total() -> None:
    matches = [
        *(SwissMatch(1, 1, 2, Fraction(2)), SwissMatch(1, 3, 4, Fraction(0))),
        SwissMatch(2, 1, 3, Fraction(2)),
    ]
    lines = {line.id: line for line in rank_entries(matches, range(1, 5))}
    assert lines[2].played == 1
    assert lines[2].corrected == -2 + (4 - 2) / Fraction(2)  # the opponent's, and its own mean


def test_a_bye_counts_what_was_settled() -> None:
    lines = {line.id: line for line in rank_entries([], [1, 2], byes={1: Fraction(10)})}
    assert (lines[1].rank, lines[1].total) == (1, 10)
