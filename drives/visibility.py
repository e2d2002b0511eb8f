"""Decides when players may see a drive's standings."""

from collections.abc import Callable

from drives.models import Drive, DrivePlayer
from drives.snapshot import DriveSnapshot

NameFormatter = Callable[[DrivePlayer], str]
"""A function that returns the form of a player's name that the visitor may see."""


def can_players_see_standings(snapshot: DriveSnapshot) -> bool:
    """Return whether players may see the standings.

    They may see them after the close, or earlier if the drive's setting allows it.
    """
    drive = snapshot.drive
    if drive.is_closed or drive.standings_shown == Drive.StandingsVisibility.ALWAYS:
        return True
    if drive.standings_shown == Drive.StandingsVisibility.HALF:
        return drive.at_round <= snapshot.planned_round_count // 2
    return False
