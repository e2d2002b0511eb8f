"""Scales of charts: bar lengths, positions of values, and tick values."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

Number = Fraction | int
TICK_STEPS = (1, 2, 5)
"""The distance between two ticks is one of these numbers times a power of ten."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from the middle to the right for a plus, to the left for a minus; in per cent."""

    start: str
    width: str
    is_positive: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """The values at the lower and the upper edge of a chart."""

    low: Number
    high: Number

    def compute_y_fraction(self, value: Number) -> float:
        """Return the distance of a value from the upper edge, as a fraction of the height."""
        return float((self.high - value) / (self.high - self.low))


def build_bar(value: Number, largest_value: Number) -> Bar:
    """Return the bar of a plus or minus, in proportion to the largest absolute value."""
    length_fraction = (
        min(1.0, abs(float(value)) / float(largest_value)) if largest_value else 0.0
    )
    is_positive = value > 0
    return Bar(
        format_coordinate(50 if is_positive else 50 - 50 * length_fraction),
        format_coordinate(50 * length_fraction),
        is_positive,
    )


def find_largest_absolute_value(values: Iterable[Number]) -> Fraction:
    """Return the largest absolute value."""
    return max((abs(Fraction(value)) for value in values), default=Fraction())


def choose_ticks(lowest: Number, highest: Number, *, max_ticks: int = 5) -> list[Fraction]:
    """Choose round tick values from below the lowest value to above the highest.

    Zero is always a tick. There are at most `max_ticks` ticks, but at least three.
    """
    lowest, highest = min(lowest, 0), max(highest, 0)
    if lowest == highest:
        lowest, highest = -1, 1
    exponent = -2
    while True:
        for step in (Fraction(10) ** exponent * tick_step for tick_step in TICK_STEPS):
            first_multiple, last_multiple = (
                floor(Fraction(lowest) / step),
                ceil(Fraction(highest) / step),
            )
            if last_multiple - first_multiple < max(max_ticks, 3):
                return [
                    step * multiple for multiple in range(first_multiple, last_multiple + 1)
                ]
        exponent += 1


def build_scale(
    numbers: Iterable[Number], *, max_ticks: int = 5
) -> tuple[Scale, list[Fraction]]:
    """Return a scale that includes all values and zero, and its tick values."""
    listed_numbers = list(numbers)
    ticks = choose_ticks(
        min(listed_numbers, default=0), max(listed_numbers, default=0), max_ticks=max_ticks
    )
    return Scale(ticks[0], ticks[-1]), ticks


def format_coordinate(coordinate: float) -> str:
    """Return a coordinate with a decimal point in every language: 12.5, 50."""
    return f"{coordinate:.2f}".rstrip("0").rstrip(".") or "0"
