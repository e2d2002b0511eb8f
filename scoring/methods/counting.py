"""The unit in which a play of a deal is counted: thirteen tricks, or points."""

from typing import NamedTuple

TRICKS_PER_DEAL = 13


class ScoringUnit(NamedTuple):
    """The total of both sides in one play, and the minimum and maximum of one side.

    With points, a side counts the points it won less those it lost. The two sides add up to
    zero in points, as they add up to thirteen in tricks. Methods that compare scores need no
    other arithmetic for points.

    Source: The Standard Hoyle (1912), Duplicate Bridge.
    """

    both_sides_total: int
    """The sum of both sides' values in one play: 13 in tricks, 0 in points."""
    minimum: int
    maximum: int

    @property
    def is_in_points(self) -> bool:
        """Whether points are counted instead of tricks."""
        return self.both_sides_total == 0


TRICK_UNIT = ScoringUnit(TRICKS_PER_DEAL, 0, TRICKS_PER_DEAL)


def build_point_unit(max_points: int) -> ScoringUnit:
    """Return the unit of points, with the most points that a side can win in one play."""
    return ScoringUnit(0, -max_points, max_points)
