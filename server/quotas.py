"""Daily quotas of a club on a shared server.

The limit 0, as on a laptop, means unlimited and needs no query. Days are in UTC. Standings have
no quota and are never delayed.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from server.models import ClubDay

QUOTA_USE_RETENTION = timedelta(days=8)

# an upsert: concurrent requests of one club wait for each other, so each sees the earlier use
ADD_QUOTA_USE_SQL = """
INSERT INTO server_clubday (club, day, quota, amount) VALUES (%s, %s, %s, %s)
ON CONFLICT (club, day, quota) DO UPDATE SET amount = server_clubday.amount + excluded.amount
"""
USE_QUOTA_SQL = f"""{ADD_QUOTA_USE_SQL}
WHERE server_clubday.amount + excluded.amount <= %s
RETURNING amount
"""


@dataclass(frozen=True, slots=True)
class Quota:
    """A kind of quota: its code in rows, the name of its setting, and its description."""

    code: str
    setting_name: str
    usage_text: Promise
    """A description of today's use, with the placeholders `used` and `most`."""

    @property
    def daily_limit(self) -> int:
        """The limit for a day, or 0 for unlimited."""
        return int(getattr(settings, self.setting_name))

    def format_usage(self, amount: float) -> str:
        """Return a sentence about a club's use today."""
        placeholders = {
            "used": number_format(round(amount)),
            "most": number_format(self.daily_limit),
        }
        return str(self.usage_text) % placeholders


ANALYSIS_QUOTA = Quota(
    "analysis",
    "QUOTA_ANALYSIS_SECONDS",
    gettext_lazy("%(used)s of %(most)s seconds of best-play analysis"),
)
PAPERS_QUOTA = Quota("papers", "QUOTA_PAPERS", gettext_lazy("%(used)s of %(most)s papers"))
DAILY_QUOTAS = (ANALYSIS_QUOTA, PAPERS_QUOTA)


def record_quota_use(quota: Quota, club_pk: int | None, amount: float) -> None:
    """Add `amount` to a club's use of a quota today, even above the limit."""
    if not quota.daily_limit or club_pk is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(ADD_QUOTA_USE_SQL, [club_pk, _format_utc_today(), quota.code, amount])
    _delete_old_quota_use(club_pk)


def try_to_use_quota(quota: Quota, club_pk: int, amount: float = 1) -> bool:
    """Add `amount` to a club's use of a quota today, unless that would exceed the limit.

    Returns whether the amount was added.
    """
    daily_limit = quota.daily_limit
    if not daily_limit:
        return True
    if amount > daily_limit:
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            USE_QUOTA_SQL, [club_pk, _format_utc_today(), quota.code, amount, daily_limit]
        )
        updated_row = cursor.fetchone()
    if updated_row is not None and updated_row[0] == amount:  # this is the first use of the day
        _delete_old_quota_use(club_pk)
    return updated_row is not None


def load_quota_use_today(quota: Quota, club_pk: int) -> float:
    """Return a club's use of a quota today."""
    club_days = ClubDay.objects.filter(
        club=club_pk, day=timezone.now().date(), quota=quota.code
    )
    return club_days.values_list("amount", flat=True).first() or 0.0


def load_quota_usage_by_club(club_pks: Collection[int] | None) -> dict[int, dict[str, float]]:
    """Return today's use as a dict from club key to {quota code: amount}.

    If `club_pks` is None, the use of all clubs is returned.
    """
    club_days = ClubDay.objects.filter(day=timezone.now().date())
    if club_pks is not None:
        club_days = club_days.filter(club__in=club_pks)
    use_by_club: dict[int, dict[str, float]] = {}
    for club_day in club_days.order_by("-amount"):
        use_by_club.setdefault(club_day.club, {})[club_day.quota] = club_day.amount
    return use_by_club


def is_quota_reached(quota: Quota, club_pk: int | None) -> bool:
    """Return whether a club has used up a quota today."""
    return (
        bool(quota.daily_limit)
        and club_pk is not None
        and load_quota_use_today(quota, club_pk) >= quota.daily_limit
    )


def compute_next_day(now: datetime) -> datetime:
    """Return the time at which the next day begins in UTC."""
    return (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)


def compute_seconds_until_tomorrow() -> int:
    """Return the seconds until the next day begins."""
    now = timezone.now()
    return int((compute_next_day(now) - now).total_seconds()) + 1


def format_next_day_start() -> str:
    """Return the local time at which the next day begins."""
    return f"{timezone.localtime(compute_next_day(timezone.now())):%H:%M %Z}"


def explain_analysis_limit() -> str:
    """Return a message that the club's best-play quota is used up, with what to do."""
    return _(
        "Best play waits until %(time)s. The club has used its "
        "%(most)s seconds for today. The analysis then continues "
        "automatically. The administrator can allow more "
        "(%(setting)s)."
    ) % _build_placeholders(ANALYSIS_QUOTA)


def explain_papers_limit() -> str:
    """Return a message that the club's quota of papers is used up, with what to do."""
    return _(
        "The club has reached today’s limit of %(most)s papers. Papers already requested "
        "will still be made. Try again after %(time)s, or ask the administrator to allow "
        "more (%(setting)s)."
    ) % _build_placeholders(PAPERS_QUOTA)


def _build_placeholders(quota: Quota) -> dict[str, str]:
    daily_limit = number_format(quota.daily_limit)
    return {"most": daily_limit, "time": format_next_day_start(), "setting": quota.setting_name}


def _delete_old_quota_use(club_pk: int) -> None:
    ClubDay.objects.filter(
        club=club_pk, day__lt=timezone.now().date() - QUOTA_USE_RETENTION
    ).delete()


def _format_utc_today() -> str:
    return timezone.now().date().isoformat()
