"""Dates in lists: ISO, day first or month first, decided for the whole list."""

import re
from collections.abc import Iterable
from datetime import date as Date

DAY_FIRST, MONTH_FIRST = "day", "month"
DATE_ORDERS = (DAY_FIRST, MONTH_FIRST)
_DATE_PATTERN = re.compile(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})(?:[ T].*)?")


def detect_date_order(texts: Iterable[str]) -> tuple[str, bool]:
    """Find the order of dates such as 3/13/2020 and whether it is only a guess.

    A number above 12 decides it. Without one, or with both, day first is a guess, if there is
    a date that the other order would read differently.
    """
    found = [match for text in texts if (match := _DATE_PATTERN.fullmatch(text))]
    pairs = [(int(match[1]), int(match[2])) for match in found]
    is_day = any(first > 12 for first, _second in pairs)
    is_month = any(second > 12 for _first, second in pairs)
    if is_day != is_month:
        return (DAY_FIRST if is_day else MONTH_FIRST), False
    return DAY_FIRST, any(one != two and one <= 12 and two <= 12 for one, two in pairs)


def parse_date(text: str, order: str = DAY_FIRST) -> Date | None:
    """Parse a date; None if it is not valid."""
    found = _DATE_PATTERN.fullmatch(text)
    try:
        if not found:
            return Date.fromisoformat(text[:10])
        first, second, year = (int(part) for part in found.groups())
        return Date(year, second, first) if order == DAY_FIRST else Date(year, first, second)
    except ValueError:
        return None
