"""Builds the VTIMEZONE part of a calendar, with all clock changes in its years."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

SEARCH_STEP = timedelta(days=7)
"""The step of the search for clock changes; no time zone has two changes within a week."""
ONE_SECOND = timedelta(seconds=1)


def build_timezone_lines(zone: ZoneInfo, first: datetime, last: datetime) -> list[str]:
    """Return the lines of a VTIMEZONE that is correct between `first` and `last`."""
    start = datetime(first.year - 1, 1, 1, tzinfo=UTC)
    end = datetime(last.year + 1, 12, 31, tzinfo=UTC)
    lines = ["BEGIN:VTIMEZONE", f"TZID:{zone.key}"]
    lines += _build_change_block(start, start, zone)
    for moment in _iter_clock_changes(zone, start, end):
        lines += _build_change_block(moment - ONE_SECOND, moment, zone)
    return [*lines, "END:VTIMEZONE"]


def _build_change_block(moment_before: datetime, moment: datetime, zone: ZoneInfo) -> list[str]:
    """Return the lines for one clock change: its start, and the offsets before and after."""
    old, new = moment_before.astimezone(zone), moment.astimezone(zone)
    old_offset, new_offset = _utc_offset(old), _utc_offset(new)
    local = (moment + old_offset).replace(tzinfo=None)
    kind = "DAYLIGHT" if new.dst() else "STANDARD"
    return [
        f"BEGIN:{kind}",
        f"DTSTART:{local:%Y%m%dT%H%M%S}",
        f"TZOFFSETFROM:{_format_offset(old_offset)}",
        f"TZOFFSETTO:{_format_offset(new_offset)}",
        f"TZNAME:{new.tzname()}",
        f"END:{kind}",
    ]


def _iter_clock_changes(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """Yield the times of a zone's clock changes, exact to the second."""
    current = start
    while current < end:
        following = current + SEARCH_STEP
        if _offset_and_name(current, zone) != _offset_and_name(following, zone):
            yield _find_clock_change(zone, current, following)
        current = following


def _find_clock_change(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    old_offset = _offset_and_name(low, zone)
    while high - low > ONE_SECOND:
        middle = low + timedelta(seconds=(high - low) // ONE_SECOND // 2)
        if _offset_and_name(middle, zone) == old_offset:
            low = middle
        else:
            high = middle
    return high


def _offset_and_name(moment: datetime, zone: ZoneInfo) -> tuple[timedelta, str | None]:
    local = moment.astimezone(zone)
    return _utc_offset(local), local.tzname()


def _utc_offset(local: datetime) -> timedelta:
    return local.utcoffset() or timedelta()


def _format_offset(offset: timedelta) -> str:
    minutes = offset // timedelta(minutes=1)
    sign, minutes = ("-" if minutes < 0 else "+"), abs(minutes)
    return f"{sign}{minutes // 60:02d}{minutes % 60:02d}"
