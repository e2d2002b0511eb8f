"""Reads the numbers that people and addresses send: one parser, with a limit to its digits.

A number without a limit can hold a thread for a minute: `int` and `Fraction` take whatever
length they are given, and "1e30000000" is a fraction with thirty million digits.
"""

import re
from fractions import Fraction

DIGITS = 15
"""The most digits of a whole number that a database's key can be."""
EXACT = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9}|/\d{1,9})?", re.ASCII)
"""How people write part of a whole: 7, 6.5, 13/2."""


def whole_number(text: str | None, *, most: int = 10**DIGITS - 1) -> int | None:
    """Read a whole number from 0 to `most`; None for anything else."""
    typed = (text or "").strip()
    if not (typed.isascii() and typed.isdigit() and len(typed) <= DIGITS):
        return None
    number = int(typed)
    return number if number <= most else None


def number_or_zero(text: str | None) -> int:
    """Read a whole number; 0, which no row and no board has, for anything else."""
    return whole_number(text) or 0


def exact_number(value: Fraction | int | str) -> Fraction:
    """Read an exact number as it is typed: 7, 6.5, 13/2; ValueError for anything else."""
    if not isinstance(value, str):
        return Fraction(value)
    typed = value.strip()
    divisor = typed.partition("/")[2] or "1"
    if not EXACT.fullmatch(typed) or not divisor.strip("0"):
        raise ValueError(typed[:20])
    return Fraction(typed)


def exact_text(value: Fraction | int | str) -> str:
    """Write an exact number as rows and files keep it; ValueError for one too long to read.

    A number as it is typed may have more digits as a fraction: 6.123456789.
    """
    text = str(exact_number(value))
    exact_number(text)
    return text
