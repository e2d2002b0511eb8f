"""Who may see what of a drive: the standing, the secret, and a person's name."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from clubs.errors import NotNow
from drives.held import HeldDrive
from drives.held_rubbers import Named
from drives.models import Drive, DrivePlayer, RubberNight

Namer = Callable[[DrivePlayer], str]


def full(player: Named) -> str:
    """The name as whoever runs the drive or the night reads it."""
    return player.full_name


def shown(player: Named) -> str:
    """The name as everybody reads it: whole, as initials, or left out."""
    return player.shown_name


def standing_is_open(held: HeldDrive) -> bool:
    """Whether players may see who stands where: by the house's term, and after the prizes."""
    drive = held.drive
    if drive.is_closed or drive.standings_shown == Drive.Shown.ALWAYS:
        return True
    if drive.standings_shown == Drive.Shown.HALF:
        return drive.at_round <= held.planned // 2
    return False


def told_secret(drive: Drive | RubberNight) -> str:
    """The secret in hexadecimal digits; raise NotNow before the close."""
    if not drive.is_closed:
        raise NotNow(_("The secret is told once the drive is closed."))
    return bytes(drive.secret or b"").hex()
