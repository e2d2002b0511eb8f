"""The counting of one play of a deal: thirteen tricks shared by two sides, or points."""

from typing import NamedTuple

TRICKS = 13


class Counting(NamedTuple):
    """The total of both sides in one play, and the most that one of them can make.

    Points are won and lost: a side counts the points that it won less those that it lost. So
    the two sides add to zero in points, as they add to thirteen in tricks. Everything else
    follows from these numbers, and a method that compares scores needs no other arithmetic for
    points.

    Source: The Standard Hoyle (1912), Duplicate Bridge.
    """

    in_all: int
    """The sum of both sides."""
    least: int
    most: int

    @property
    def in_points(self) -> bool:
        """Whether points are counted instead of tricks."""
        return self.in_all == 0


IN_TRICKS = Counting(TRICKS, 0, TRICKS)


def in_points(most: int) -> Counting:
    """Return the counting for points, with the most points that a side can win in one play."""
    return Counting(0, -most, most)
