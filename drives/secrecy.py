"""Who may see what of a drive: the standing, the secret, and a person's name."""

from collections.abc import Callable
from typing import Protocol

from django.utils.translation import gettext as _

from clubs.errors import NotNow
from drives.held import HeldDrive
from drives.models import Drive, DrivePlayer

Namer = Callable[[DrivePlayer], str]


class Named(Protocol):
    """A player of an evening, with a name."""

    @property
    def full_name(self) -> str:
        """The name as whoever runs the evening reads it."""
        ...

    @property
    def shown_name(self) -> str:
        """The name as everybody reads it."""
        ...


class Sealed(Protocol):
    """An evening whose secret is published once it is closed."""

    commitment: str

    @property
    def secret(self) -> bytes | memoryview | None:
        """The secret, also while it is sealed."""
        ...

    @property
    def is_closed(self) -> bool:
        """Whether it is over."""
        ...


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


def told_secret(drive: Sealed) -> str:
    """The secret in hexadecimal digits; raise NotNow before the close."""
    if not drive.is_closed:
        raise NotNow(_("The secret is told once the drive is closed."))
    return bytes(drive.secret or b"").hex()
