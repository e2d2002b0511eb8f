"""One table in one round, and the labels of places."""

from enum import StrEnum
from typing import NamedTuple

from boards.whist.seats import Side


class Contest(StrEnum):
    """The kind of contest, which decides what is ranked: pairs, teams or single players."""

    PAIRS = "pairs"
    TEAMS = "teams"
    INDIVIDUAL = "individual"
    MEMORY = "memory"


class Meeting(NamedTuple):
    """A table in one round: the places in the four seats, and the board group.

    Places count from 1. A pair has the same place in two seats. Schedules have thousands of
    meetings. A meeting is a named tuple because a frozen dataclass would take three times as
    long to create, sort and hash.
    """

    round: int
    table: int
    north: int
    east: int
    south: int
    west: int
    board_group: int

    @property
    def places(self) -> tuple[int, ...]:
        """The different places at the table: two for pairs, four for single players."""
        if self.north == self.south and self.east == self.west != self.north:
            return self.north, self.east
        return tuple(dict.fromkeys((self.north, self.south, self.east, self.west)))

    @property
    def ns(self) -> tuple[int, ...]:
        """The places that sit North and South."""
        return (self.north,) if self.north == self.south else (self.north, self.south)

    @property
    def ew(self) -> tuple[int, ...]:
        """The places that sit East and West."""
        return (self.east,) if self.east == self.west else (self.east, self.west)

    def find_side(self, place: int) -> Side:
        """Return the side on which a place of this table sits."""
        return Side.NS if place in (self.north, self.south) else Side.EW


def make_pair_meeting(
    round_number: int, table_number: int, ns_place: int, ew_place: int, board_group: int
) -> Meeting:
    """Make the meeting of two pairs."""
    return Meeting(
        round_number, table_number, ns_place, ew_place, ns_place, ew_place, board_group
    )


def make_ns_and_ew_labels(ns_count: int, ew_count: int) -> tuple[str, ...]:
    """Return the labels of two fields' places: 1NS, 2NS …, then 1EW, 2EW …"""
    return (
        *(f"{number}NS" for number in range(1, ns_count + 1)),
        *(f"{number}EW" for number in range(1, ew_count + 1)),
    )


def make_numeric_labels(place_count: int) -> tuple[str, ...]:
    """Return the labels of the places of one field: 1, 2, 3 …"""
    return tuple(str(place) for place in range(1, place_count + 1))
