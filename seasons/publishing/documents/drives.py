"""Writing what everybody may see of a whist drive or a rubber night that is over."""

from collections.abc import Iterable
from datetime import date as Date
from typing import Any

from clubs.models import Club
from drives.held import read_drive
from drives.models import Drive
from drives.secrecy import shown
from drives.sheets.standing import prize_list, standing
from rubbers.held import read_night
from rubbers.models import RubberNight
from rubbers.sheets.night import night_sheet
from seasons.ladders.models import Season
from seasons.publishing.documents.document import DRIVE, FORMAT

Data = dict[str, Any]
Evening = Drive | RubberNight


def drives_to_publish(club: Club, only: Season | None = None) -> list[Evening]:
    """The drives and the nights of their own that are closed and listed, by their days.

    A night that scores a drive is shown with that drive.
    """
    drives = Drive.objects.listed().filter(club=club, state=Drive.State.CLOSED)
    nights = RubberNight.objects.listed().filter(
        club=club, state=RubberNight.State.CLOSED, drive=None
    )
    found: Iterable[Evening] = [
        *drives.select_related("club", "evening"),
        *nights.select_related("club", "evening"),
    ]
    return sorted(
        (each for each in found if only is None or _is_in(each.date, only)),
        key=lambda each: (each.date, each.slug),
    )


def drive_document(of: Evening) -> Data:
    """Write a drive or a night: places, points, prizes, names as everybody reads them."""
    is_drive = isinstance(of, Drive)
    return {
        "format": FORMAT,
        "kind": DRIVE,
        "uid": str(of.uid),
        "club": of.club.name,
        "slug": of.slug,
        "name": of.name,
        "date": of.date.isoformat(),
        "variety": "drive" if is_drive else "rubber",
        **(_drive(of) if isinstance(of, Drive) else _night(of)),
    }


def _is_in(day: Date, season: Season) -> bool:
    return season.first_day <= day <= season.last_day


def _drive(drive: Drive) -> Data:
    held = read_drive(drive)
    lines = standing(held, shown).lines
    return {
        "places": [
            {
                "rank": each.rank,
                "tied": each.tied,
                "name": each.person.name,
                "points": str(each.points),
                "rests": each.rests,
            }
            for each in lines
        ],
        "prizes": [
            {
                "words": each.words,
                "name": each.person.name if each.person else "",
                "why": each.why,
            }
            for each in prize_list(held, shown)
        ],
    }


def _night(night: RubberNight) -> Data:
    held = read_night(night)
    names = {line.number: line.name for line in night_sheet(held, shown).lines}
    return {
        "places": [
            {
                "rank": each.rank,
                "tied": each.tied,
                "name": names[int(each.player)],
                "points": str(each.points),
                "rubbers": [each.rubbers_won, each.rubbers],
                "games": [each.games_won, each.games],
            }
            for each in held.standing
        ],
        "prizes": [],
    }
