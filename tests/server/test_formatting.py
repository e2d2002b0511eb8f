"""Numbers are formatted in one way: whole, or with two decimals."""

import re
from fractions import Fraction

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from clubs.evenings.money import format_amount, format_plain_amount
from seasons.ladders.rules.words import format_exact
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
def test_single_number_is_integer_or_has_two_decimals(
    number: Fraction | int | None, plain: str, signed: str
) -> None:
    assert formatting.format_plain(number) == plain
    assert formatting.format_signed(number) == signed


@given(st.lists(st.fractions(-20, 20, max_denominator=12), min_size=1))
def test_column_has_same_number_of_decimals_in_every_row(numbers: list[Fraction]) -> None:
    formatted_numbers = [
        formatting.choose_column_format(numbers).format_number(number) for number in numbers
    ]
    shape = r"−?\d+" if all(number.denominator == 1 for number in numbers) else r"−?\d+\.\d\d"
    assert all(re.fullmatch(shape, text) for text in formatted_numbers)
    assert formatting.format_numbers_consistently(numbers) == formatted_numbers


@given(st.lists(st.fractions(-20, 20, max_denominator=12), min_size=1))
def test_column_shows_sign_of_each_number(
    numbers: list[Fraction],
) -> None:
    column = formatting.choose_column_format(numbers, has_sign=True)
    for number in numbers:
        expected_sign = "+" if number > 0 else formatting.MINUS if number < 0 else "0"
        assert column.format_number(number).startswith(expected_sign)


@pytest.mark.parametrize("number", [Fraction(1, 300), Fraction(0), Fraction(-1, 300)])
def test_number_rounded_to_zero_has_no_sign(number: Fraction) -> None:
    assert (
        formatting.ColumnFormat(has_decimals=True, has_sign=True).format_number(number)
        == "0.00"
    )


def test_missing_number_in_column_is_shown_as_dash() -> None:
    column = formatting.choose_column_format([None, Fraction(1, 7), Fraction(0)], has_sign=True)
    assert [column.format_number(item) for item in (None, Fraction(1, 7), Fraction(0))] == [
        "–",
        "+0.14",
        "0.00",
    ]


@pytest.mark.parametrize(
    ("fraction", "text"),
    [(Fraction(9, 16), "56.25 %"), (Fraction(1, 3), "33.33 %"), (Fraction(1), "100.00 %")],
)
def test_fraction_is_formatted_as_percentage(fraction: Fraction, text: str) -> None:
    assert formatting.format_percent(fraction) == text


@given(st.fractions(-1000, 1000))
def test_number_is_rounded_to_nearest_hundredth(number: Fraction) -> None:
    written = Fraction(formatting.format_two_decimals(number).replace("−", "-"))
    assert abs(written - number) <= Fraction(1, 200)


@pytest.mark.parametrize(
    ("boards", "text"),
    [([], ""), ([7], "7"), ([5, 1, 4, 3, 9], "1, 3–5, 9"), ([1, 1, 2], "1–2")],
)
def test_consecutive_boards_are_formatted_as_ranges(boards: list[int], text: str) -> None:
    assert formatting.format_ranges(boards) == text


def test_shared_rank_has_prefix() -> None:
    assert (
        formatting.format_rank(3, is_tied=True),
        formatting.format_rank(1, is_tied=False),
    ) == (
        "=3",
        "1",
    )


@pytest.mark.parametrize(
    ("language", "signed", "percent", "exact", "amount"),
    [
        ("en", "−4.50", "62.50 %", "7.5", "£3.50"),
        ("nl", "−4,50", "62,50 %", "7,5", "£3,50"),
        ("da", "−4,50", "62,50 %", "7,5", "£3,50"),
        ("de", "−4,50", "62,50 %", "7,5", "£3,50"),
        ("fr", "−4,50", "62,50 %", "7,5", "£3,50"),
        ("sv", "−4,50", "62,50 %", "7,5", "£3,50"),
        ("nb", "−4,50", "62,50 %", "7,5", "£3,50"),
        ("es", "−4,50", "62,50 %", "7,5", "£3,50"),
    ],
)
def test_readers_see_the_decimal_separator_of_their_language(
    language: str, signed: str, percent: str, exact: str, amount: str
) -> None:
    with translation.override(language):
        assert formatting.format_signed(Fraction(-9, 2)) == signed
        assert formatting.format_percent(Fraction(5, 8)) == percent
        assert format_exact(Fraction(15, 2)) == exact
        assert format_amount(350, "GBP") == amount


@pytest.mark.parametrize("language", ["en", "nl", "da", "de", "fr", "sv", "nb", "es"])
def test_numbers_for_files_have_a_decimal_point(language: str) -> None:
    with translation.override(language):
        assert formatting.format_two_decimals(Fraction(-9, 2)) == "−4.50"
        assert format_plain_amount(350, "GBP") == "3.50"


def test_column_formats_differ_between_languages() -> None:
    """Cached numbers are stored by their format."""
    numbers = [Fraction(1, 2)]
    with translation.override("nl"):
        dutch = formatting.choose_column_format(numbers)
    assert dutch != formatting.choose_column_format(numbers)
    assert dutch.format_number(Fraction(1, 2)) == "0,50"


def test_dutch_number_rounded_to_zero_has_no_sign() -> None:
    with translation.override("nl"):
        column = formatting.ColumnFormat(has_decimals=True, has_sign=True)
        assert column.format_number(Fraction(1, 300)) == "0,00"
