"""The four seats, the two sides, and the dealer of each board."""

from enum import StrEnum
from typing import Self

from django.utils.translation import gettext as _

from server.translation import gettext_noop


class Side(StrEnum):
    """A pair of partners, who sit opposite each other."""

    NS = "NS"
    EW = "EW"

    @property
    def opposing_side(self) -> "Side":
        """The opponents' side."""
        return Side.EW if self is Side.NS else Side.NS

    @property
    def word(self) -> str:
        """The name of the side, such as North-South."""
        return _("North-South") if self is Side.NS else _("East-West")


class Seat(StrEnum):
    """One of the four seats of a table, in clockwise order of play: N, E, S, W."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def left_neighbour(self) -> "Seat":
        """The seat that plays after this one."""
        return _LEFT_NEIGHBOURS[self]

    @property
    def partner(self) -> "Seat":
        """The opposite seat, where the partner sits."""
        return self.left_neighbour.left_neighbour

    @property
    def right_neighbour(self) -> "Seat":
        """The seat that plays before this one."""
        return self.partner.left_neighbour

    @property
    def side(self) -> Side:
        """The side that this seat belongs to."""
        return Side.NS if self in (Seat.NORTH, Seat.SOUTH) else Side.EW

    @property
    def word(self) -> str:
        """The name of the seat, such as North."""
        return _(_SEAT_NAMES[self])

    @classmethod
    def find_dealer(cls, board_number: int) -> Self:
        """Return the dealer of a board: North for board 1, East for 2, South for 3, and so on.

        The books do not name the first dealer; North is this project's convention (rules C5).
        """
        return cls("NESW"[(board_number - 1) % 4])


_LEFT_NEIGHBOURS = {
    Seat.NORTH: Seat.EAST,
    Seat.EAST: Seat.SOUTH,
    Seat.SOUTH: Seat.WEST,
    Seat.WEST: Seat.NORTH,
}
_SEAT_NAMES = {
    Seat.NORTH: gettext_noop("North"),
    Seat.EAST: gettext_noop("East"),
    Seat.SOUTH: gettext_noop("South"),
    Seat.WEST: gettext_noop("West"),
}
