"""Parses the scores and totals that users type."""

import re

from drives.scores.rules import MAX_ABSOLUTE_SCORE
from server.numbers import parse_whole_number

MAX_DIGITS = 9

THOUSANDS_SEPARATORS = re.compile(r"(?<=\d)[ \u00a0\u202f,](?=\d{3}(?!\d))")
"""Matches a space or comma that separates thousands."""


def parse_signed_number(number_text: str | None) -> int | None:
    """Parse a whole number such as "8", "−520", "1 200" or "1,200"; None for other texts."""
    digits = THOUSANDS_SEPARATORS.sub("", (number_text or "").strip().replace("−", "-"))
    absolute_value = parse_whole_number(digits.removeprefix("-"), maximum=10**MAX_DIGITS - 1)
    if absolute_value is None:
        return None
    return (
        max(-MAX_ABSOLUTE_SCORE, -absolute_value)
        if digits.startswith("-")
        else min(MAX_ABSOLUTE_SCORE, absolute_value)
    )
