import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import METHODS_BY_NAME, build_average_line, build_plain_line, rank_entries
from scoring.methods.explanations import (
    build_field_average_explainer,
    explain_placing,
    is_comparable_group,
)
from scoring.methods.plus_minus import score_plus_minus
from scoring.methods.result_line import iter_result_sides
from scoring.methods.steps import EXACT_FORMATTERS, render_step, render_step_with_parts
from tests.scoring.methods.plays import (
    F,
    draw_lines,
    draw_mitchell,
    read_night_lines,
    with_few_examples,
)

LINE_METHODS = [method for method in METHODS_BY_NAME.values() if method.compute_line_scores]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS_BY_NAME.values(), ids=METHODS_BY_NAME)
@with_few_examples
@given(
    drawn_lines=draw_lines(), overplay_flags=st.lists(st.booleans(), min_size=12, max_size=12)
)
def test_parts_of_every_explanation_sum_to_the_score(method, drawn_lines, overplay_flags):
    event = [
        line._replace(is_overplay=is_overplay)
        for line, is_overplay in zip(drawn_lines, overplay_flags, strict=False)
    ]

    for entry, score in method.score(event).items():
        step = method.explain_entry(event, entry)
        assert step.amount == score
        assert sum(part.amount for part in step.parts) == score
        assert all("{" not in text for text in render_step_with_parts(step, EXACT_FORMATTERS))


@pytest.mark.parametrize("method", LINE_METHODS, ids=[item.name for item in LINE_METHODS])
@with_few_examples
@given(drawn=draw_lines(partners=True, min_line_count=1))
def test_explanation_amount_of_a_line_equals_its_score(method, drawn):
    *earlier_lines, last_line = drawn
    ns, ew = method.compute_line_scores(drawn)[-1]

    for entry, added_score in ((last_line.ns_entries[0], ns), (last_line.ew_entries[1], ew)):
        place = sum(
            entry in result_side.entries for result_side in iter_result_sides(earlier_lines)
        )
        assert method.explain_entry(drawn, entry).parts[place].amount == added_score


def test_plus_minus_explanation_compares_total_with_field_average():
    step = build_field_average_explainer(list(read_night_lines()), range(1, 8), "N-S pairs")(1)

    assert render_step_with_parts(step, EXACT_FORMATTERS) == [
        "165 tricks taken, 9 below the average of 174.",
        "165 tricks taken.",
        "174 is the average of 7 N-S pairs: 2 × 183, 179, 171, 170, 167, 165.",
    ]
    assert step.amount == score_plus_minus(list(read_night_lines()))[1]


def test_explanation_says_above_or_level_with_the_average():
    event = [
        build_plain_line(1, (pair,), (10 + pair,), tricks)
        for pair, tricks in ((1, 8), (2, 7), (3, 6))
    ]

    def render_explanation(pair):
        return render_step(
            build_field_average_explainer(event, [1, 2, 3], "N-S pairs")(pair), EXACT_FORMATTERS
        )

    assert render_explanation(1) == "8 tricks taken, 1 above the average of 7."
    assert render_explanation(2) == "7 tricks taken, level with the average of 7."


@with_few_examples
@given(draw_mitchell())
def test_field_average_explanation_agrees_with_plus_minus_scores(drawn):
    tables, event = drawn
    scores = score_plus_minus(event)

    for pair in range(1, tables + 1):
        step = build_field_average_explainer(event, range(1, tables + 1), "N-S pairs")(pair)
        assert step.amount == scores[pair]


def test_unequal_field_has_no_field_average_explanation():
    event = list(read_night_lines())
    field = range(1, 8)

    assert is_comparable_group(event, field)
    assert not is_comparable_group(event[:-1], field)
    assert not is_comparable_group(event, range(1, 7))
    assert not is_comparable_group([*event, build_average_line(29, (1,), (8,))], field)
    assert build_field_average_explainer(event[:-1], field, "N-S pairs")(1) is None
    assert build_field_average_explainer(event, field, "N-S pairs")(8) is None


def test_deal_explanation_lists_scores_of_its_average():
    event = [
        build_plain_line(1, (pair,), (10 + pair,), tricks)
        for pair, tricks in ((1, 8), (2, 7), (3, 7))
    ]

    assert render_step_with_parts(
        METHODS_BY_NAME["plus_minus"].explain_entry(
            [*event, build_average_line(2, (1,), (12,))], 1
        ),
        EXACT_FORMATTERS,
    ) == [
        "+2/3 in all, on 2 deals.",
        "Deal 1, N-S: 8 tricks, +2/3 against the average of 22/3 (3 scores: 8, 2 × 7).",
        "Deal 2, N-S: equal to the average, so the score is 0.",
    ]


def test_rank_explanation_lists_better_entries_ties_and_tie_break():
    scores = {1: F(5), 2: F(7), 3: F(5), 4: F(5)}
    tie_breaks = {"net_tricks": lambda level: {entry: F(entry == 3) for entry in level}}
    placings = rank_entries(scores, tie_breaks_by_name=tie_breaks)

    def told(entry):
        return render_step(
            explain_placing(placings, entry, {"net_tricks": "Net tricks"}), EXACT_FORMATTERS
        )

    assert told(2) == "Place 1 with 7. No one did better."
    assert told(3) == ("Place 2 with 5. 1 did better. Tie-break: Net tricks.")
    assert told(1) == ("Place 3 with 5. 2 did better. Tied with 4. Tie-break: Net tricks.")
