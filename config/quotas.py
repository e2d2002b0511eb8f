"""Clubs' use of their quotas, for the page of jobs."""

from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from clubs.models import Club
from scoring.services import sum_stored_bytes
from server import quotas

AT_MOST = 50
"""Maximum clubs in an administrator's list: those that have used most."""


@dataclass(frozen=True, slots=True)
class Use:
    """A club, and a line of text for each of its quotas."""

    club: str
    lines: list[str]


def used_today(clubs: Collection[int] | None) -> list[Use]:
    """Return these clubs' use today; with None that of all clubs with any use."""
    daily = [quota for quota in quotas.DAILY if quota.most]
    if not daily and not settings.QUOTA_MEDIA_MB:
        return []
    had = quotas.all_used_today(clubs)
    keys = list(had)[:AT_MOST] if clubs is None else list(clubs)[:AT_MOST]
    kept = sum_stored_bytes(keys) if settings.QUOTA_MEDIA_MB else {}
    return [
        Use(
            club.name,
            [quota.told(had.get(club.pk, {}).get(quota.code, 0.0)) for quota in daily]
            + _media(kept.get(club.pk, 0)),
        )
        for club in Club.objects.filter(pk__in=keys).order_by("name")
    ]


def _media(kept: int) -> list[str]:
    most = settings.QUOTA_MEDIA_MB
    if not most:
        return []
    figures = {"used": number_format(round(kept / 1024**2)), "most": number_format(most)}
    return [_("%(used)s of %(most)s MB of papers that are kept") % figures]
