"""The visibility of a drive's standings."""

from collections.abc import Callable

from drives.held import HeldDrive
from drives.models import Drive, DrivePlayer

Namer = Callable[[DrivePlayer], str]


def standing_is_open(held: HeldDrive) -> bool:
    """Return whether players may see the standings: always after the close, else by term."""
    drive = held.drive
    if drive.is_closed or drive.standings_shown == Drive.Shown.ALWAYS:
        return True
    if drive.standings_shown == Drive.Shown.HALF:
        return drive.at_round <= held.planned // 2
    return False
