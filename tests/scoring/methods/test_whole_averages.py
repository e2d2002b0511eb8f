"""Averages to the nearest whole trick, as in the American Whist League in 1894."""

import pytest
from hypothesis import given

from scoring.methods import build_plain_line, find_method_for_contest, list_entries
from scoring.methods.explanations import build_field_average_explainer
from scoring.methods.plus_minus import score_plus_minus
from scoring.methods.steps import EXACT_FORMATTERS, render_step, render_step_with_parts
from scoring.methods.tricks import (
    compute_field_average,
    count_tricks_taken,
    round_to_nearest_trick,
)
from scoring.methods.whole_averages import METHOD, score_with_whole_averages
from tests.scoring.methods.plays import F, draw_lines, draw_mitchell, with_few_examples

# Three pairs sat N-S: 9, 8 and 5 tricks, an average of seven and a third.
EVENING_LINES = [
    build_plain_line(1, (1,), (4,), 9),
    build_plain_line(1, (2,), (5,), 8),
    build_plain_line(1, (3,), (6,), 5),
]


def test_average_of_seven_and_a_third_is_rounded_to_seven():
    assert score_with_whole_averages(EVENING_LINES) == {1: 2, 2: 1, 3: -2, 4: -2, 5: -1, 6: 2}


@with_few_examples
@given(draw_lines())
def test_rounded_score_differs_from_exact_one_by_at_most_half_a_trick(drawn):
    exact_scores, rounded_scores = score_plus_minus(drawn), score_with_whole_averages(drawn)
    assert exact_scores.keys() == rounded_scores.keys()
    assert all(
        abs(rounded_scores[entry] - exact_scores[entry]) <= F(1, 2) for entry in exact_scores
    )


@with_few_examples
@given(draw_lines(allow_splits=False))
def test_whole_tricks_give_whole_scores(drawn):
    assert all(score.denominator == 1 for score in score_with_whole_averages(drawn).values())


@with_few_examples
@given(draw_mitchell())
def test_complete_event_scores_each_total_minus_its_rounded_field_average(drawn):
    tables, event = drawn
    totals, scores = count_tricks_taken(event), score_with_whole_averages(event)
    for field in (range(1, tables + 1), range(tables + 1, 2 * tables + 1)):
        average = round_to_nearest_trick(compute_field_average(totals, field))
        assert {pair: scores[pair] for pair in field} == {
            pair: totals[pair] - average for pair in field
        }


@pytest.mark.slow
@given(draw_lines(partners=True))
def test_amount_of_the_explanation_equals_the_score(drawn):
    scores = score_with_whole_averages(drawn)
    assert {
        entry: METHOD.explain_entry(drawn, entry).amount for entry in list_entries(drawn)
    } == scores


def test_explanation_shows_the_effect_of_rounding():
    assert render_step_with_parts(METHOD.explain_entry(EVENING_LINES, 2), EXACT_FORMATTERS) == [
        "+1 in all, on 1 deal.",
        "Deal 1, N-S: 8 tricks, +2/3 against the average of 22/3 (3 scores: 9, 8, 5).",
        "The averages of these deals add up to 22/3, rounded to 7: +1/3.",
    ]


def test_plus_minus_explanation_shows_exact_and_rounded_average():
    explanation = build_field_average_explainer(
        EVENING_LINES, [1, 2, 3], "N-S pairs", has_whole_averages=True
    )(3)
    assert render_step(explanation, EXACT_FORMATTERS) == (
        "The average of 22/3 is rounded to 7. 5 tricks taken, 2 below."
    )
    assert explanation.amount == -2


def test_only_plus_minus_against_a_field_has_averages_to_round():
    assert find_method_for_contest("pairs", "plus_minus", has_whole_averages=True) is METHOD
    assert not find_method_for_contest(
        "pairs", "matchpoints", has_whole_averages=True
    ).has_whole_averages
    assert not find_method_for_contest(
        "memory", "plus_minus", has_whole_averages=True
    ).has_whole_averages
