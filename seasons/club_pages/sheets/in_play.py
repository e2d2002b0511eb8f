"""The drives and rubber nights in play, which clubs' home pages show next to events."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date as Date

from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.today import build_today_filter, get_club_date
from drives.models import Drive
from rubbers.models import RubberNight

MAX_ACTIVITIES = 5
"""The maximum of drives, and of rubber nights, that the pages show."""


@dataclass(frozen=True, slots=True)
class ActivityInPlay:
    """A drive or a rubber night in play."""

    name: str
    url: str
    club: str
    text: str  # "Whist drive, round 2 of 24"
    day: Date
    state: str
    state_text: str


def list_activities_in_play(clubs: Iterable[Club]) -> list[ActivityInPlay]:
    """Return the drives and rubber nights in play, latest first, in two queries.

    Those that were created for a later date are omitted.
    """
    today = {club.pk: get_club_date(club) for club in clubs}
    if not today:
        return []
    playing = Q(club__in=list(today), evening__date__lte=max(today.values()), state="open")
    rows = _load_activities(playing, "-evening__date", "-pk", maximum=MAX_ACTIVITIES)
    current_rows = [row for row in rows if row.evening.date <= today[row.club_id]]
    lines = [_build_line(row) for row in current_rows]
    return sorted(lines, key=lambda line: line.day, reverse=True)


def list_activities_today(maximum: int) -> list[ActivityInPlay]:
    """Return the drives and rubber nights of today in all clubs, by club, in three queries.

    `maximum` limits the drives, and the rubber nights. Rubbers that belong to a drive are
    omitted.
    """
    is_today = build_today_filter("evening__date", "club")
    rows = _load_activities(is_today, "club__name", "name", maximum=maximum)
    lines = [_build_line(row) for row in rows]
    return sorted(lines, key=lambda line: (line.club, line.name))


def _load_activities(condition: Q, *order: str, maximum: int) -> list[Drive | RubberNight]:
    drives = Drive.objects.exclude_hidden().filter(condition)
    nights = RubberNight.objects.exclude_hidden().filter(condition)
    return [
        *drives.select_related("club", "evening").order_by(*order)[:maximum],
        *nights.select_related("club", "evening").order_by(*order)[:maximum],
    ]


def _build_line(row: Drive | RubberNight) -> ActivityInPlay:
    text = _("Rubber night")
    if isinstance(row, Drive):
        text = _format_drive(row)
    return ActivityInPlay(
        row.name,
        row.get_absolute_url(),
        row.club.name,
        text,
        row.evening.date,
        row.state,
        row.get_state_display(),
    )


def _format_drive(drive: Drive) -> str:
    if not drive.at_round:
        return _("Whist drive")
    place = {"round": drive.at_round, "rounds": drive.rounds}
    if drive.rounds is None:
        return _("Whist drive, round %(round)s") % place
    return _("Whist drive, round %(round)s of %(rounds)s") % place
