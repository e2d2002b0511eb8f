"""A rectangle on a page, in points from the page's lower left corner."""

from dataclasses import dataclass
from typing import Self

MM = 72 / 25.4


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangular area of a page."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x coordinate of the right edge, in points."""
        return self.left + self.width

    @property
    def top(self) -> float:
        """The y coordinate of the upper edge, in points."""
        return self.bottom + self.height

    @property
    def middle(self) -> float:
        """The y coordinate halfway between the lower and the upper edge, in points."""
        return self.bottom + self.height / 2

    def inset(self, across: float, up: float | None = None) -> Self:
        """Return the box reduced by a margin on each side.

        `across` is the left and right margin in points. `up` is the upper and lower margin, by
        default the same.
        """
        up = across if up is None else up
        left, bottom = self.left + across, self.bottom + up
        return type(self)(left, bottom, self.width - 2 * across, self.height - 2 * up)

    def top_strip(self, height: float) -> Self:
        """Return the strip of this height, in points, at the top of the box."""
        return type(self)(self.left, self.top - height, self.width, height)

    def bottom_strip(self, height: float) -> Self:
        """Return the strip of this height, in points, at the bottom of the box."""
        return type(self)(self.left, self.bottom, self.width, height)

    def without_top(self, height: float) -> Self:
        """Return this box without a strip of the given height (in points) at the top."""
        return type(self)(self.left, self.bottom, self.width, self.height - height)

    def without_bottom(self, height: float) -> Self:
        """Return this box without a strip of the given height (in points) at the bottom."""
        return type(self)(self.left, self.bottom + height, self.width, self.height - height)

    def split_columns(self, *weights: float) -> tuple[Self, ...]:
        """Return the box split into columns in proportion to their weights."""
        share = self.width / sum(weights)
        lefts = [self.left + share * sum(weights[:place]) for place in range(len(weights))]
        return tuple(
            type(self)(left, self.bottom, share * weight, self.height)
            for left, weight in zip(lefts, weights, strict=True)
        )

    def split_tiles(self, across: int, down: int) -> tuple[Self, ...]:
        """Return the box split into equal tiles, in reading order."""
        width, height = self.width / across, self.height / down
        return tuple(
            type(self)(self.left + column * width, self.top - (row + 1) * height, width, height)
            for row in range(down)
            for column in range(across)
        )
