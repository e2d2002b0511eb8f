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

MAX_ACTIVITIES_PER_KIND = 5
"""The maximum number of drives that a page shows, and also of rubber nights."""


@dataclass(frozen=True, slots=True)
class ActivityInPlay:
    """A drive or a rubber night in play."""

    name: str
    url: str
    club_name: str
    progress_text: str  # "Whist drive, round 2 of 24"
    day: Date
    state_code: str
    state_text: str


def list_activities_in_play(clubs: Iterable[Club]) -> list[ActivityInPlay]:
    """Return the drives and rubber nights in play, latest first, in two queries.

    Activities that were created for a later date are omitted.
    """
    today_by_club = {club.pk: get_club_date(club) for club in clubs}
    if not today_by_club:
        return []
    in_play_filter = Q(
        club__in=list(today_by_club),
        evening__date__lte=max(today_by_club.values()),
        state="open",
    )
    activities = _load_activities(
        in_play_filter, "-evening__date", "-pk", max_rows=MAX_ACTIVITIES_PER_KIND
    )
    current_activities = [
        activity
        for activity in activities
        if activity.evening.date <= today_by_club[activity.club_id]
    ]
    activities_in_play = [_build_line(activity) for activity in current_activities]
    return sorted(
        activities_in_play, key=lambda activity_in_play: activity_in_play.day, reverse=True
    )


def list_activities_today(max_rows: int) -> list[ActivityInPlay]:
    """Return the drives and rubber nights of today in all clubs, by club, in three queries.

    At most `max_rows` drives and `max_rows` rubber nights are returned. Rubbers that belong to
    a drive are omitted.
    """
    today_filter = build_today_filter("evening__date", "club")
    activities = _load_activities(today_filter, "club__name", "name", max_rows=max_rows)
    activities_today = [_build_line(activity) for activity in activities]
    return sorted(
        activities_today,
        key=lambda activity_today: (activity_today.club_name, activity_today.name),
    )


def _load_activities(
    condition: Q, *order_columns: str, max_rows: int
) -> list[Drive | RubberNight]:
    drives = Drive.objects.exclude_hidden().filter(condition)
    rubber_nights = RubberNight.objects.exclude_hidden().filter(condition)
    return [
        *drives.select_related("club", "evening").order_by(*order_columns)[:max_rows],
        *rubber_nights.select_related("club", "evening").order_by(*order_columns)[:max_rows],
    ]


def _build_line(activity: Drive | RubberNight) -> ActivityInPlay:
    progress_text = _("Rubber night")
    if isinstance(activity, Drive):
        progress_text = _format_drive_progress(activity)
    return ActivityInPlay(
        activity.name,
        activity.get_absolute_url(),
        activity.club.name,
        progress_text,
        activity.evening.date,
        activity.state,
        activity.get_state_display(),
    )


def _format_drive_progress(drive: Drive) -> str:
    if not drive.at_round:
        return _("Whist drive")
    round_placeholders = {"round": drive.at_round, "rounds": drive.rounds}
    if drive.rounds is None:
        return _("Whist drive, round %(round)s") % round_placeholders
    return _("Whist drive, round %(round)s of %(rounds)s") % round_placeholders
