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
"""The maximum number of clubs in an administrator's list, which begins with the highest use."""


@dataclass(frozen=True, slots=True)
class ClubQuotaUsage:
    """A club's name, and a line of text about its use of each quota."""

    club_name: str
    usage_texts: list[str]


def list_club_usage_today(directed_club_pks: Collection[int] | None) -> list[ClubQuotaUsage]:
    """Return what clubs have used of their quotas today, sorted by name; at most `MAX_CLUBS`.

    If `directed_club_pks` is None, the clubs with the highest use of all clubs are returned.
    """
    daily_quotas = [quota for quota in quotas.DAILY_QUOTAS if quota.daily_limit]
    if not daily_quotas and not settings.QUOTA_MEDIA_MB:
        return []
    usage_by_club = quotas.load_quota_usage_by_club(directed_club_pks)
    club_pks = (
        list(usage_by_club)[:MAX_CLUBS]
        if directed_club_pks is None
        else list(directed_club_pks)[:MAX_CLUBS]
    )
    stored_bytes_by_club = sum_stored_bytes(club_pks) if settings.QUOTA_MEDIA_MB else {}
    return [
        ClubQuotaUsage(
            club.name,
            [
                quota.format_usage(usage_by_club.get(club.pk, {}).get(quota.code, 0.0))
                for quota in daily_quotas
            ]
            + _format_media_use(stored_bytes_by_club.get(club.pk, 0)),
        )
        for club in Club.objects.filter(pk__in=club_pks).order_by("name")
    ]


def _format_media_use(stored_byte_count: int) -> list[str]:
    limit_mb = settings.QUOTA_MEDIA_MB
    if not limit_mb:
        return []
    placeholders = {
        "used": number_format(round(stored_byte_count / 1024**2)),
        "most": number_format(limit_mb),
    }
    return [_("Saved papers: %(used)s of %(most)s MB") % placeholders]
