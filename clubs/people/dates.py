"""The parsing of dates in lists, whose order (day or month first) is detected per list."""

import re
from collections.abc import Iterable
from datetime import date as Date

DAY_FIRST, MONTH_FIRST = "day", "month"
DATE_ORDERS = (DAY_FIRST, MONTH_FIRST)
_DATE_PATTERN = re.compile(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})(?:[ T].*)?")


def detect_date_order(texts: Iterable[str]) -> tuple[str, bool]:
    """Return the order of dates such as 3/13/2020, and whether the result is only a guess.

    A number above 12 determines the order. Without such a number, or with contradictory ones,
    "day first" is returned as a guess, unless both orders would give the same dates.
    """
    matches = [match for text in texts if (match := _DATE_PATTERN.fullmatch(text))]
    pairs = [(int(match[1]), int(match[2])) for match in matches]
    is_day_first = any(first > 12 for first, _second in pairs)
    is_month_first = any(second > 12 for _first, second in pairs)
    if is_day_first != is_month_first:
        return (DAY_FIRST if is_day_first else MONTH_FIRST), False
    return DAY_FIRST, any(
        first_number != second_number and first_number <= 12 and second_number <= 12
        for first_number, second_number in pairs
    )


def parse_date(text: str, order: str = DAY_FIRST) -> Date | None:
    """Return the date in a text (ISO, or in the given order), or None if it is invalid."""
    match = _DATE_PATTERN.fullmatch(text)
    try:
        if not match:
            return Date.fromisoformat(text[:10])
        first, second, year = (int(part) for part in match.groups())
        return Date(year, second, first) if order == DAY_FIRST else Date(year, first, second)
    except ValueError:
        return None
