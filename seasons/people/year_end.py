"""When a club's year ends, by its seasons, else by custom."""

from datetime import UTC, datetime, time, timedelta

from clubs.models import Club
from clubs.today import today_at

AUGUST, LAST_OF_AUGUST = 8, 31
"""Where a club has no season of its own, its year goes from September to August."""
AFTER = timedelta(days=60)
MAX_SECRET_AGE = timedelta(days=3 * 366)
"""A secret is for the year: in a season without an end it is made anew at times."""


def end_of_addresses(club: Club) -> datetime:
    """When an address made today ends: sixty days after the season, or after three years."""
    today = today_at(club)
    seasons = club.seasons.filter(first_day__lte=today, last_day__gte=today)
    last = seasons.order_by("-last_day").values_list("last_day", flat=True).first()
    if last is None:
        year = today.year + (today.month > AUGUST)
        last = today.replace(year=year, month=AUGUST, day=LAST_OF_AUGUST)
    return datetime.combine(min(last, today + MAX_SECRET_AGE) + AFTER, time(), UTC)
