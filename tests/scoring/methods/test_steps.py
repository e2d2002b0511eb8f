import pytest

from scoring.methods.steps import (
    EXACT_FORMATTERS,
    Step,
    choose_plural_number,
    format_signed_exact_number,
    render_computation,
    render_step,
    render_step_with_parts,
)
from tests.scoring.methods.plays import F


def test_step_whose_parts_do_not_sum_is_refused():
    with pytest.raises(ValueError, match="do not add up to 3"):
        Step(F(3), "Three.", parts=(Step(F(1), "One."), Step(F(1), "One.")))


def test_step_text_is_filled_with_formatted_values():
    values_by_name = {"took": 8, "plus": F(3, 2), "pair": 4, "share": F(1, 4), "side": "N-S"}
    text = "{side}: {took}, {plus:signed}, pair {pair:entry}, {share:percent}."

    rendered = render_step(
        Step(F(), text, values_by_name),
        EXACT_FORMATTERS | {"entry": lambda number: f"No. {number}"},
    )

    assert rendered == "N-S: 8, +3/2, pair No. 4, 25 %."


def test_equal_values_of_a_list_are_grouped():
    assert (
        render_step(Step(F(), "{all}", {"all": (9, 8, 8, 8, F(1, 2))}), EXACT_FORMATTERS)
        == "9, 3 × 8, 1/2"
    )


def test_step_is_rendered_before_its_parts():
    step = Step(F(3), "Three.", parts=(Step(F(1), "One."), Step(F(2), "Two.")))

    assert render_step_with_parts(step, EXACT_FORMATTERS) == ["Three.", "One.", "Two."]


def test_computation_renders_parts_before_their_sum():
    first_step = Step(F(1), "One.", parts=(Step(F(1), "A half twice."),))
    step = Step(F(3), "Three.", parts=(first_step, Step(F(2), "Two.")))

    assert render_computation(step, EXACT_FORMATTERS) == [
        "A half twice.",
        "One.",
        "Two.",
        "Three.",
    ]


def test_signs_are_shown_except_for_zero():
    assert [format_signed_exact_number(F(number)) for number in (2, -2, 0)] == ["+2", "-2", "0"]


def test_fraction_of_a_trick_uses_the_plural():
    assert [
        choose_plural_number(1),
        choose_plural_number(F(2, 2)),
        choose_plural_number(0),
        choose_plural_number(F(1, 2)),
        choose_plural_number(F(3, 2)),
    ] == [1, 1, 0, 2, 2]
