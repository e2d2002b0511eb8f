"""What people read of the jobs that are not done: since when, how often tried, and why."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from server import quotas
from server.jobs.kinds import Kinds
from server.models import Job

AT_MOST = 200
"""Lines of a list; a longer one tells nobody more."""

Clubs = Collection[int]


@dataclass(frozen=True, slots=True)
class Line:
    """One job that waits, is being done or has failed."""

    number: int
    title: str
    name: str
    state: str
    since: datetime
    tries: int
    words: str
    has_failed: bool


def lines(kinds: Kinds, clubs: Clubs | None = None) -> list[Line]:
    """List what has failed and what is not done, the failed first; of these clubs, or all."""
    rows = (Job.objects.due() | Job.objects.given_up()).filter(kind__in=kinds)
    found = [row for row in rows.order_by("wanted_at") if is_of(row, kinds, clubs)][:AT_MOST]
    found.sort(key=lambda row: row.state != Job.State.FAILED)
    return [_line(row, kinds) for row in found]


def is_of(job: Job, kinds: Kinds, clubs: Clubs | None) -> bool:
    """Whether a job is about a thing of one of these clubs; None is every club."""
    if clubs is None:
        return True
    club = kinds[job.kind].club_of(job.about) if job.club is None else job.club
    return club in clubs


def _words(job: Job) -> str:
    """Why it is not done."""
    if job.rests_until is not None and job.rests_until > timezone.now():
        return quotas.resting_words()
    return str(job.get_trouble_display()) if job.trouble else ""


def _line(job: Job, kinds: Kinds) -> Line:
    kind = kinds[job.kind]
    return Line(
        number=job.pk,
        title=str(kind.title),
        name=kind.tell(job.about),
        state=str(job.get_state_display()),
        since=job.wanted_at,
        tries=job.tries,
        words=_words(job),
        has_failed=job.state == Job.State.FAILED,
    )
