"""Scales: how long a bar is, where a figure stands, which figures are written at the side."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

Figure = Fraction | int
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from the middle to the right for a plus, to the left for a minus; in per cent."""

    start: str
    width: str
    is_plus: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """From which figure to which a picture reaches."""

    low: Figure
    high: Figure

    def down(self, figure: Figure) -> float:
        """How far below the upper edge a figure stands, as a part of the height."""
        return float((self.high - figure) / (self.high - self.low))


def bar(figure: Figure, most: Figure) -> Bar:
    """Draw a plus or minus beside others of which the furthest from nothing is `most`."""
    part = min(1.0, abs(float(figure)) / float(most)) if most else 0.0
    is_plus = figure > 0
    return Bar(written(50 if is_plus else 50 - 50 * part), written(50 * part), is_plus)


def furthest(figures: Iterable[Figure]) -> Fraction:
    """Return how far from nothing the furthest figure lies."""
    return max((abs(Fraction(each)) for each in figures), default=Fraction())


def ticks(low: Figure, high: Figure, *, most: int = 5) -> list[Fraction]:
    """Choose round figures that reach from below the lowest to above the highest.

    Nothing is one of them, and there are at most as many as said, but three at least.
    """
    low, high = min(low, 0), max(high, 0)
    if low == high:
        low, high = -1, 1
    power = -2
    while True:
        for step in (Fraction(10) ** power * each for each in STEPS):
            first, last = floor(Fraction(low) / step), ceil(Fraction(high) / step)
            if last - first < max(most, 3):
                return [step * place for place in range(first, last + 1)]
        power += 1


def around(figures: Iterable[Figure], *, most: int = 5) -> tuple[Scale, list[Fraction]]:
    """Make the scale on which all figures and nothing have room, and the figures beside it."""
    known = list(figures)
    beside = ticks(min(known, default=0), max(known, default=0), most=most)
    return Scale(beside[0], beside[-1]), beside


def written(place: float) -> str:
    """Write a place for a picture, in every language with a point: 12.5, 50."""
    return f"{place:.2f}".rstrip("0").rstrip(".") or "0"
