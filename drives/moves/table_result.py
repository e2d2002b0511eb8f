"""The tables of a hand with their winners."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId
from drives.errors import UnplayableDrive


class Side(StrEnum):
    """One of the two partnerships of a table: A has seats 1 and 3, B has seats 2 and 4."""

    A = "A"
    B = "B"


class Role(StrEnum):
    """A player's role in a partnership: firsts have seats 1 and 2, seconds seats 3 and 4."""

    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class TableResult:
    """A full table with its winner, or the half table, where some seats are empty.

    The half table is the last one. Its firsts and seconds rest, and it has no winner.
    """

    number: int
    seats: tuple[PlayerId | None, ...]
    winner: Side | None = None

    @property
    def is_full(self) -> bool:
        """Whether the table has four players."""
        return len(self.seats) == 4 and None not in self.seats

    def list_resting_players(self, role: Role) -> list[PlayerId]:
        """Return the firsts or the seconds of a half table."""
        seats_per_role = len(self.seats) // 2
        role_seats = (
            self.seats[:seats_per_role] if role is Role.FIRST else self.seats[seats_per_role:]
        )
        return [player for player in role_seats if player is not None]


def check_tables(tables: Sequence[TableResult]) -> None:
    """Raise UnplayableDrive with the number of a table that makes moves impossible."""
    if not tables or not tables[0].is_full:
        raise UnplayableDrive(_("No table is full."))
    seated_players: set[PlayerId] = set()
    for index, table in enumerate(tables):
        _check_table(table, is_last=index == len(tables) - 1)
        for player in table.seats:
            if player is not None and player in seated_players:
                message = _("Table %(table)s: %(player)s is seated twice.")
                raise UnplayableDrive(message % {"table": table.number, "player": player})
            seated_players |= {player} - {None}  # type: ignore[arg-type]  # None is removed


def _check_table(table: TableResult, *, is_last: bool) -> None:
    error_message = ""
    if table.is_full:
        if table.winner is None:
            error_message = _("Table %(table)s: the winner must be A or B.")
    elif not is_last:
        error_message = _("Table %(table)s: only the last table may be incomplete.")
    elif table.winner is not None:
        error_message = _("Table %(table)s: an incomplete table has no winner.")
    elif not any(table.seats):
        error_message = _("Table %(table)s: no one is sitting there.")
    if error_message:
        raise UnplayableDrive(error_message % {"table": table.number})
