"""What one play of a deal counts: the thirteen tricks that two sides share, or points."""

from typing import NamedTuple

TRICKS = 13


class Counting(NamedTuple):
    """What the two sides of a play make together, and how much one of them can make.

    Points are won and lost: a side counts what it won less what it lost, so the two sides make
    nothing together, as in tricks they make thirteen. All else follows from these figures, and
    a method that compares scores needs no other arithmetic for points.
    Source: The Standard Hoyle (1912), Duplicate Bridge.
    """

    in_all: int
    """What both sides make together."""
    least: int
    most: int

    @property
    def in_points(self) -> bool:
        """Whether points are won and lost, in place of tricks."""
        return self.in_all == 0


IN_TRICKS = Counting(TRICKS, 0, TRICKS)


def in_points(most: int) -> Counting:
    """Return how points are counted of which a side can win so many in one play."""
    return Counting(0, -most, most)
