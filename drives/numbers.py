"""The parser of numbers that users type for a drive's sheets and cards."""

import re

from drives.scores.rules import MAX_ABSOLUTE_SCORE
from server.numbers import parse_whole_number

MAX_DIGITS = 9

THOUSANDS_SEPARATORS = re.compile(r"(?<=\d)[ \u00a0\u202f,](?=\d{3}(?!\d))")
"""The accepted thousands separators."""


def parse_signed_number(text: str | None) -> int | None:
    """Read a whole number such as 8, −520, 1200, "1 200" or "1,200"; return None for any other
    text.
    """
    digits = THOUSANDS_SEPARATORS.sub("", (text or "").strip().replace("−", "-"))
    number = parse_whole_number(digits.removeprefix("-"), maximum=10**MAX_DIGITS - 1)
    if number is None:
        return None
    return (
        max(-MAX_ABSOLUTE_SCORE, -number)
        if digits.startswith("-")
        else min(MAX_ABSOLUTE_SCORE, number)
    )
