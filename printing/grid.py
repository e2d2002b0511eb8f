"""A ruled table: a head with titles, rows of text, and empty cells to write in."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil
from typing import TypeVar

from reportlab.pdfgen.canvas import Canvas

from printing import tags
from printing.box import MM, Box
from printing.fonts import BOLD, SANS
from printing.paper import THICK, THIN
from printing.text_boxes import MIN_TYPE_SIZE, Align, write_text

Row = Sequence[str]
Shared = TypeVar("Shared")
DrawCell = Callable[[int, int, Box], None]
"""Draws the content of a cell without text, given its row, its column and its box."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, its share of the width, and the style of its cells."""

    title: str
    weight: float
    align: Align = "centre"
    font: str = SANS
    size: float = 11
    is_framed: bool = False  # a thick frame: the cell is filled in by hand
    floor: float = MIN_TYPE_SIZE  # minimum type size; long texts use several lines first
    is_row_header: bool = False  # its cells are the row headers


def draw_grid(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    head: float,
    row: float,
    heavy_after: Collection[int] = (),
    title_size: float = 8,
    inside: DrawCell | None = None,
    tag_cells: bool = True,
) -> float:
    """Draw a table from the top of a box, with rows `row` points high; return its lower edge.

    `heavy_after` has the rows, counted from 0, after which there is a thick rule. `inside`
    draws cells without text. With `tag_cells` False only rows are tagged, since tags of cells
    would make a paper with many empty tables ten times as large.
    """
    body = box.without_top(head)
    with tags.open_element(canvas, "Table" if tag_cells else "Sect"):
        lower = draw_empty_grid(
            canvas,
            box,
            columns,
            len(rows),
            head=head,
            row=row,
            title_size=title_size,
            tag_cells=tag_cells,
        )
        write_cells(canvas, body, columns, rows, row=row, inside=inside, tag_cells=tag_cells)
    canvas.setLineWidth(THICK)
    for place in heavy_after:
        height = box.top - head - (place + 1) * row
        canvas.line(box.left, height, box.right, height)
    return lower


def draw_empty_grid(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    rows: int,
    *,
    head: float,
    row: float,
    title_size: float = 8,
    tag_cells: bool = True,
) -> float:
    """Draw the titles and rules of a table with empty cells; return its lower edge."""
    places = _compute_column_spans(box, columns)
    with tags.open_element(canvas, "TR" if tag_cells else "P"):
        for column, (left, width) in zip(columns, places, strict=True):
            title_box = Box(left, box.top - head, width, head).inset(0.7 * MM, 0.3 * MM)
            with tags.open_element(canvas, "TH", tags.COLUMN_SCOPE):
                _write_title(canvas, column, title_box, title_size)
    heights = [box.top, *(box.top - head - place * row for place in range(rows + 1))]
    strokes = [(box.left, height, box.right, height) for height in heights]
    lefts = [*(left for left, _width in places), box.right]
    strokes += [(left, box.top, left, heights[-1]) for left in lefts]
    canvas.setLineWidth(THIN)
    canvas.lines(strokes)
    canvas.setLineWidth(THICK)
    for column, (left, width) in zip(columns, places, strict=True):
        if column.is_framed:
            canvas.rect(left, heights[-1], width, box.top - heights[-1])
    return heights[-1]


def _write_title(canvas: Canvas, column: Column, box: Box, size: float) -> None:
    align: Align = "left" if column.align == "left" else "centre"
    write_text(canvas, column.title, box, font=BOLD, size=size, align=align, floor=size)


def write_cells(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    row: float,
    inside: DrawCell | None = None,
    tag_cells: bool = True,
) -> None:
    """Write the cells of a table whose first row begins at the top of the box."""
    places = _compute_column_spans(box, columns)
    skips = inside is None and not (tag_cells and tags.can_open_element(canvas))
    for number, texts in enumerate(rows):
        bottom = box.top - (number + 1) * row
        with tags.open_element(canvas, "TR" if tag_cells else "P"):
            for place, (column, (left, width), cell) in enumerate(
                zip(columns, places, texts, strict=True)
            ):
                if skips and not cell:
                    continue
                with tags.open_element(
                    canvas, *_ROW_HEADER_TAG if column.is_row_header else _CELL_TAG
                ):
                    square = Box(left, bottom, width, row)
                    if cell:
                        _write_cell(canvas, column, cell, square)
                    elif inside is not None:
                        inside(number, place, square)


_TYPE_SIZE_RATIO = 0.58  # share of a row's height; the rest is space above and below
_CELL_TAG = ("TD",)
_ROW_HEADER_TAG = ("TH", tags.ROW_SCOPE)


def _write_cell(canvas: Canvas, column: Column, cell: str, box: Box) -> None:
    gap = (1.2 if column.align != "centre" else 0.4) * MM
    write_text(
        canvas,
        cell,
        Box(box.left + gap, box.bottom + 0.2 * MM, box.width - 2 * gap, box.height - 0.4 * MM),
        font=column.font,
        size=column.size,
        align=column.align,
        floor=column.floor,
    )


def compute_row_height(space: float, rows: int, *, least: float, most: float) -> float:
    """Return the height in points with which `rows` rows fill the space, within limits."""
    return min(most, max(least, space / max(rows, 1)))


def compute_type_size(row: float, *, most: float) -> float:
    """Return the type size in points that fills a row with one line, at most `most`."""
    return min(most, row * _TYPE_SIZE_RATIO)


def split_evenly(count: int, most: int) -> list[range]:
    """Split the positions of a list into the fewest nearly equal parts of at most `most`.

    21 with at most nine become three times seven; 0 becomes one empty part.
    """
    parts = max(1, ceil(count / max(most, 1)))
    ends = accumulate(count // parts + (part < count % parts) for part in range(parts))
    return [range(first, end) for first, end in pairwise([0, *ends])]


def split_rows(rows: Sequence[Shared], most: int) -> list[Sequence[Shared]]:
    """Split rows into the fewest parts of at most `most` rows, as `split_evenly` does."""
    return [rows[part.start : part.stop] for part in split_evenly(len(rows), most)]


def _compute_column_spans(box: Box, columns: Sequence[Column]) -> list[tuple[float, float]]:
    """Return the left edge and the width of each column."""
    strips = box.split_columns(*(column.weight for column in columns))
    return [(strip.left, strip.width) for strip in strips]
