"""Victory points: the value of a match's margin, from 10-10 to 20-0.

Source: modelled on the World Bridge Federation's continuous scale of 2013, but not identical.
A margin of three standard deviations of a whist match gives 20-0.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

TEAMS_FACTOR, PAIRS_FACTOR = Fraction(11, 2), Fraction(39, 10)
"""The margin for all points in a match of one board, which is three standard deviations."""

POINTS_ROUNDING_STEP = Decimal("0.01")
MAX_POINTS = Decimal(20)


@dataclass(frozen=True, slots=True)
class VictoryPointScale:
    """The scale for a match; a margin of `max_margin` or more gives 20-0."""

    board_count: int
    board_factor: Fraction = TEAMS_FACTOR

    @property
    def max_margin(self) -> Decimal:
        """The smallest margin for all points: the factor times the root of `board_count`."""
        with localcontext() as context:
            context.prec = 40
            return _to_decimal(self.board_factor) * Decimal(self.board_count).sqrt()

    def compute_points(self, margin: Fraction) -> tuple[Decimal, Decimal]:
        """Return the points of both sides for the first side's margin, with two decimals.

        The winner's points are rounded half up.
        """
        winner_points = self._compute_winner_points(abs(margin))
        loser_points = MAX_POINTS - winner_points
        return (winner_points, loser_points) if margin >= 0 else (loser_points, winner_points)

    def build_points_table(self) -> list[tuple[int, Decimal]]:
        """Return the winner's points for each whole margin, as printed before play."""
        margins_and_points = []
        margin = 0
        while True:
            winner_points = self._compute_winner_points(Fraction(margin))
            margins_and_points.append((margin, winner_points))
            if winner_points == MAX_POINTS:
                return margins_and_points
            margin += 1

    def _compute_winner_points(self, margin: Fraction) -> Decimal:
        with localcontext() as context:
            context.prec = 40
            if _to_decimal(margin) >= self.max_margin:
                return MAX_POINTS.quantize(POINTS_ROUNDING_STEP)
            inverse_golden_ratio = (Decimal(5).sqrt() - 1) / 2
            remaining_fraction = inverse_golden_ratio ** (
                3 * _to_decimal(margin) / self.max_margin
            )
            winner_points = 10 + 10 * (1 - remaining_fraction) / (1 - inverse_golden_ratio**3)
            return winner_points.quantize(POINTS_ROUNDING_STEP, ROUND_HALF_UP)


def _to_decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def score_unfinished_match(
    margin: Fraction, played_board_count: int, planned_board_count: int | Fraction
) -> tuple[Fraction, int] | None:
    """Return the margin and the number of boards with which an unfinished match counts.

    Returns None, which means an average, if less than half of the match was played.
    """
    return (
        (margin, played_board_count) if 2 * played_board_count >= planned_board_count else None
    )
