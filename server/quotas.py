"""How much of a server a club may have in one day, and what is said when it has had it.

A laptop has no quota: 0 is none, and then nothing is asked of the database. Days are those of
the machine, in UTC. Standings are nobody's quota: no evening waits for them.
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

FORGOTTEN = timedelta(days=8)

# Two who order for one club at once meet here, and the second sees what the first has taken.
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
    """One kind of what a club may have so much of: its code in rows, its setting, its words."""

    code: str
    setting: str
    used: Promise
    """What a club has had today, with `used` and `most` to be put in."""

    @property
    def most(self) -> int:
        """So much a day; 0 is as much as is wanted."""
        return int(getattr(settings, self.setting))

    def told(self, used: float) -> str:
        """What a club has had today, in words."""
        figures = {"used": number_format(round(used)), "most": number_format(self.most)}
        return str(self.used) % figures


ANALYSIS = Quota(
    "analysis",
    "QUOTA_ANALYSIS_SECONDS",
    gettext_lazy("%(used)s of %(most)s seconds of looking for best play"),
)
PAPERS = Quota("papers", "QUOTA_PAPERS", gettext_lazy("%(used)s of %(most)s papers"))
DAILY = (ANALYSIS, PAPERS)


def add(quota: Quota, club: int | None, amount: float) -> None:
    """Write down what a club has had, be it more than its quota."""
    if not quota.most or club is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(ADD, [club, _today(), quota.code, amount])
    _forget(club)


def take(quota: Quota, club: int, amount: float = 1) -> bool:
    """Let a club have so much more, and say whether it may: if not, nothing is written."""
    most = quota.most
    if not most:
        return True
    if amount > most:
        return False
    with connection.cursor() as cursor:
        cursor.execute(TAKE, [club, _today(), quota.code, amount, most])
        taken = cursor.fetchone()
    if taken is not None and taken[0] == amount:  # the first of the day
        _forget(club)
    return taken is not None


def used(quota: Quota, club: int) -> float:
    """What a club has had today."""
    rows = ClubDay.objects.filter(club=club, day=timezone.now().date(), quota=quota.code)
    return rows.values_list("amount", flat=True).first() or 0.0


def of_today(clubs: Collection[int] | None) -> dict[int, dict[str, float]]:
    """What these clubs, or all, have had today: by club and by the quota's code."""
    rows = ClubDay.objects.filter(day=timezone.now().date())
    if clubs is not None:
        rows = rows.filter(club__in=clubs)
    found: dict[int, dict[str, float]] = {}
    for row in rows.order_by("-amount"):
        found.setdefault(row.club, {})[row.quota] = row.amount
    return found


def is_reached(quota: Quota, club: int | None) -> bool:
    """Whether a club has had all of today's."""
    return bool(quota.most) and club is not None and used(quota, club) >= quota.most


def tomorrow(now: datetime) -> datetime:
    """When the next day begins."""
    return (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)


def seconds_left() -> int:
    """How long today lasts still."""
    now = timezone.now()
    return int((tomorrow(now) - now).total_seconds()) + 1


def next_day() -> str:
    """When the next day begins, as clocks show it where the page is read."""
    return f"{timezone.localtime(tomorrow(timezone.now())):%H:%M %Z}"


def resting_words() -> str:
    """Why best play is not looked for today, the figure, and the cure."""
    return _(
        "Best play waits until %(time)s: the club has used all %(most)s seconds that this "
        "server looks for it in one day. Nothing need be ordered again. Whoever looks after "
        "the server can allow more (%(setting)s)."
    ) % _figures(ANALYSIS)


def refusing_words() -> str:
    """Why no more papers are made today, the figure, and the cure."""
    return _(
        "The club has ordered %(most)s papers today, as many as this server makes for one "
        "club in a day. Those that were ordered are made. Order this one after %(time)s, or "
        "ask whoever looks after the server to allow more (%(setting)s)."
    ) % _figures(PAPERS)


def _figures(quota: Quota) -> dict[str, str]:
    most = number_format(quota.most)
    return {"most": most, "time": next_day(), "setting": quota.setting}


def _forget(club: int) -> None:
    ClubDay.objects.filter(club=club, day__lt=timezone.now().date() - FORGOTTEN).delete()


def _today() -> str:
    return timezone.now().date().isoformat()
