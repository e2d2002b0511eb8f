"""The clubs' use of their quotas, for the page *Jobs*."""

from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from clubs.models import Club
from scoring.services import sum_stored_bytes
from server import quotas

MAX_CLUBS = 50
"""The maximum number of clubs in an administrator's list, which shows the highest use."""


@dataclass(frozen=True, slots=True)
class ClubUse:
    """A club, and a line of text for each of its quotas."""

    club: str
    lines: list[str]


def list_use_today(clubs: Collection[int] | None) -> list[ClubUse]:
    """Return the use of these clubs today; None means all clubs that used anything."""
    daily = [quota for quota in quotas.DAILY_QUOTAS if quota.daily_limit]
    if not daily and not settings.QUOTA_MEDIA_MB:
        return []
    use_by_club = quotas.load_all_use_today(clubs)
    keys = list(use_by_club)[:MAX_CLUBS] if clubs is None else list(clubs)[:MAX_CLUBS]
    stored_bytes = sum_stored_bytes(keys) if settings.QUOTA_MEDIA_MB else {}
    return [
        ClubUse(
            club.name,
            [
                quota.format_use(use_by_club.get(club.pk, {}).get(quota.code, 0.0))
                for quota in daily
            ]
            + _format_media_use(stored_bytes.get(club.pk, 0)),
        )
        for club in Club.objects.filter(pk__in=keys).order_by("name")
    ]


def _format_media_use(stored_bytes: int) -> list[str]:
    limit_mb = settings.QUOTA_MEDIA_MB
    if not limit_mb:
        return []
    placeholders = {
        "used": number_format(round(stored_bytes / 1024**2)),
        "most": number_format(limit_mb),
    }
    return [_("%(used)s of %(most)s MB of saved papers") % placeholders]
