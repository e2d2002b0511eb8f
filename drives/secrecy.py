"""Who may see the standing of a drive."""

from collections.abc import Callable

from drives.held import HeldDrive
from drives.models import Drive, DrivePlayer

Namer = Callable[[DrivePlayer], str]


def standing_is_open(held: HeldDrive) -> bool:
    """Whether players may see who stands where: by the house's term, and after the prizes."""
    drive = held.drive
    if drive.is_closed or drive.standings_shown == Drive.Shown.ALWAYS:
        return True
    if drive.standings_shown == Drive.Shown.HALF:
        return drive.at_round <= held.planned // 2
    return False
