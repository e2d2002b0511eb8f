"""Scales of charts: bar lengths, positions of values, and tick values."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

Figure = Fraction | int
TICK_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in per cent, from the middle to the right for a plus, to the left for a minus."""

    start: str
    width: str
    is_plus: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """The lowest and highest value of a chart."""

    low: Figure
    high: Figure

    def to_height_fraction(self, figure: Figure) -> float:
        """Return the distance of a value from the upper edge, as a fraction of the height."""
        return float((self.high - figure) / (self.high - self.low))


def build_bar(figure: Figure, most: Figure) -> Bar:
    """Return the bar of a plus or minus; `most` is the largest absolute value."""
    part = min(1.0, abs(float(figure)) / float(most)) if most else 0.0
    is_plus = figure > 0
    return Bar(
        format_coordinate(50 if is_plus else 50 - 50 * part),
        format_coordinate(50 * part),
        is_plus,
    )


def find_largest_absolute(figures: Iterable[Figure]) -> Fraction:
    """Return the largest absolute value."""
    return max((abs(Fraction(figure)) for figure in figures), default=Fraction())


def choose_ticks(low: Figure, high: Figure, *, most: int = 5) -> list[Fraction]:
    """Choose round tick values from below the lowest value to above the highest.

    Zero is always a tick. There are at most `most` ticks, but at least three.
    """
    low, high = min(low, 0), max(high, 0)
    if low == high:
        low, high = -1, 1
    power = -2
    while True:
        for step in (Fraction(10) ** power * tick_step for tick_step in TICK_STEPS):
            first, last = floor(Fraction(low) / step), ceil(Fraction(high) / step)
            if last - first < max(most, 3):
                return [step * place for place in range(first, last + 1)]
        power += 1


def build_scale(figures: Iterable[Figure], *, most: int = 5) -> tuple[Scale, list[Fraction]]:
    """Return a scale that includes all values and zero, and its tick values."""
    values = list(figures)
    beside = choose_ticks(min(values, default=0), max(values, default=0), most=most)
    return Scale(beside[0], beside[-1]), beside


def format_coordinate(place: float) -> str:
    """Return a coordinate with a decimal point in every language: 12.5, 50."""
    return f"{place:.2f}".rstrip("0").rstrip(".") or "0"
