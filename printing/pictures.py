"""Draws PNG pictures of text, areas and lines, in the same typefaces as papers.

Messaging apps show these pictures as previews of links; they do not accept SVG. No other module
uses Pillow.
"""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from printing.fonts import (
    get_font_path,
    get_scale_factor,
    measure_width,
    replace_unprintable,
    split_into_runs,
)

Point = tuple[float, float]
OVERSAMPLING_FACTOR = 2
"""Pictures are drawn larger by this factor and then reduced, which makes edges smooth."""


class Picture:
    """A picture to draw on; positions and sizes are in pixels from the upper left corner."""

    def __init__(self, width: int, height: int, background: str) -> None:
        """Start with a plain background."""
        self.width, self.height = width, height
        self._image = Image.new(
            "RGB", (width * OVERSAMPLING_FACTOR, height * OVERSAMPLING_FACTOR), background
        )
        self._draw = ImageDraw.Draw(self._image)

    def fill_polygon(self, points: Sequence[Point], colour: str) -> None:
        """Fill a polygon."""
        if len(points) > 2:
            self._draw.polygon(
                [(x * OVERSAMPLING_FACTOR, y * OVERSAMPLING_FACTOR) for x, y in points],
                fill=colour,
            )

    def draw_line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a line through some points."""
        scaled_points = [(x * OVERSAMPLING_FACTOR, y * OVERSAMPLING_FACTOR) for x, y in points]
        self._draw.line(
            scaled_points, fill=colour, width=round(width * OVERSAMPLING_FACTOR), joint="curve"
        )

    def fill_box(
        self, corner: Point, opposite_corner: Point, colour: str, *, radius: float = 0
    ) -> None:
        """Fill a rectangle, whose corners have the given radius."""
        scaled_box = (
            corner[0] * OVERSAMPLING_FACTOR,
            corner[1] * OVERSAMPLING_FACTOR,
            opposite_corner[0] * OVERSAMPLING_FACTOR,
            opposite_corner[1] * OVERSAMPLING_FACTOR,
        )
        self._draw.rounded_rectangle(scaled_box, radius * OVERSAMPLING_FACTOR, fill=colour)

    def fill_dot(self, centre: Point, radius: float, colour: str) -> None:
        """Draw a dot."""
        x, y = centre
        scaled_box = tuple(
            coordinate * OVERSAMPLING_FACTOR
            for coordinate in (x - radius, y - radius, x + radius, y + radius)
        )
        self._draw.ellipse(scaled_box, fill=colour)

    def write_line(
        self,
        text: str,
        position: Point,
        *,
        font: str,
        size: float,
        colour: str,
        max_width: float = 0,
    ) -> float:
        """Write a line of text; `position` is the left end of its baseline.

        A text wider than `max_width` is written in smaller type. Returns the actual type size.
        """
        printable_text = replace_unprintable(text, font)
        text_width = measure_width(printable_text, font) * size
        if max_width and text_width > max_width:
            size *= max_width / text_width
        x, y = position
        for run in split_into_runs(printable_text, font):
            if get_font_path(run.face):
                image_font = _open_font(
                    run.face, round(size * get_scale_factor(run.face) * OVERSAMPLING_FACTOR)
                )
                self._draw.text(
                    (x * OVERSAMPLING_FACTOR, y * OVERSAMPLING_FACTOR),
                    run.text,
                    colour,
                    image_font,
                    anchor="ls",
                )
            x += run.width * size
        return size

    def encode_png(self) -> bytes:
        """Return the picture as a PNG.

        The palette is found with an octree, which takes a fifth of the time of median cut. More
        pixels get a slightly wrong colour, but the largest error is smaller.
        """
        # each new pixel is the mean of four
        reduced_image = self._image.reduce(OVERSAMPLING_FACTOR)
        output = BytesIO()
        reduced_image.quantize(128, Image.Quantize.FASTOCTREE).save(output, "PNG")
        return output.getvalue()


@lru_cache(maxsize=16)
def convert_to_grey(png: bytes) -> bytes:
    """Convert a picture to greys on white, for printers without colours; return a PNG."""
    with Image.open(BytesIO(png)) as picture:
        rgba_picture = picture.convert("RGBA")
    background = Image.new("RGBA", rgba_picture.size, "white")
    background.alpha_composite(rgba_picture)
    output = BytesIO()
    background.convert("L").save(output, "PNG", optimize=True)
    return output.getvalue()


@lru_cache(maxsize=64)
def _open_font(name: str, pixel_size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(get_font_path(name), max(pixel_size, 1))
