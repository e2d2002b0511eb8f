"""Daily quotas of a club on a shared server.

A laptop has none: 0 means unlimited, and the database is not queried. Days are UTC. Standings
have no quota: no event waits for them.
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

RETENTION = timedelta(days=8)

# Two concurrent orders of one club serialise here, so the second sees the first one's use.
ADD = """
INSERT INTO server_clubday (club, day, quota, amount) VALUES (%s, %s, %s, %s)
ON CONFLICT (club, day, quota) DO UPDATE SET amount = server_clubday.amount + excluded.amount
"""
TAKE = f"""{ADD}
WHERE server_clubday.amount + excluded.amount <= %s
RETURNING amount
"""


@dataclass(frozen=True, slots=True)
class Quota:
    """A kind of quota: its code in rows, its setting, its words."""

    code: str
    setting: str
    used: Promise
    """The sentence about today's use, with placeholders `used` and `most`."""

    @property
    def most(self) -> int:
        """The limit for a day; 0 is unlimited."""
        return int(getattr(settings, self.setting))

    def told(self, used: float) -> str:
        """Return the sentence about a club's use today."""
        figures = {"used": number_format(round(used)), "most": number_format(self.most)}
        return str(self.used) % figures


ANALYSIS = Quota(
    "analysis",
    "QUOTA_ANALYSIS_SECONDS",
    gettext_lazy("%(used)s of %(most)s seconds of looking for best play"),
)
PAPERS = Quota("papers", "QUOTA_PAPERS", gettext_lazy("%(used)s of %(most)s papers"))
DAILY = (ANALYSIS, PAPERS)


def record_use(quota: Quota, club: int | None, amount: float) -> None:
    """Record a club's use, also above its quota."""
    if not quota.most or club is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(ADD, [club, _today(), quota.code, amount])
    _forget(club)


def use_quota(quota: Quota, club: int, amount: float = 1) -> bool:
    """Record a club's use if its quota allows it; return whether it does."""
    most = quota.most
    if not most:
        return True
    if amount > most:
        return False
    with connection.cursor() as cursor:
        cursor.execute(TAKE, [club, _today(), quota.code, amount, most])
        taken = cursor.fetchone()
    if taken is not None and taken[0] == amount:  # the first use of the day
        _forget(club)
    return taken is not None


def used_today(quota: Quota, club: int) -> float:
    """Return a club's use today."""
    rows = ClubDay.objects.filter(club=club, day=timezone.now().date(), quota=quota.code)
    return rows.values_list("amount", flat=True).first() or 0.0


def all_used_today(clubs: Collection[int] | None) -> dict[int, dict[str, float]]:
    """Return today's use of these clubs, or all, by club and quota code."""
    rows = ClubDay.objects.filter(day=timezone.now().date())
    if clubs is not None:
        rows = rows.filter(club__in=clubs)
    found: dict[int, dict[str, float]] = {}
    for row in rows.order_by("-amount"):
        found.setdefault(row.club, {})[row.quota] = row.amount
    return found


def is_reached(quota: Quota, club: int | None) -> bool:
    """Return whether a club has used up today's quota."""
    return bool(quota.most) and club is not None and used_today(quota, club) >= quota.most


def start_of_tomorrow(now: datetime) -> datetime:
    """Return when the next day begins."""
    return (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)


def seconds_left() -> int:
    """Return the seconds until the next day."""
    now = timezone.now()
    return int((start_of_tomorrow(now) - now).total_seconds()) + 1


def next_day_in_words() -> str:
    """Return the local time at which the next day begins."""
    return f"{timezone.localtime(start_of_tomorrow(timezone.now())):%H:%M %Z}"


def analysis_refusal() -> str:
    """Return why best play is not computed today, with the limit and what to do."""
    return _(
        "Best play waits until %(time)s: the club has used all %(most)s seconds that this "
        "server looks for it in one day. Nothing need be ordered again. Whoever looks after "
        "the server can allow more (%(setting)s)."
    ) % _figures(ANALYSIS)


def papers_refusal() -> str:
    """Return why no more papers are made today, with the limit and what to do."""
    return _(
        "The club has ordered %(most)s papers today, as many as this server makes for one "
        "club in a day. Those that were ordered are made. Order this one after %(time)s, or "
        "ask whoever looks after the server to allow more (%(setting)s)."
    ) % _figures(PAPERS)


def _figures(quota: Quota) -> dict[str, str]:
    most = number_format(quota.most)
    return {"most": most, "time": next_day_in_words(), "setting": quota.setting}


def _forget(club: int) -> None:
    ClubDay.objects.filter(club=club, day__lt=timezone.now().date() - RETENTION).delete()


def _today() -> str:
    return timezone.now().date().isoformat()
