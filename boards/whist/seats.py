"""The four seats, the two sides, and the dealer of each board."""

from enum import StrEnum
from typing import Self

from django.utils.translation import gettext as _

from server.translation import gettext_noop


class Side(StrEnum):
    """Two partners facing each other."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> "Side":
        """The opponents' side."""
        return Side.EW if self is Side.NS else Side.NS

    @property
    def word(self) -> str:
        """The side in words: North-South."""
        return _("North-South") if self is Side.NS else _("East-West")


class Seat(StrEnum):
    """One of the four seats of a table; play goes to the left: N, E, S, W."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def left(self) -> "Seat":
        """The next seat in order of play."""
        return _LEFT[self]

    @property
    def partner(self) -> "Seat":
        """The seat opposite."""
        return self.left.left

    @property
    def right(self) -> "Seat":
        """The seat that plays before this one."""
        return self.partner.left

    @property
    def side(self) -> Side:
        """The side that this seat belongs to."""
        return Side.NS if self in (Seat.NORTH, Seat.SOUTH) else Side.EW

    @property
    def word(self) -> str:
        """The seat in words: North."""
        return _(_WORDS[self])

    @classmethod
    def dealer_of(cls, board: int) -> Self:
        """Return the dealer of a board: North for 1, East 2, South 3, West 4, and so on.

        The books leave the first dealer open; North is this project's convention (rules C5).
        """
        return cls("NESW"[(board - 1) % 4])


_LEFT = {
    Seat.NORTH: Seat.EAST,
    Seat.EAST: Seat.SOUTH,
    Seat.SOUTH: Seat.WEST,
    Seat.WEST: Seat.NORTH,
}
_WORDS = {
    Seat.NORTH: gettext_noop("North"),
    Seat.EAST: gettext_noop("East"),
    Seat.SOUTH: gettext_noop("South"),
    Seat.WEST: gettext_noop("West"),
}
