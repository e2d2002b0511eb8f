"""Numbers are formatted in one way: whole, or with two decimals."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server import formatting


@pytest.mark.parametrize(
    ("number", "plain", "signed"),
    [
        (8, "8", "+8"),
        (0, "0", "0"),
        (-9, "−9", "−9"),
        (Fraction(17, 2), "8.50", "+8.50"),
        (Fraction(1, 2), "0.50", "+0.50"),
        (Fraction(-20, 3), "−6.67", "−6.67"),
        (Fraction(9, 4), "2.25", "+2.25"),
        (Fraction(89, 7), "12.71", "+12.71"),
        (Fraction(-1, 7), "−0.14", "−0.14"),
        (None, "–", "–"),
    ],
)
def test_a_number_that_stands_alone_is_whole_or_has_two_decimals(
    number: Fraction | int | None, plain: str, signed: str
) -> None:
    assert formatting.format_plain(number) == plain
    assert formatting.format_signed(number) == signed


@given(st.lists(st.fractions(-20, 20, max_denominator=12), min_size=1))
def test_the_figures_of_a_column_have_as_many_decimals(numbers: list[Fraction]) -> None:
    written = [formatting.choose_column_format(numbers).write(number) for number in numbers]
    shape = r"−?\d+" if all(number.denominator == 1 for number in numbers) else r"−?\d+\.\d\d"
    assert all(re.fullmatch(shape, text) for text in written)
    assert formatting.format_consistently(numbers) == written


@given(st.lists(st.fractions(-20, 20, max_denominator=12), min_size=1))
def test_a_column_says_of_each_figure_which_side_of_nothing_it_is(
    numbers: list[Fraction],
) -> None:
    column = formatting.choose_column_format(numbers, with_sign=True)
    for number in numbers:
        mark = "+" if number > 0 else formatting.MINUS if number < 0 else "0"
        assert column.write(number).startswith(mark)


@pytest.mark.parametrize("number", [Fraction(1, 300), Fraction(0), Fraction(-1, 300)])
def test_what_rounds_to_nothing_lies_on_neither_side(number: Fraction) -> None:
    assert formatting.ColumnFormat(decimal=True, sign=True).write(number) == "0.00"


def test_a_column_leaves_a_missing_figure_open() -> None:
    column = formatting.choose_column_format(
        [None, Fraction(1, 7), Fraction(0)], with_sign=True
    )
    assert [column.write(item) for item in (None, Fraction(1, 7), Fraction(0))] == [
        "–",
        "+0.14",
        "0.00",
    ]


@pytest.mark.parametrize(
    ("part", "text"),
    [(Fraction(9, 16), "56.25 %"), (Fraction(1, 3), "33.33 %"), (Fraction(1), "100.00 %")],
)
def test_a_share_is_written_in_hundredths(part: Fraction, text: str) -> None:
    assert formatting.format_percent(part) == text


@given(st.fractions(-1000, 1000))
def test_decimals_round_half_up_and_never_by_more(number: Fraction) -> None:
    written = Fraction(formatting.format_two_decimals(number).replace("−", "-"))
    assert abs(written - number) <= Fraction(1, 200)


@pytest.mark.parametrize(
    ("boards", "text"),
    [([], ""), ([7], "7"), ([5, 1, 4, 3, 9], "1, 3–5, 9"), ([1, 1, 2], "1–2")],
)
def test_runs_of_boards_are_drawn_together(boards: list[int], text: str) -> None:
    assert formatting.format_ranges(boards) == text


def test_a_shared_rank_has_a_sign_before_it() -> None:
    assert (formatting.format_rank(3, tied=True), formatting.format_rank(1, tied=False)) == (
        "=3",
        "1",
    )
