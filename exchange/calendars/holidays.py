"""The holidays of a calendar file: days with their names, on which a club does not play."""

from collections.abc import Iterator
from datetime import date as Date
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import WhistError

LARGEST = 1_000_000
MOST = 2_000
LONGEST = 60
"""Days of one holiday: a club's summer, and no more."""


class UnusableCalendar(WhistError, ValueError):
    """A file that is no calendar, or far too large for one of holidays."""

    code = "unusable_calendar"


def read_holidays(content: bytes, *, since: Date, until: Date) -> dict[Date, str]:
    """Read which days are holidays, each with its name, from `since` to `until`.

    One that comes every year is counted in each of them. Raises UnusableCalendar.
    """
    from icalendar import Calendar  # large: only who reads a calendar loads it

    if len(content) > LARGEST:
        raise UnusableCalendar(_("The file is larger than 1 MB; holidays are far smaller."))
    try:
        calendar: Any = Calendar.from_ical(content)
    except (ValueError, IndexError, KeyError, TypeError, AttributeError):
        words = _("This is not a calendar file. Choose one whose name ends in .ics.")
        raise UnusableCalendar(words) from None
    found: dict[Date, str] = {}
    for event in calendar.walk("VEVENT"):
        for day, name in _days(event, since, until):
            found.setdefault(day, name)
            if len(found) > MOST:
                raise UnusableCalendar(_("The file has more than 2000 holidays."))
    return dict(sorted(found.items()))


def _days(event: Any, since: Date, until: Date) -> Iterator[tuple[Date, str]]:
    start, end = _day(event.get("DTSTART")), _day(event.get("DTEND"))
    if start is None:
        return
    name = " ".join(str(event.get("SUMMARY", "")).split())[:80]
    length = min(max((end - start).days, 1) if end else 1, LONGEST)
    for first in _each_year(event, start, since, until):
        for more in range(length):
            day = first + timedelta(days=more)
            if since <= day <= until:
                yield day, name


def _each_year(event: Any, start: Date, since: Date, until: Date) -> Iterator[Date]:
    rule = event.get("RRULE") or {}
    is_yearly = [str(each).upper() for each in rule.get("FREQ", [])] == ["YEARLY"]
    if not is_yearly:
        yield start
        return
    for year in range(max(start.year, since.year - 1), until.year + 1):
        try:
            yield start.replace(year=year)
        except ValueError:  # the 29th of February
            continue


def _day(value: Any) -> Date | None:
    moment = getattr(value, "dt", None)
    if isinstance(moment, datetime):
        return moment.date()
    return moment if isinstance(moment, Date) else None
