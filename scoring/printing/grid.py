"""A ruled table: a head of titles, rows of figures, and empty cells to write in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil

from reportlab.pdfgen.canvas import Canvas

from scoring.printing.box import MM, Box
from scoring.printing.fonts import BOLD, SANS
from scoring.printing.lettering import FLOOR, Align, write
from scoring.printing.paper import THICK, THIN

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, its share of the width, how its cells are set."""

    title: str
    weight: float
    align: Align = "centre"
    font: str = SANS
    size: float = 11
    framed: bool = False  # a thick frame round what is written by hand
    floor: float = FLOOR  # points: a cell is set on several lines rather than smaller


def draw(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    head: float,
    row: float,
    heavy_after: Collection[int] = (),
    title_size: float = 8,
) -> float:
    """Draw a table from the top of a box, its rows `row` points high; return its lower edge.

    `heavy_after` names the rows, counted from 0, that a thick rule follows.
    """
    titles = box.head(head).columns(*(column.weight for column in columns))
    for column, place in zip(columns, titles, strict=True):
        inner = place.inset(0.7 * MM, 0.3 * MM)
        align: Align = "left" if column.align == "left" else "centre"
        write(
            canvas,
            column.title,
            inner,
            font=BOLD,
            size=title_size,
            align=align,
            floor=title_size,
        )
    top = box.top - head
    for cells in rows:
        strip = Box(box.left, top - row, box.width, row)
        _write_row(canvas, strip, columns, cells)
        top -= row
    heights = [box.top, *(box.top - head - place * row for place in range(len(rows) + 1))]
    _rule(canvas, box, heights, [place.left for place in titles])
    _frame(canvas, columns, titles, heights)
    _heavy(canvas, box, [heights[place + 2] for place in heavy_after])
    return heights[-1]


def row_height(space: float, rows: int, *, least: float, most: float) -> float:
    """Return how high so many rows may be to fit the space, within limits, in points."""
    return min(most, max(least, space / max(rows, 1)))


def shares(count: int, most: int) -> list[int]:
    """Return how many of a count go into each part, parts as equal as can be, none over `most`.

    Three times seven for 21 with at most nine; one empty part for nothing at all.
    """
    parts = max(1, ceil(count / max(most, 1)))
    return [count // parts + (part < count % parts) for part in range(parts)]


def _write_row(canvas: Canvas, strip: Box, columns: Sequence[Column], cells: Row) -> None:
    places = strip.columns(*(column.weight for column in columns))
    for column, place, cell in zip(columns, places, cells, strict=True):
        inner = place.inset((1.2 if column.align != "centre" else 0.4) * MM, 0.2 * MM)
        write(
            canvas,
            cell,
            inner,
            font=column.font,
            size=column.size,
            align=column.align,
            floor=column.floor,
        )


def _rule(canvas: Canvas, box: Box, heights: Sequence[float], lefts: Sequence[float]) -> None:
    canvas.setLineWidth(THIN)
    across = [(box.left, height, box.right, height) for height in heights]
    down = [(left, heights[0], left, heights[-1]) for left in (*lefts, box.right)]
    canvas.lines(across + down)


def _frame(
    canvas: Canvas, columns: Sequence[Column], places: Sequence[Box], heights: Sequence[float]
) -> None:
    canvas.setLineWidth(THICK)
    for column, place in zip(columns, places, strict=True):
        if column.framed:
            canvas.rect(place.left, heights[-1], place.width, heights[0] - heights[-1])


def _heavy(canvas: Canvas, box: Box, heights: Sequence[float]) -> None:
    canvas.setLineWidth(THICK)
    for height in heights:
        canvas.line(box.left, height, box.right, height)
