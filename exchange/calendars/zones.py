"""The VTIMEZONE of a calendar: every change of the clock in the calendar's years.

Each change is written separately, without recurrence rules, so that readers get exactly the
time zone data of this computer. Source: RFC 5545, section 3.6.5.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

STEP = timedelta(days=7)
"""The step of the search for clock changes: no zone has two changes within a week."""
SECOND = timedelta(seconds=1)


def zone_lines(zone: ZoneInfo, first: datetime, last: datetime) -> list[str]:
    """Return the lines of a VTIMEZONE that is correct between two times."""
    start = datetime(first.year - 1, 1, 1, tzinfo=UTC)
    end = datetime(last.year + 1, 12, 31, tzinfo=UTC)
    lines = ["BEGIN:VTIMEZONE", f"TZID:{zone.key}"]
    lines += _block(start, start, zone)
    for moment in _changes(zone, start, end):
        lines += _block(moment - SECOND, moment, zone)
    return [*lines, "END:VTIMEZONE"]


def _block(before: datetime, moment: datetime, zone: ZoneInfo) -> list[str]:
    """Return the block of one clock change: its start and the offsets before and after it."""
    old, new = before.astimezone(zone), moment.astimezone(zone)
    was, will = _offset(old), _offset(new)
    local = (moment + was).replace(tzinfo=None)
    kind = "DAYLIGHT" if new.dst() else "STANDARD"
    return [
        f"BEGIN:{kind}",
        f"DTSTART:{local:%Y%m%dT%H%M%S}",
        f"TZOFFSETFROM:{_signed(was)}",
        f"TZOFFSETTO:{_signed(will)}",
        f"TZNAME:{new.tzname()}",
        f"END:{kind}",
    ]


def _changes(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """Yield the times at which the clocks change, to the second."""
    at = start
    while at < end:
        following = at + STEP
        if _rule(at, zone) != _rule(following, zone):
            yield _between(zone, at, following)
        at = following


def _between(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    before = _rule(low, zone)
    while high - low > SECOND:
        middle = low + timedelta(seconds=(high - low) // SECOND // 2)
        if _rule(middle, zone) == before:
            low = middle
        else:
            high = middle
    return high


def _rule(moment: datetime, zone: ZoneInfo) -> tuple[timedelta, str | None]:
    local = moment.astimezone(zone)
    return _offset(local), local.tzname()


def _offset(local: datetime) -> timedelta:
    return local.utcoffset() or timedelta()


def _signed(offset: timedelta) -> str:
    minutes = offset // timedelta(minutes=1)
    sign, minutes = ("-" if minutes < 0 else "+"), abs(minutes)
    return f"{sign}{minutes // 60:02d}{minutes % 60:02d}"
