"""Builds the VTIMEZONE part of a calendar, with all clock changes in the calendar's years."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

SEARCH_STEP = timedelta(days=7)
"""The step of the search for clock changes; no time zone has two changes within a week."""
ONE_SECOND = timedelta(seconds=1)


def build_timezone_lines(
    zone: ZoneInfo, first_moment: datetime, last_moment: datetime
) -> list[str]:
    """Return the lines of a VTIMEZONE that is correct between two moments."""
    search_start = datetime(first_moment.year - 1, 1, 1, tzinfo=UTC)
    search_end = datetime(last_moment.year + 1, 12, 31, tzinfo=UTC)
    timezone_lines = ["BEGIN:VTIMEZONE", f"TZID:{zone.key}"]
    timezone_lines += _build_change_block(search_start, search_start, zone)
    for moment in _iter_clock_changes(zone, search_start, search_end):
        timezone_lines += _build_change_block(moment - ONE_SECOND, moment, zone)
    return [*timezone_lines, "END:VTIMEZONE"]


def _build_change_block(
    previous_moment: datetime, moment: datetime, zone: ZoneInfo
) -> list[str]:
    """Return the lines for one clock change: its start, and the offsets before and after."""
    local_time_before, local_time_after = (
        previous_moment.astimezone(zone),
        moment.astimezone(zone),
    )
    old_offset, new_offset = (
        _get_utc_offset(local_time_before),
        _get_utc_offset(local_time_after),
    )
    local_time = (moment + old_offset).replace(tzinfo=None)
    component_name = "DAYLIGHT" if local_time_after.dst() else "STANDARD"
    return [
        f"BEGIN:{component_name}",
        f"DTSTART:{local_time:%Y%m%dT%H%M%S}",
        f"TZOFFSETFROM:{_format_offset(old_offset)}",
        f"TZOFFSETTO:{_format_offset(new_offset)}",
        f"TZNAME:{local_time_after.tzname()}",
        f"END:{component_name}",
    ]


def _iter_clock_changes(
    zone: ZoneInfo, search_start: datetime, search_end: datetime
) -> Iterator[datetime]:
    """Yield the times of a zone's clock changes, exact to the second."""
    step_start = search_start
    while step_start < search_end:
        step_end = step_start + SEARCH_STEP
        if _get_offset_and_name(step_start, zone) != _get_offset_and_name(step_end, zone):
            yield _find_clock_change(zone, step_start, step_end)
        step_start = step_end


def _find_clock_change(
    zone: ZoneInfo, interval_start: datetime, interval_end: datetime
) -> datetime:
    old_offset_and_name = _get_offset_and_name(interval_start, zone)
    while interval_end - interval_start > ONE_SECOND:
        middle = interval_start + timedelta(
            seconds=(interval_end - interval_start) // ONE_SECOND // 2
        )
        if _get_offset_and_name(middle, zone) == old_offset_and_name:
            interval_start = middle
        else:
            interval_end = middle
    return interval_end


def _get_offset_and_name(moment: datetime, zone: ZoneInfo) -> tuple[timedelta, str | None]:
    local_time = moment.astimezone(zone)
    return _get_utc_offset(local_time), local_time.tzname()


def _get_utc_offset(local_time: datetime) -> timedelta:
    return local_time.utcoffset() or timedelta()


def _format_offset(offset: timedelta) -> str:
    minutes = offset // timedelta(minutes=1)
    sign, minutes = ("-" if minutes < 0 else "+"), abs(minutes)
    return f"{sign}{minutes // 60:02d}{minutes % 60:02d}"
