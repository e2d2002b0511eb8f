"""The rule when players may see a drive's standings, and the type of name formatters."""

from collections.abc import Callable

from drives.models import Drive, DrivePlayer
from drives.snapshot import DriveSnapshot

NameFormatter = Callable[[DrivePlayer], str]
"""A function that returns the name of a player that the reader may see."""


def can_players_see_standings(snapshot: DriveSnapshot) -> bool:
    """Return whether players may see the standings: after the close, or earlier if the drive's
    setting allows it.
    """
    drive = snapshot.drive
    if drive.is_closed or drive.standings_shown == Drive.StandingsVisibility.ALWAYS:
        return True
    if drive.standings_shown == Drive.StandingsVisibility.HALF:
        return drive.at_round <= snapshot.planned_round_count // 2
    return False
