"""The current date at a club; no other module computes it."""

from collections import defaultdict
from datetime import date as Date
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from clubs.models import Club


def get_club_date(club: Club | None) -> Date:
    """Return the current date in the time zone of a club, or in UTC without a club."""
    return get_zone_date(club.timezone if club else "UTC")


def get_zone_date(zone: str) -> Date:
    """Return the current date in a time zone such as `Pacific/Auckland`."""
    return timezone.localdate(timezone=ZoneInfo(zone))


def build_today_filter(day_lookup: str, club_lookup: str) -> Q:
    """Return a filter for the rows whose date is today in the time zone of their club.

    The lookups lead from a row to the date and to the club. This function executes one query.
    """
    zones_by_day: dict[Date, list[str]] = defaultdict(list)
    for zone in Club.objects.order_by().values_list("timezone", flat=True).distinct():
        zones_by_day[get_zone_date(zone)].append(zone)
    condition = Q(pk__in=[])
    for today, zone_names in zones_by_day.items():
        condition |= Q(**{day_lookup: today, f"{club_lookup}__timezone__in": zone_names})
    return condition
