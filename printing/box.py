"""A rectangle on a page, in points from the page's lower left corner."""

from dataclasses import dataclass
from typing import Self

MM = 72 / 25.4  # points per millimetre


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
    def middle_y(self) -> float:
        """The y coordinate halfway between the lower and the upper edge, in points."""
        return self.bottom + self.height / 2

    def inset(self, horizontal_margin: float, vertical_margin: float | None = None) -> Self:
        """Return the box reduced by a margin on each side.

        `horizontal_margin` is the left and right margin in points, `vertical_margin` the upper
        and lower one, by default the same.
        """
        vertical_margin = horizontal_margin if vertical_margin is None else vertical_margin
        left, bottom = self.left + horizontal_margin, self.bottom + vertical_margin
        return type(self)(
            left, bottom, self.width - 2 * horizontal_margin, self.height - 2 * vertical_margin
        )

    def get_top_strip(self, height: float) -> Self:
        """Return the strip of this height, in points, at the top of the box."""
        return type(self)(self.left, self.top - height, self.width, height)

    def get_bottom_strip(self, height: float) -> Self:
        """Return the strip of this height, in points, at the bottom of the box."""
        return type(self)(self.left, self.bottom, self.width, height)

    def exclude_top(self, height: float) -> Self:
        """Return this box without a strip of the given height (in points) at the top."""
        return type(self)(self.left, self.bottom, self.width, self.height - height)

    def exclude_bottom(self, height: float) -> Self:
        """Return this box without a strip of the given height (in points) at the bottom."""
        return type(self)(self.left, self.bottom + height, self.width, self.height - height)

    def split_columns(self, *weights: float) -> tuple[Self, ...]:
        """Return the box split into columns in proportion to their weights."""
        unit_width = self.width / sum(weights)
        left_edges = [
            self.left + unit_width * sum(weights[:index]) for index in range(len(weights))
        ]
        return tuple(
            type(self)(left, self.bottom, unit_width * weight, self.height)
            for left, weight in zip(left_edges, weights, strict=True)
        )

    def split_tiles(self, column_count: int, row_count: int) -> tuple[Self, ...]:
        """Return the box split into equal tiles, in reading order."""
        width, height = self.width / column_count, self.height / row_count
        return tuple(
            type(self)(self.left + column * width, self.top - (row + 1) * height, width, height)
            for row in range(row_count)
            for column in range(column_count)
        )
