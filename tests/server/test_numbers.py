"""Numbers in forms and URLs: read by one parser, in bounded time."""

import time
from fractions import Fraction

import pytest

from server.numbers import (
    format_exact_number,
    parse_exact_number,
    parse_number_or_zero,
    parse_whole_number,
    replace_decimal_comma,
)


@pytest.mark.parametrize(("text", "number"), [("7", 7), (" 12 ", 12), ("0", 0), ("007", 7)])
def test_whole_number_is_parsed(text: str, number: int) -> None:
    assert parse_whole_number(text) == number


@pytest.mark.parametrize("text", [None, "", "-1", "1.5", "٣", "²", "1e3", "9" * 16, "1_0", "x"])
def test_invalid_whole_number_is_not_parsed(text: str | None) -> None:
    assert parse_whole_number(text) is None
    assert parse_number_or_zero(text) == 0


def test_number_above_maximum_is_refused() -> None:
    assert parse_whole_number("14", maximum=13) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("6.5", Fraction(13, 2)),
        ("6,5", Fraction(13, 2)),
        (" -0,25", Fraction(-1, 4)),
        ("13/2", Fraction(13, 2)),
        ("-1/3", Fraction(-1, 3)),
    ],
)
def test_exact_number_is_parsed_as_typed(text: str, number: Fraction) -> None:
    assert parse_exact_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "1e30000000", "1/0", "1/00", "nan", "inf", "7½x", "1e309", "1e-4400", "1/٠", "٧"],
)
def test_absurdly_long_number_is_refused_quickly(text: str) -> None:
    started_at = time.perf_counter()
    with pytest.raises(ValueError):  # noqa: PT011 - its text is the typed one
        parse_exact_number(text)
    assert time.perf_counter() - started_at < 1


@pytest.mark.parametrize("text", ["1,200", "6,", ",5", "6,5,5", "1,5/2", "6,5.5"])
def test_ambiguous_comma_is_refused(text: str) -> None:
    """In English, 1,200 is a thousand and more; in Danish it is little more than one."""
    with pytest.raises(ValueError, match=text):
        parse_exact_number(text)


@pytest.mark.parametrize(
    ("text", "number"), [("6,5", "6.5"), ("−0,1", "−0.1"), ("1,200", "1,200"), ("4/5", "4/5")]
)
def test_typed_decimal_comma_becomes_a_point(text: str, number: str) -> None:
    assert replace_decimal_comma(text) == number


@pytest.mark.parametrize(
    "typed_value", ["7", "6.5", "13/2", "-3/7", "123456.789", "1/999999999"]
)
def test_formatted_exact_number_parses_to_same_value(typed_value: str) -> None:
    assert parse_exact_number(format_exact_number(typed_value)) == parse_exact_number(
        typed_value
    )


@pytest.mark.parametrize("typed_value", ["123456789.123456789", "0.1234567891", "6.123456789"])
def test_exact_number_too_long_to_store_is_refused(typed_value: str) -> None:
    with pytest.raises(ValueError, match=r"^[0-9./]+$"):
        format_exact_number(typed_value)
