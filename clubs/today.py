"""The current day at a club: the one place that answers it."""

from datetime import date as Date

from django.utils import timezone

from clubs.models import Club


def today_at(club: Club | None) -> Date:
    """Return the current day in a club's time zone; without a club, in the active one.

    The active zone is that of the page (`timezone.activate`), else the server's.
    """
    return timezone.localdate(timezone=club.zone if club else None)
