"""A ruled table: a head of titles, rows of figures, and empty cells to write in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil

from reportlab.pdfgen.canvas import Canvas

from boards.whist import figures
from printing.box import MM, Box
from printing.fonts import BOLD, SANS, width_of
from printing.lettering import FLOOR, Align, write
from printing.paper import THICK, THIN

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
    fill(canvas, box.below(head), columns, rows, row=row)
    lower = rule(canvas, box, columns, len(rows), head=head, row=row, title_size=title_size)
    canvas.setLineWidth(THICK)
    for place in heavy_after:
        height = box.top - head - (place + 1) * row
        canvas.line(box.left, height, box.right, height)
    return lower


def rule(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    rows: int,
    *,
    head: float,
    row: float,
    title_size: float = 8,
) -> float:
    """Draw the titles and rules of a table with empty cells; return its lower edge."""
    places = _places(box, columns)
    for column, (left, width) in zip(columns, places, strict=True):
        inner = Box(left, box.top - head, width, head).inset(0.7 * MM, 0.3 * MM)
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
    heights = [box.top, *(box.top - head - place * row for place in range(rows + 1))]
    strokes = [(box.left, height, box.right, height) for height in heights]
    lefts = [*(left for left, _width in places), box.right]
    strokes += [(left, box.top, left, heights[-1]) for left in lefts]
    canvas.setLineWidth(THIN)
    canvas.lines(strokes)
    canvas.setLineWidth(THICK)
    for column, (left, width) in zip(columns, places, strict=True):
        if column.framed:
            canvas.rect(left, heights[-1], width, box.top - heights[-1])
    return heights[-1]


def fill(
    canvas: Canvas, box: Box, columns: Sequence[Column], rows: Sequence[Row], *, row: float
) -> None:
    """Write the cells of a table whose first row begins at the top of the box."""
    places = _places(box, columns)
    hangs = [
        _hang(column, [row[place] for row in rows]) for place, column in enumerate(columns)
    ]
    for number, cells in enumerate(rows, start=1):
        bottom = box.top - number * row + 0.2 * MM
        for column, (left, width), cell, hang in zip(
            columns, places, cells, hangs, strict=True
        ):
            if not cell:
                continue
            gap = (1.2 if column.align != "centre" else 0.4) * MM
            if cell[-1] not in figures.FRACTIONS:
                width -= hang
            write(
                canvas,
                cell,
                Box(left + gap, bottom, width - 2 * gap, row - 0.4 * MM),
                font=column.font,
                size=column.size,
                align=column.align,
                floor=column.floor,
            )


def _hang(column: Column, cells: Sequence[str]) -> float:
    """Return how far fractions stand out behind the units of a column of figures, in points."""
    parts = {cell[-1] for cell in cells if cell and cell[-1] in figures.FRACTIONS}
    if column.align != "right" or not parts:
        return 0.0
    return max(width_of(part, column.font) for part in parts) * column.size


def row_height(space: float, rows: int, *, least: float, most: float) -> float:
    """Return how high so many rows may be to fit the space, within limits, in points."""
    return min(most, max(least, space / max(rows, 1)))


def shares(count: int, most: int) -> list[int]:
    """Return how many of a count go into each part, parts as equal as can be, none over `most`.

    Three times seven for 21 with at most nine; one empty part for nothing at all.
    """
    parts = max(1, ceil(count / max(most, 1)))
    return [count // parts + (part < count % parts) for part in range(parts)]


def _places(box: Box, columns: Sequence[Column]) -> list[tuple[float, float]]:
    """Return the left edge and the width of each column."""
    strips = box.columns(*(column.weight for column in columns))
    return [(strip.left, strip.width) for strip in strips]
