"""Scales: the length of a bar, the place of a value, the values beside a chart."""

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
    """The lowest and highest value of a chart."""

    low: Figure
    high: Figure

    def down(self, figure: Figure) -> float:
        """Return the place of a value below the upper edge, as a part of the height."""
        return float((self.high - figure) / (self.high - self.low))


def bar(figure: Figure, most: Figure) -> Bar:
    """Return the bar of a plus or minus; `most` is the largest absolute value."""
    part = min(1.0, abs(float(figure)) / float(most)) if most else 0.0
    is_plus = figure > 0
    return Bar(written(50 if is_plus else 50 - 50 * part), written(50 * part), is_plus)


def furthest(figures: Iterable[Figure]) -> Fraction:
    """Return the largest absolute value."""
    return max((abs(Fraction(each)) for each in figures), default=Fraction())


def ticks(low: Figure, high: Figure, *, most: int = 5) -> list[Fraction]:
    """Choose round numbers from below the lowest value to above the highest.

    Zero is one of them. There are at most `most` of them, but at least three.
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
    """Return a scale that includes all values and zero, and the numbers beside it."""
    known = list(figures)
    beside = ticks(min(known, default=0), max(known, default=0), most=most)
    return Scale(beside[0], beside[-1]), beside


def written(place: float) -> str:
    """Write a coordinate with a decimal point in every language: 12.5, 50."""
    return f"{place:.2f}".rstrip("0").rstrip(".") or "0"
