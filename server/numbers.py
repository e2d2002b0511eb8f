"""Parsing of numbers from forms and URLs, with a limit to their digits.

A number without a limit can block a thread for a minute: `int` and `Fraction` accept any
length, and "1e30000000" is a fraction with thirty million digits.
"""

import re
from fractions import Fraction

MAX_DIGITS = 15
"""The maximum digits of a whole number that fits a database key."""
EXACT_NUMBER_PATTERN = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9}|/\d{1,9})?", re.ASCII)
"""Matches numbers such as 7, 6.5 and 13/2."""


def parse_whole_number(text: str | None, *, most: int = 10**MAX_DIGITS - 1) -> int | None:
    """Parse a whole number from 0 to `most`; return None for anything else."""
    typed = (text or "").strip()
    if not (typed.isascii() and typed.isdigit() and len(typed) <= MAX_DIGITS):
        return None
    number = int(typed)
    return number if number <= most else None


def parse_number_or_zero(text: str | None) -> int:
    """Parse a whole number; return 0, which is never a valid key, for anything else."""
    return parse_whole_number(text) or 0


def parse_exact_number(value: Fraction | int | str) -> Fraction:
    """Parse an exact number such as 7, 6.5 or 13/2; raise ValueError for anything else."""
    if not isinstance(value, str):
        return Fraction(value)
    typed = value.strip()
    divisor = typed.partition("/")[2] or "1"
    if not EXACT_NUMBER_PATTERN.fullmatch(typed) or not divisor.strip("0"):
        raise ValueError(typed[:20])
    return Fraction(typed)


def format_exact_number(value: Fraction | int | str) -> str:
    """Return the text of an exact number for rows and files; raise ValueError if too long.

    A decimal may have more digits as a fraction, e.g. 6.123456789.
    """
    text = str(parse_exact_number(value))
    parse_exact_number(text)
    return text
