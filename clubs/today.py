"""The current day at a club; no other module computes it."""

from collections import defaultdict
from datetime import date as Date
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from clubs.models import Club


def get_club_date(club: Club | None) -> Date:
    """Return the current day in a club's time zone; without a club, in UTC."""
    return get_zone_date(club.timezone if club else "UTC")


def get_zone_date(zone: str) -> Date:
    """Return the current day in a time zone, such as `Pacific/Auckland`."""
    return timezone.localdate(timezone=ZoneInfo(zone))


def build_today_filter(day: str, club: str) -> Q:
    """Return a filter for rows of all clubs whose day is today at their own club.

    `day` and `club` are the lookups of the day and the club. One query; at any moment the
    world has two or three days.
    """
    zones: dict[Date, list[str]] = defaultdict(list)
    for zone in Club.objects.order_by().values_list("timezone", flat=True).distinct():
        zones[get_zone_date(zone)].append(zone)
    found = Q(pk__in=[])
    for today, names in zones.items():
        found |= Q(**{day: today, f"{club}__timezone__in": names})
    return found
