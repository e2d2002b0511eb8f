"""Victory points: the value of a match's margin, from 10-10 to 20-0.

Source: modelled on the World Bridge Federation's continuous scale of 2013; not the official
scale. Its end is a margin of three standard deviations of a whist match.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

TEAMS, PAIRS = Fraction(11, 2), Fraction(39, 10)  # three deviations, a board's square root
CENTS = Decimal("0.01")
MAX_POINTS = Decimal(20)


@dataclass(frozen=True, slots=True)
class VictoryPointScale:
    """The scale for a match of `boards` boards; a margin of `end` or more gives 20-0."""

    boards: int
    a_board: Fraction = TEAMS

    @property
    def end(self) -> Decimal:
        """The smallest margin that gives all points: a constant times the root of `boards`."""
        with localcontext() as context:
            context.prec = 40
            return _to_decimal(self.a_board) * Decimal(self.boards).sqrt()

    def of(self, margin: Fraction) -> tuple[Decimal, Decimal]:
        """Return the points of both sides for the first side's margin, with two decimals.

        The winner's points are rounded half up.
        """
        won = self._winner(abs(margin))
        lost = MAX_POINTS - won
        return (won, lost) if margin >= 0 else (lost, won)

    def table(self) -> list[tuple[int, Decimal]]:
        """Return the winner's points for each whole margin, as printed before play."""
        rows = []
        margin = 0
        while True:
            won = self._winner(Fraction(margin))
            rows.append((margin, won))
            if won == MAX_POINTS:
                return rows
            margin += 1

    def _winner(self, margin: Fraction) -> Decimal:
        with localcontext() as context:
            context.prec = 40
            if _to_decimal(margin) >= self.end:
                return MAX_POINTS.quantize(CENTS)
            tau = (Decimal(5).sqrt() - 1) / 2
            part = tau ** (3 * _to_decimal(margin) / self.end)
            won = 10 + 10 * (1 - part) / (1 - tau**3)
            return won.quantize(CENTS, ROUND_HALF_UP)


def _to_decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)
