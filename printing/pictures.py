"""Ink on a picture: names in every face that the papers have, areas and lines, as PNG.

For messages: what shows a link there reads no SVG. The only door to Pillow.
"""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from printing.fonts import enlarged, file_of, printable, runs, width_of

Point = tuple[float, float]
FINER = 2
"""Drawn so many times larger, and made smaller at the end: edges come out smooth."""


class Picture:
    """A sheet to draw on; places and sizes are in its own dots, from the upper left."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        """Begin with a plain ground."""
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * FINER, height * FINER), ground)
        self._draw = ImageDraw.Draw(self._image)

    def area(self, points: Sequence[Point], colour: str) -> None:
        """Fill what lies between some points."""
        if len(points) > 2:
            self._draw.polygon([(x * FINER, y * FINER) for x, y in points], fill=colour)

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a line through some points."""
        finer = [(x * FINER, y * FINER) for x, y in points]
        self._draw.line(finer, fill=colour, width=round(width * FINER), joint="curve")

    def box(self, at: Point, to: Point, colour: str, *, radius: float = 0) -> None:
        """Fill a box, with round corners."""
        finer = (at[0] * FINER, at[1] * FINER, to[0] * FINER, to[1] * FINER)
        self._draw.rounded_rectangle(finer, radius * FINER, fill=colour)

    def dot(self, at: Point, radius: float, colour: str) -> None:
        """Draw a dot."""
        x, y = at
        finer = tuple(it * FINER for it in (x - radius, y - radius, x + radius, y + radius))
        self._draw.ellipse(finer, fill=colour)

    def write(
        self, text: str, at: Point, *, font: str, size: float, colour: str, room: float = 0
    ) -> float:
        """Write a line from its left end on its foot; smaller where it needs more than `room`.

        Returns the size that it came out in.
        """
        clean = printable(text, font)
        wide = width_of(clean, font) * size
        if room and wide > room:
            size *= room / wide
        x, y = at
        for run in runs(clean, font):
            if file_of(run.face):
                face = _face(run.face, round(size * enlarged(run.face) * FINER))
                self._draw.text((x * FINER, y * FINER), run.text, colour, face, anchor="ls")
            x += run.width * size
        return size

    def png(self) -> bytes:
        """Return the picture as a file.

        The colours are found by an octree, in a fifth of the time of the median cut: more dots
        are a shade off their colour, and the worst of them by less.
        """
        small = self._image.reduce(FINER)  # each dot is the mean of four
        out = BytesIO()
        small.quantize(128, Image.Quantize.FASTOCTREE).save(out, "PNG")
        return out.getvalue()


@lru_cache(maxsize=16)
def in_black(png: bytes) -> bytes:
    """A picture in greys on white, as a printer without colours has it; as a PNG."""
    with Image.open(BytesIO(png)) as picture:
        drawn = picture.convert("RGBA")
    ground = Image.new("RGBA", drawn.size, "white")
    ground.alpha_composite(drawn)
    out = BytesIO()
    ground.convert("L").save(out, "PNG", optimize=True)
    return out.getvalue()


@lru_cache(maxsize=64)
def _face(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file_of(name), max(size, 1))
