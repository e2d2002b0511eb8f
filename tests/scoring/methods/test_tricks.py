from hypothesis import given

from scoring.methods import build_average_line, build_plain_line
from scoring.methods.steps import EXACT_WRITERS, render_step_with_parts
from scoring.methods.tricks import (
    METHOD,
    compute_field_average,
    count_tricks_taken,
    list_line_values,
    round_to_nearest_trick,
    score_tricks,
)
from tests.scoring.methods.plays import F, draw_lines, modestly, read_night_lines

SOME = [
    build_plain_line(1, (1,), (2,), 9),
    build_plain_line(1, (3,), (4,), 6),
    build_average_line(1, (5,), (6,)),
]


def test_every_play_of_an_evening_adds_thirteen_tricks():
    evening = list(read_night_lines())

    assert sum(score_tricks(evening).values()) == 13 * 196


def test_an_average_counts_as_the_average_of_the_other_tables():
    assert score_tricks(SOME)[5] == F(15, 2)
    assert score_tricks(SOME)[6] == F(11, 2)
    assert list_line_values(SOME)[2] == (F(15, 2), F(11, 2))


def test_an_average_where_nobody_played_counts_nothing():
    assert score_tricks([build_average_line(1, (5,), (6,))]) == {5: 0, 6: 0}


def test_tricks_taken_leave_averages_out():
    assert count_tricks_taken(SOME) == {1: 9, 2: 4, 3: 6, 4: 7, 5: 0, 6: 0}


def test_an_average_may_be_taken_to_the_nearest_trick():
    assert [round_to_nearest_trick(F(item, 4)) for item in (28, 29, 30, 31)] == [7, 7, 8, 8]


def test_a_field_that_nobody_entered_has_no_average():
    assert compute_field_average({1: F(9)}, []) is None
    assert compute_field_average({1: F(9)}, [1, 2]) == F(9, 2)


@modestly
@given(draw_lines(splits=False))
def test_every_line_adds_thirteen_tricks_where_somebody_played_its_deal(drawn):
    on_deals = {line.deal for line in drawn if line.ns_tricks is not None}
    counting = [line for line in drawn if line.deal in on_deals]

    assert sum(score_tricks(drawn).values()) == 13 * len(counting)


def test_the_explanation_lists_every_deal():
    assert render_step_with_parts(METHOD.explain(SOME, 5), EXACT_WRITERS) == [
        "Total: 15/2 tricks on 1 deal.",
        "Deal 1, N-S: average of the other tables, 15/2.",
    ]
    assert (
        render_step_with_parts(METHOD.explain(SOME, 1), EXACT_WRITERS)[1]
        == "Deal 1, N-S: 9 tricks."
    )
