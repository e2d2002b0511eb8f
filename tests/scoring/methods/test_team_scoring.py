from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import build_average_line, build_plain_line
from scoring.methods.plus_minus import score_plus_minus
from scoring.methods.steps import EXACT_FORMATTERS, render_step_with_parts
from scoring.methods.teams import (
    TEAM_MATCHES_METHOD,
    TEAM_TRICKS_METHOD,
    list_team_gains,
    list_team_matches,
    score_team_matches,
    score_team_tricks,
)
from tests.scoring.methods.plays import F, draw_lines, with_few_examples

A, B, C = 1, 2, 3


def build_team_lines(deal, first_team, second, first_ns_tricks, second_ns_tricks):
    """Return one deal between two teams: each sits N-S at one of the two tables."""
    return [
        build_plain_line(deal, (first_team,), (second,), first_ns_tricks),
        build_plain_line(deal, (second,), (first_team,), second_ns_tricks),
    ]


def test_team_gain_is_both_scores_minus_thirteen():
    event = build_team_lines(1, A, B, 8, 7)  # A has 8 + 6 - 13

    assert score_team_tricks(event) == {A: 1, B: -1}


def test_tricks_above_half_decide_a_match_of_two_teams():
    event = [
        *build_team_lines(1, A, B, 8, 7),
        *build_team_lines(2, A, B, 3, 6),
        *build_team_lines(3, A, B, 9, 4),
    ]
    tricks_taken = 8 + 6 + 3 + 7 + 9 + 9

    assert score_team_tricks(event)[A] == tricks_taken - F(13 * 6, 2)


def test_odd_pair_is_compared_with_the_average_of_the_opposite_pairs():
    # Three pairs a team, one deal: A has two pairs N-S and one E-W. The American Whist League's
    # code of 1894: A adds the E-W average (6 + 4 + 8) / 3, B the N-S average (7 + 9 + 5) / 3.
    event = [
        build_plain_line(1, (A,), (B,), 7),
        build_plain_line(1, (A,), (B,), 9),
        build_plain_line(1, (B,), (A,), 5),
    ]
    first_team_tricks = 7 + 9 + 8 + F(6 + 4 + 8, 3)
    second_team_tricks = 6 + 4 + 5 + F(7 + 9 + 5, 3)

    assert first_team_tricks + second_team_tricks == 13 * 4
    assert score_team_tricks(event) == {A: first_team_tricks - 26, B: second_team_tricks - 26}
    assert render_step_with_parts(TEAM_TRICKS_METHOD.explain_entry(event, A), EXACT_FORMATTERS)[
        1
    ] == (
        "Deal 1, against 2, both ways, with 6 credited to us and 7 to them "
        "for the odd pairs: +4."
    )
    assert render_step_with_parts(TEAM_TRICKS_METHOD.explain_entry(event, B), EXACT_FORMATTERS)[
        1
    ] == (
        "Deal 1, against 1, both ways, with 7 credited to us and 6 to them "
        "for the odd pairs: -4."
    )


def test_every_two_teams_that_met_have_one_match():
    event = [
        *build_team_lines(1, A, B, 8, 7),
        *build_team_lines(2, A, B, 7, 7),
        *build_team_lines(3, B, C, 7, 7),
        *build_team_lines(4, A, C, 5, 9),
    ]

    assert [
        (match.first_entry_number, match.second_entry_number, match.net_tricks)
        for match in list_team_matches(event)
    ] == [
        (A, B, 1),
        (A, C, -4),
        (B, C, 0),
    ]
    assert score_team_matches(event) == {A: 1, B: F(1, 2), C: F(3, 2)}
    assert render_step_with_parts(
        TEAM_MATCHES_METHOD.explain_entry(event, A), EXACT_FORMATTERS
    ) == [
        "1 of 2 matches. A tied match counts half.",
        "Against 2, 2 deals compared: +1, worth 1.",
        "Against 3, 1 deal compared: -4, worth 0.",
    ]


def test_deal_that_cannot_be_compared_scores_nothing():
    one_way_lines = [build_plain_line(1, (A,), (B,), 12)]
    one_average_lines = [build_average_line(2, (A,), (B,)), build_plain_line(2, (B,), (A,), 0)]
    same_team_lines = [build_plain_line(3, (A,), (A,), 12), build_plain_line(3, (B,), (B,), 1)]

    assert list_team_gains([*one_way_lines, *one_average_lines, *same_team_lines]) == []
    assert score_team_tricks([*one_way_lines, *same_team_lines]) == {A: 0, B: 0}
    assert score_team_matches(one_average_lines) == {A: 0, B: 0}


@with_few_examples
@given(st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), min_size=1, max_size=12))
def test_aggregate_score_of_two_teams_equals_their_net_tricks(scores):
    event = [
        line
        for deal, (score, second_score) in enumerate(scores, 1)
        for line in build_team_lines(deal, A, B, score, second_score)
    ]

    assert score_plus_minus(event) == score_team_tricks(event)


@with_few_examples
@given(draw_lines())
def test_gain_of_one_team_is_the_loss_of_the_other(drawn):
    assert sum(score_team_tricks(drawn).values()) == 0


@with_few_examples
@given(draw_lines())
def test_all_team_scores_sum_to_the_number_of_matches(drawn):
    assert sum(score_team_matches(drawn).values()) == len(list_team_matches(drawn))
