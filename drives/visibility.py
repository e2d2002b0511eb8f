"""The visibility of a drive's standings."""

from collections.abc import Callable

from drives.models import Drive, DrivePlayer
from drives.snapshot import DriveSnapshot

NameFormatter = Callable[[DrivePlayer], str]


def is_standing_open(snapshot: DriveSnapshot) -> bool:
    """Return whether players may see the standings: always after the close, else by term."""
    drive = snapshot.drive
    if drive.is_closed or drive.standings_shown == Drive.StandingsVisibility.ALWAYS:
        return True
    if drive.standings_shown == Drive.StandingsVisibility.HALF:
        return drive.at_round <= snapshot.planned_round_count // 2
    return False
