"""The parsing of dates in lists, whose order (day or month first) is detected per list."""

import re
from collections.abc import Iterable
from datetime import date as Date

DAY_FIRST, MONTH_FIRST = "day", "month"
DAY_MONTH_ORDERS = (DAY_FIRST, MONTH_FIRST)
_DATE_PATTERN = re.compile(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})(?:[ T].*)?")


def detect_date_order(cell_texts: Iterable[str]) -> tuple[str, bool]:
    """Return the order of dates such as 3/13/2020, and whether the result is only a guess.

    A number above 12 determines the order. Without such a number, or with contradictory ones,
    "day first" is returned as a guess, unless both orders would give the same dates.
    """
    date_matches = [
        match for cell_text in cell_texts if (match := _DATE_PATTERN.fullmatch(cell_text))
    ]
    number_pairs = [(int(date_match[1]), int(date_match[2])) for date_match in date_matches]
    is_day_first = any(first_number > 12 for first_number, _second_number in number_pairs)
    is_month_first = any(second_number > 12 for _first_number, second_number in number_pairs)
    if is_day_first != is_month_first:
        return (DAY_FIRST if is_day_first else MONTH_FIRST), False
    return DAY_FIRST, any(
        first_number != second_number and first_number <= 12 and second_number <= 12
        for first_number, second_number in number_pairs
    )


def parse_date(date_text: str, day_month_order: str = DAY_FIRST) -> Date | None:
    """Return the date in a text (ISO, or in the given order), or None if it is invalid."""
    date_match = _DATE_PATTERN.fullmatch(date_text)
    try:
        if not date_match:
            return Date.fromisoformat(date_text[:10])
        first_number, second_number, year = (int(part) for part in date_match.groups())
        return (
            Date(year, second_number, first_number)
            if day_month_order == DAY_FIRST
            else Date(year, first_number, second_number)
        )
    except ValueError:
        return None
