"""Total less the field's average, as computed in The Standard Hoyle."""

from fractions import Fraction

from hypothesis import given

from scoring.methods import build_plain_line, list_entries
from scoring.methods.field_average import (
    METHOD,
    group_entries_by_side,
    score_against_field_average,
)
from scoring.methods.plus_minus import score_plus_minus
from scoring.methods.tricks import score_tricks
from tests.scoring.methods.plays import draw_lines, with_few_examples

WORKED_EXAMPLE = [
    build_plain_line(deal, (ns,), (ew,), 13 if ns == 4 else 7)
    for deal, ns, ew in [(1, 3, 1), (1, 4, 2), (2, 3, 2), (2, 4, 1)]
]


def test_each_total_is_compared_with_its_sides_average():
    assert group_entries_by_side(WORKED_EXAMPLE) == [("NS", (3, 4)), ("EW", (1, 2))]
    assert score_against_field_average(WORKED_EXAMPLE) == {3: -6, 4: 6, 1: 0, 2: 0}


def test_entry_on_both_sides_makes_a_single_field():
    plain_lines = [*WORKED_EXAMPLE, build_plain_line(3, (1,), (4,), 5)]
    assert group_entries_by_side(plain_lines) == [(None, (1, 2, 3, 4))]
    assert score_against_field_average(plain_lines)[4] == 26 + 8 - Fraction(5 * 13, 4)


@with_few_examples
@given(drawn_lines=draw_lines())
def test_plus_and_minus_scores_of_each_field_sum_to_zero(drawn_lines):
    scores, totals = score_against_field_average(drawn_lines), score_tricks(drawn_lines)
    assert sorted(scores) == list_entries(drawn_lines)
    for _side, entries in group_entries_by_side(drawn_lines):
        assert sum(scores[entry] for entry in entries) == 0
        assert len({totals[entry] - scores[entry] for entry in entries}) == 1


def test_field_average_equals_plus_minus_if_a_side_played_the_same_deals():
    assert score_against_field_average(WORKED_EXAMPLE) == score_plus_minus(WORKED_EXAMPLE)


@with_few_examples
@given(drawn=draw_lines())
def test_explanation_sums_to_the_score(drawn):
    scores = score_against_field_average(drawn)
    for entry in list_entries(drawn):
        explanation = METHOD.explain_entry(drawn, entry)
        assert (
            explanation.amount
            == scores[entry]
            == sum(part.amount for part in explanation.parts)
        )
