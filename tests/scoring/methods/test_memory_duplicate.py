from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import build_average_line, build_plain_line
from scoring.methods.memory_duplicate import METHOD, list_line_gains, score_memory_duplicate
from scoring.methods.plus_minus import score_plus_minus
from scoring.methods.steps import EXACT_FORMATTERS, render_step_with_parts
from tests.scoring.methods.plays import draw_lines, with_few_examples

ORIGINAL_LINE = build_plain_line(1, (1, 3), (2, 4), 6)
OVERPLAY_LINE = build_plain_line(1, (2, 4), (1, 3), 8)._replace(is_overplay=True)


def test_overplay_gain_is_credited_to_partners_and_debited_to_opponents():
    assert score_memory_duplicate([ORIGINAL_LINE, OVERPLAY_LINE]) == {1: -2, 2: 2, 3: -2, 4: 2}


def test_deal_without_original_or_with_an_average_scores_nothing():
    average_line = build_average_line(2, (1, 3), (2, 4))
    overplay_line = build_plain_line(2, (2, 4), (1, 3), 9)._replace(is_overplay=True)
    overplay_without_original = build_plain_line(3, (2, 4), (1, 3), 9)._replace(
        is_overplay=True
    )
    average_overplay_line = build_average_line(1, (2, 4), (1, 3))._replace(is_overplay=True)

    assert set(
        score_memory_duplicate(
            [average_line, overplay_line, overplay_without_original]
        ).values()
    ) == {0}
    assert list_line_gains([ORIGINAL_LINE, average_overplay_line]) == [(0, 0), (0, 0)]


def test_overplays_are_compared_with_the_first_play():
    second_plain_line = build_plain_line(1, (1, 3), (2, 4), 13)

    assert score_memory_duplicate([ORIGINAL_LINE, second_plain_line, OVERPLAY_LINE])[2] == 2


def test_explanation_shows_each_overplay_with_its_original():
    alone = build_plain_line(3, (2, 4), (1, 3), 9)._replace(is_overplay=True)

    assert render_step_with_parts(
        METHOD.explain_entry([ORIGINAL_LINE, OVERPLAY_LINE, alone], 1), EXACT_FORMATTERS
    ) == [
        "Total gain of the overplays: -2.",
        "Deal 1, N-S cards: original play.",
        "Deal 1, E-W cards: took 5, the original play 7: -2.",
        "Deal 3, E-W cards: no two scores to compare.",
    ]
    assert render_step_with_parts(
        METHOD.explain_entry([ORIGINAL_LINE, OVERPLAY_LINE], 2), EXACT_FORMATTERS
    )[2] == ("Deal 1, N-S cards: took 8, the original play 6: +2.")


@with_few_examples
@given(st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=8))
def test_memory_score_equals_plus_minus_if_every_deal_is_turned_once(scores):
    event = [
        line
        for deal, (first_score, second_score) in enumerate(scores, 1)
        for line in (
            build_plain_line(deal, (1, 3), (2, 4), first_score),
            build_plain_line(deal, (2, 4), (1, 3), second_score)._replace(is_overplay=True),
        )
    ]

    assert score_memory_duplicate(event) == score_plus_minus(event)


@with_few_examples
@given(
    draw_lines(partners=True, allow_splits=False),
    st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_all_gains_sum_to_zero(drawn, later):
    event = [
        line._replace(is_overplay=is_overplay)
        for line, is_overplay in zip(drawn, later, strict=False)
    ]

    assert sum(score_memory_duplicate(event).values()) == 0


def test_split_score_gives_each_side_its_own_gain() -> None:
    split_line = OVERPLAY_LINE._replace(
        ns_tricks=ORIGINAL_LINE.ns_tricks, ew_tricks=ORIGINAL_LINE.ew_tricks - 4
    )
    result_lines = [ORIGINAL_LINE, split_line]
    assert list_line_gains(result_lines)[1] == (0, -4)
    for entry in split_line.ew_entries:
        assert (
            score_memory_duplicate(result_lines)[entry]
            == METHOD.build_explainer(result_lines)(entry).amount
            == -4
        )
