"""Victory points of matches: half of the matches here are worked by hand.

The values of the scale come from an independent calculation in floating point.
"""

from fractions import Fraction
from math import sqrt

import pytest

from scoring.methods import build_average_line, build_plain_line
from scoring.methods.result_line import ResultLine
from scoring.methods.steps import EXACT_FORMATTERS, render_step_with_parts
from scoring.methods.victory_points import (
    PAIRS_METHOD,
    TEAMS_METHOD,
    MatchMargin,
    MatchVictoryPoints,
    compute_match_points,
    count_matches_in_round,
    list_pair_matches,
    list_started_matches,
    score_pair_victory_points,
    score_team_victory_points,
)
from tournaments.swiss.victory_points import PAIRS_FACTOR, TEAMS_FACTOR

F = Fraction
A, B, C, D = 1, 2, 3, 4
FIRST_ROUND, SECOND_ROUND = 1001, 1002


def compute_scale_points(margin: float, boards: int, *, a_board: float) -> Fraction:
    """Compute the first side's points on the World Bridge Federation's curve."""
    golden = (sqrt(5) - 1) / 2
    margin_share = min(abs(margin) / (a_board * sqrt(boards)), 1)
    winner = round(10 + 10 * (1 - golden ** (3 * margin_share)) / (1 - golden**3) + 1e-9, 2)
    return F(str(winner)) if margin >= 0 else 20 - F(str(winner))


def build_line(deal: int, ns: int, ew: int, tricks: int, match: int) -> ResultLine:
    return build_plain_line(deal, (ns,), (ew,), tricks)._replace(match_number=match)


def build_pairs_round() -> list[ResultLine]:
    """Two boards at two tables: 1 plays 2, and 4 plays 3.

    North-South of board 1 make 9 and 5, on average 7; of board 2 they make 6 and 7.
    """
    return [
        build_line(1, A, B, 9, FIRST_ROUND),
        build_line(1, D, C, 5, FIRST_ROUND),
        build_line(2, B, A, 6, FIRST_ROUND),
        build_line(2, D, C, 7, FIRST_ROUND),
    ]


def test_pair_match_margin_is_its_score_above_the_field():
    # Board 1: 1 is 2 above the field, 4 is 2 below; board 2: 2 is ½ below, 4 is ½ above.
    assert list_pair_matches(build_pairs_round()) == [
        MatchMargin(A, B, FIRST_ROUND, F(5, 2), 2),
        MatchMargin(C, D, FIRST_ROUND, F(3, 2), 2),
    ]


def test_split_score_counts_half_of_its_difference():
    # A ruling gives 9 tricks to N-S and 6 to E-W of board 1: 2 above the N-S field of 7, and
    # 1 below the E-W field of 7. The margin is (2 − (−1)) : 2.
    split_line = ResultLine(1, (A,), (B,), 9, 6)._replace(match_number=FIRST_ROUND)
    lines = [split_line, build_line(1, D, C, 5, FIRST_ROUND)]
    margins_by_pair = {match[:2]: match.margin for match in list_pair_matches(lines)}
    assert margins_by_pair[A, B] == F(3, 2)


def test_pairs_of_a_match_share_twenty_points_by_their_margin():
    lines = build_pairs_round()
    expected = {
        A: compute_scale_points(2.5, 2, a_board=3.9),
        C: compute_scale_points(1.5, 2, a_board=3.9),
    }
    scores = score_pair_victory_points(lines)
    assert scores == expected | {B: 20 - expected[A], D: 20 - expected[C]}
    assert scores[A] > scores[C] > 10


def test_points_of_all_rounds_are_added():
    second_round = [
        line._replace(deal_number=line.deal_number + 2, match_number=SECOND_ROUND)
        for line in build_pairs_round()
    ]
    one_round_scores = score_pair_victory_points(build_pairs_round())
    both_rounds_scores = score_pair_victory_points([*build_pairs_round(), *second_round])
    assert both_rounds_scores == {entry: 2 * score for entry, score in one_round_scores.items()}


def build_team_board(
    deal: int, home: int, away: int, first_tricks: int, second: int, match: int
):
    """A board played both ways: `home` is N-S at the first table and E-W at the second."""
    return [
        build_line(deal, home, away, first_tricks, match),
        build_line(deal, away, home, second, match),
    ]


def test_teams_score_the_net_tricks_of_boards_played_both_ways():
    lines = [
        *build_team_board(1, A, B, 8, 5, FIRST_ROUND),  # 3 tricks to A
        *build_team_board(2, A, B, 7, 8, FIRST_ROUND),  # 1 trick to B
    ]
    points = compute_scale_points(2, 2, a_board=5.5)
    assert score_team_victory_points(lines) == {A: points, B: 20 - points}


def test_team_match_counts_as_begun_after_its_first_table():
    lines = [
        *build_team_board(1, A, B, 8, 5, FIRST_ROUND),
        build_line(1, D, C, 9, FIRST_ROUND),
        build_average_line(2, (C,), (C,)),  # a team that meets itself is no match
    ]
    assert list_started_matches(lines) == [
        MatchMargin(A, B, FIRST_ROUND, F(3), 1),
        MatchMargin(C, D, FIRST_ROUND, F(0), 0),
    ]
    assert score_team_victory_points(lines)[C] == score_team_victory_points(lines)[D] == 10


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_three_way_match_has_two_matches_for_each_entry(order):
    meetings = [(FIRST_ROUND, A, B), (FIRST_ROUND, A, C), (FIRST_ROUND, B, C)]
    match_counts = count_matches_in_round([meetings[index] for index in order])
    assert match_counts == {(FIRST_ROUND, entry): 2 for entry in (A, B, C)}


def test_missing_half_of_a_three_way_match_is_inferred_from_third_entry():
    counts = count_matches_in_round([(FIRST_ROUND, A, B), (FIRST_ROUND, A, C)])
    assert counts == {(FIRST_ROUND, entry): 2 for entry in (A, B, C)}


def test_rounds_of_a_movement_have_no_three_way_match():
    assert count_matches_in_round([(1, A, B), (1, A, C), (1, B, C)]) == {}


def build_three_way_round(*, boards: int, margins: tuple[int, int, int]) -> list[MatchMargin]:
    """A three-way match of A, B and C, next to a full match of D and 5 over six boards."""
    first, second, third_margin = margins
    return [
        MatchMargin(A, B, FIRST_ROUND, F(first), boards),
        MatchMargin(A, C, FIRST_ROUND, F(second), boards),
        MatchMargin(B, C, FIRST_ROUND, F(third_margin), boards),
        MatchMargin(D, 5, FIRST_ROUND, F(6), 6),
    ]


@pytest.mark.parametrize(
    ("a_board", "scale_factor"), [(PAIRS_FACTOR, 3.9), (TEAMS_FACTOR, 5.5)]
)
def test_half_of_a_three_way_match_counts_half(a_board, scale_factor):
    points = compute_match_points(build_three_way_round(boards=3, margins=(2, -1, 0)), a_board)
    halves = [
        compute_scale_points(margin, 3, a_board=scale_factor) / 2 for margin in (2, -1, 0)
    ]
    full = compute_scale_points(6, 6, a_board=scale_factor)
    assert points == [
        *(MatchVictoryPoints(half, 10 - half, is_average=False, match_counts_in_round=(2, 2))
          for half in halves),
        MatchVictoryPoints(full, 20 - full, is_average=False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("full_boards", "boards", "is_average"),
    [(6, 0, True), (6, 2, True), (6, 3, False), (6, 6, False), (7, 3, True), (7, 4, False)],
)
def test_match_of_less_than_half_of_the_boards_is_average(full_boards, boards, is_average):
    margins = [
        MatchMargin(A, B, FIRST_ROUND, F(0), full_boards),
        MatchMargin(C, D, FIRST_ROUND, F(4 if boards else 0), boards),
    ]
    points = compute_match_points(margins, TEAMS_FACTOR)[1]
    assert points.is_average is is_average
    assert points.match_counts_in_round == (1, 1)
    assert (points.first_entry_points == points.second_entry_points == 10) is is_average


@pytest.mark.parametrize(
    ("boards", "is_average"), [(0, (True, True)), (1, (True, True)), (2, (False, False))]
)
def test_unfinished_halves_are_compared_with_half_of_a_full_match(boards, is_average):
    # The full match has six boards, so a half has three: one board of three is too few.
    points = compute_match_points(
        build_three_way_round(boards=boards, margins=(0, 0, 0)), TEAMS_FACTOR
    )
    assert tuple(item.is_average for item in points[:2]) == is_average
    assert {item.first_entry_points for item in points[:3]} == {F(5)}
    assert {item.second_entry_points for item in points[:3]} == {F(5)}


def test_unfinished_half_is_compared_with_the_longest_half():
    # Without a full match, the half of four boards sets the number: one board is too few.
    margins = [
        MatchMargin(A, B, FIRST_ROUND, F(3), 4),
        MatchMargin(A, C, FIRST_ROUND, F(3), 1),
        MatchMargin(B, C, FIRST_ROUND, F(3), 2),
    ]
    points = compute_match_points(margins, TEAMS_FACTOR)
    assert [item.is_average for item in points] == [False, True, False]
    assert points[1].first_entry_points == points[1].second_entry_points == 5


def render_explanation(method, lines, entry: int) -> list[str]:
    return render_step_with_parts(method.explain_entry(lines, entry), EXACT_FORMATTERS)


def test_explanation_of_one_match_gives_its_margin_and_value():
    lines = build_pairs_round()
    won = compute_scale_points(2.5, 2, a_board=3.9)
    assert render_explanation(PAIRS_METHOD, lines, A) == [
        f"{won} victory points from 1 match.",
        f"Against 2, 2 boards: +5/2, worth {won}.",
    ]
    assert render_explanation(PAIRS_METHOD, lines, B) == [
        f"{20 - won} victory points from 1 match.",
        f"Against 1, 2 boards: -5/2, worth {20 - won}.",
    ]


def test_explanation_uses_singular_and_plural_correctly():
    lines = [
        *build_team_board(1, A, B, 8, 5, FIRST_ROUND),
        *build_team_board(2, A, C, 7, 7, SECOND_ROUND),
    ]
    won = compute_scale_points(3, 1, a_board=5.5)
    assert render_explanation(TEAMS_METHOD, lines, A) == [
        f"{won + 10} victory points from 2 matches.",
        f"Against 2, 1 board: +3, worth {won}.",
        "Against 3, 1 board: 0, worth 10.",
    ]


def test_explanation_names_halves_and_averages():
    lines = [
        *build_team_board(1, A, B, 8, 5, FIRST_ROUND),
        *build_team_board(2, A, C, 7, 7, FIRST_ROUND),
        build_line(3, C, B, 9, FIRST_ROUND),
    ]
    whole = compute_scale_points(3, 1, a_board=5.5)
    assert render_explanation(TEAMS_METHOD, lines, A) == [
        f"{whole / 2 + 5} victory points from 2 matches.",
        f"Against 2, half of a three-way match, 1 board: +3, worth half of {whole}: "
        f"{whole / 2}.",
        "Against 3, half of a three-way match, 1 board: 0, worth half of 10: 5.",
    ]
    assert render_explanation(TEAMS_METHOD, lines, C)[2] == (
        "Against 2, less than half of the boards: average, 5."
    )
