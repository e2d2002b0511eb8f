"""A night and its table locked for an act, and what every act of them begins and ends with."""

from django.utils.translation import gettext as _

from clubs.errors import NotNow
from rubbers.errors import RubberRefused
from rubbers.held import HeldNight, HeldTable, read_night
from rubbers.models import RubberNight


def still_open(night: RubberNight) -> None:
    """Refuse what a closed night allows no more."""
    if night.is_closed:
        raise NotNow(_("The night is closed. Open it again first."))
    if night.drive is not None and night.drive.is_closed:
        raise NotNow(_("The drive is closed. Open it again first."))


def own_night(night: RubberNight) -> None:
    """Refuse for a drive's rubbers what the drive itself says: who plays, and with whom."""
    if night.drive is not None:
        raise NotNow(_("Here the drive says who sits where."))


def table_of(night: RubberNight, number: int, round_: int = 0) -> tuple[HeldNight, HeldTable]:
    """Read a locked night and one table of it. Raises RubberRefused."""
    held = read_night(night)
    table = held.table(number, round_)
    if table is None:
        raise RubberRefused(_("There is no table %(table)s.") % {"table": number})
    return held, table


def about(table: HeldTable) -> str:
    """What the acts of a table are about: they go back in turn."""
    return f"rubber table {table.row.round}.{table.row.number}"


def place(table: HeldTable, **more: int) -> dict[str, int]:
    """Where at a night an act was done, for its history and its way back."""
    at = {"round": table.row.round} if table.row.round else {}
    return at | {"table": table.row.number} | more
