from hypothesis import given

from scoring.methods import build_average_line, build_plain_line
from scoring.methods.steps import EXACT_FORMATTERS, render_step_with_parts
from scoring.methods.tricks import (
    METHOD,
    compute_field_average,
    count_tricks_taken,
    list_line_values,
    round_to_nearest_trick,
    score_tricks,
)
from tests.scoring.methods.plays import F, draw_lines, read_night_lines, with_few_examples

EXAMPLE_LINES = [
    build_plain_line(1, (1,), (2,), 9),
    build_plain_line(1, (3,), (4,), 6),
    build_average_line(1, (5,), (6,)),
]


def test_every_play_adds_thirteen_tricks():
    evening = list(read_night_lines())

    assert sum(score_tricks(evening).values()) == 13 * 196


def test_average_counts_as_the_average_of_the_other_tables():
    assert score_tricks(EXAMPLE_LINES)[5] == F(15, 2)
    assert score_tricks(EXAMPLE_LINES)[6] == F(11, 2)
    assert list_line_values(EXAMPLE_LINES)[2] == (F(15, 2), F(11, 2))


def test_average_counts_nothing_if_no_one_played_the_deal():
    assert score_tricks([build_average_line(1, (5,), (6,))]) == {5: 0, 6: 0}


def test_tricks_taken_exclude_averages():
    assert count_tricks_taken(EXAMPLE_LINES) == {1: 9, 2: 4, 3: 6, 4: 7, 5: 0, 6: 0}


def test_average_can_be_rounded_to_the_nearest_trick():
    assert [round_to_nearest_trick(F(item, 4)) for item in (28, 29, 30, 31)] == [7, 7, 8, 8]


def test_empty_field_has_no_average():
    assert compute_field_average({1: F(9)}, []) is None
    assert compute_field_average({1: F(9)}, [1, 2]) == F(9, 2)


@with_few_examples
@given(draw_lines(allow_splits=False))
def test_every_line_adds_thirteen_tricks_if_its_deal_was_played(drawn):
    played_deals = {line.deal_number for line in drawn if line.ns_tricks is not None}
    played_lines = [line for line in drawn if line.deal_number in played_deals]

    assert sum(score_tricks(drawn).values()) == 13 * len(played_lines)


def test_explanation_lists_every_deal():
    assert render_step_with_parts(METHOD.explain_entry(EXAMPLE_LINES, 5), EXACT_FORMATTERS) == [
        "Total: 15/2 tricks on 1 deal.",
        "Deal 1, N-S: average of the other tables, 15/2.",
    ]
    assert (
        render_step_with_parts(METHOD.explain_entry(EXAMPLE_LINES, 1), EXACT_FORMATTERS)[1]
        == "Deal 1, N-S: 9 tricks."
    )
