"""Parse numbers from forms and URLs, with a limit on the number of digits.

`int` and `Fraction` have no limit, so a number such as "1e30000000" would block a thread for a
minute.
"""

import re
from fractions import Fraction

MAX_DIGITS = 15
"""The maximum number of digits of a whole number, which must fit a database key."""
EXACT_NUMBER_PATTERN = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9}|/\d{1,9})?", re.ASCII)
"""Matches numbers such as 7, 6.5 and 13/2."""
DECIMAL_COMMA_PATTERN = re.compile(r"([+−-]?\d+),(?!\d{3}$)(\d+)", re.ASCII)
"""Matches 6,5 but not 1,200, which may be twelve hundred."""


def parse_whole_number(text: str | None, *, maximum: int = 10**MAX_DIGITS - 1) -> int | None:
    """Parse a whole number from 0 to `maximum`; return None for anything else."""
    digits = (text or "").strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        return None
    number = int(digits)
    return number if number <= maximum else None


def parse_number_or_zero(text: str | None) -> int:
    """Parse a whole number; return 0, which is not a valid key, for anything else."""
    return parse_whole_number(text) or 0


def replace_decimal_comma(text: str) -> str:
    """Return a typed number with a decimal point: 6.5 for 6,5; other texts are unchanged."""
    number_match = DECIMAL_COMMA_PATTERN.fullmatch(text.strip())
    return f"{number_match[1]}.{number_match[2]}" if number_match else text


def parse_exact_number(value: Fraction | int | str) -> Fraction:
    """Parse an exact number such as 7, 6.5, 6,5 or 13/2; raise ValueError for other texts."""
    if not isinstance(value, str):
        return Fraction(value)
    digits = replace_decimal_comma(value).strip()
    divisor_text = digits.partition("/")[2] or "1"
    if not EXACT_NUMBER_PATTERN.fullmatch(digits) or not divisor_text.strip("0"):
        raise ValueError(digits[:20])
    return Fraction(digits)


def format_exact_number(value: Fraction | int | str) -> str:
    """Return an exact number as text for the database and files, e.g. "7" or "13/2".

    Raises ValueError if the text is too long to be parsed again. This can happen for a valid
    number, because a decimal such as 6.123456789 becomes a fraction with more digits.
    """
    text = str(parse_exact_number(value))
    parse_exact_number(text)
    return text
