"""Parses numbers from people and URLs, with a limit to their digits.

A number without a limit can block a thread for a minute: `int` and `Fraction` accept any
length, and "1e30000000" is a fraction with thirty million digits.
"""

import re
from fractions import Fraction

DIGITS = 15
"""The most digits of a whole number that fits a database key."""
EXACT = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9}|/\d{1,9})?", re.ASCII)
"""Fractions as people write them: 7, 6.5, 13/2."""


def whole_number(text: str | None, *, most: int = 10**DIGITS - 1) -> int | None:
    """Parse a whole number from 0 to `most`; return None for anything else."""
    typed = (text or "").strip()
    if not (typed.isascii() and typed.isdigit() and len(typed) <= DIGITS):
        return None
    number = int(typed)
    return number if number <= most else None


def number_or_zero(text: str | None) -> int:
    """Parse a whole number; return 0, which no row or board has, for anything else."""
    return whole_number(text) or 0


def exact_number(value: Fraction | int | str) -> Fraction:
    """Parse an exact number: 7, 6.5, 13/2; raise ValueError for anything else."""
    if not isinstance(value, str):
        return Fraction(value)
    typed = value.strip()
    divisor = typed.partition("/")[2] or "1"
    if not EXACT.fullmatch(typed) or not divisor.strip("0"):
        raise ValueError(typed[:20])
    return Fraction(typed)


def exact_text(value: Fraction | int | str) -> str:
    """Return the text that rows and files store; raise ValueError for one too long to parse.

    A decimal may have more digits as a fraction: 6.123456789.
    """
    text = str(exact_number(value))
    exact_number(text)
    return text
