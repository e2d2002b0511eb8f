"""Draws tables with lines between the cells; people write in the empty cells."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil
from typing import TypeVar

from reportlab.pdfgen.canvas import Canvas

from printing import tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, SANS_FONT
from printing.paper import THICK_LINE_POINTS, THIN_LINE_POINTS
from printing.text_boxes import MIN_TYPE_SIZE, Align, write_text

Row = Sequence[str]
"""The texts of one row of a table, one for each column."""
Item = TypeVar("Item")
DrawCell = Callable[[int, int, Box], None]
"""A function that draws a cell without text, given the row, the column and the box."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, its share of the width, and the style of its cells."""

    title: str
    weight: float
    align: Align = "centre"
    font: str = SANS_FONT
    size: float = 11  # type size in points
    is_framed: bool = False  # whether a thick frame shows that people write in the cells
    min_size: float = MIN_TYPE_SIZE  # in points; a text too long at this size gets more lines
    is_row_header: bool = False  # whether the cells are tagged as row headers


def draw_grid(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    head_height: float,
    row_height: float,
    rows_above_thick_lines: Collection[int] = (),
    title_size: float = 8,
    draw_cell: DrawCell | None = None,
    are_cells_tagged: bool = True,
) -> float:
    """Draw a table from the top of a box; return the y coordinate of its lower edge.

    Heights are in points. A thick line is drawn below each row in `rows_above_thick_lines`,
    where rows are counted from 0. `draw_cell` draws each cell that has no text. If
    `are_cells_tagged` is false, only rows are tagged, because tags of cells would make a paper
    with many empty tables ten times as large.
    """
    body = box.exclude_top(head_height)
    with tags.open_element(canvas, "Table" if are_cells_tagged else "Sect"):
        lower_edge = draw_empty_grid(
            canvas,
            box,
            columns,
            len(rows),
            head_height=head_height,
            row_height=row_height,
            title_size=title_size,
            are_cells_tagged=are_cells_tagged,
        )
        write_cells(
            canvas,
            body,
            columns,
            rows,
            row_height=row_height,
            draw_cell=draw_cell,
            are_cells_tagged=are_cells_tagged,
        )
    canvas.setLineWidth(THICK_LINE_POINTS)
    for row_index in rows_above_thick_lines:
        y = box.top - head_height - (row_index + 1) * row_height
        canvas.line(box.left, y, box.right, y)
    return lower_edge


def draw_empty_grid(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    row_count: int,
    *,
    head_height: float,
    row_height: float,
    title_size: float = 8,
    are_cells_tagged: bool = True,
) -> float:
    """Draw the titles and lines of a table with empty cells.

    Returns the y coordinate of the table's lower edge.
    """
    column_spans = _compute_column_spans(box, columns)
    with tags.open_element(canvas, "TR" if are_cells_tagged else "P"):
        for column, (left, width) in zip(columns, column_spans, strict=True):
            title_box = Box(left, box.top - head_height, width, head_height).inset(
                0.4 * MM, 0.3 * MM
            )
            with tags.open_element(canvas, "TH", tags.COLUMN_SCOPE):
                _write_title(canvas, column, title_box, title_size)
    line_ys = [
        box.top,
        *(box.top - head_height - row_index * row_height for row_index in range(row_count + 1)),
    ]
    strokes = [(box.left, y, box.right, y) for y in line_ys]
    left_edges = [*(left for left, _width in column_spans), box.right]
    strokes += [(left, box.top, left, line_ys[-1]) for left in left_edges]
    canvas.setLineWidth(THIN_LINE_POINTS)
    canvas.lines(strokes)
    canvas.setLineWidth(THICK_LINE_POINTS)
    for column, (left, width) in zip(columns, column_spans, strict=True):
        if column.is_framed:
            canvas.rect(left, line_ys[-1], width, box.top - line_ys[-1])
    return line_ys[-1]


def _write_title(canvas: Canvas, column: Column, box: Box, type_size: float) -> None:
    align: Align = "left" if column.align == "left" else "centre"
    if align == "left":  # in line with the cells below, not against the line
        box = box.inset(0.8 * MM, 0)
    write_text(
        canvas,
        column.title,
        box,
        font=BOLD_FONT,
        size=type_size,
        align=align,
        min_size=type_size,
    )


def write_cells(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    row_height: float,
    draw_cell: DrawCell | None = None,
    are_cells_tagged: bool = True,
) -> None:
    """Write the cells of a table whose first row begins at the top of the box."""
    column_spans = _compute_column_spans(box, columns)
    should_skip_empty_cells = draw_cell is None and not (
        are_cells_tagged and tags.can_open_element(canvas)
    )
    for row_index, row_texts in enumerate(rows):
        bottom = box.top - (row_index + 1) * row_height
        with tags.open_element(canvas, "TR" if are_cells_tagged else "P"):
            for column_index, (column, (left, width), cell_text) in enumerate(
                zip(columns, column_spans, row_texts, strict=True)
            ):
                if should_skip_empty_cells and not cell_text:
                    continue
                with tags.open_element(
                    canvas,
                    *_ROW_HEADER_TAG_ARGUMENTS if column.is_row_header else _CELL_TAG_ARGUMENTS,
                ):
                    cell_box = Box(left, bottom, width, row_height)
                    if cell_text:
                        _write_cell(canvas, column, cell_text, cell_box)
                    elif draw_cell is not None:
                        draw_cell(row_index, column_index, cell_box)


_TYPE_SIZE_RATIO = 0.58  # type size divided by row height; the rest is space around it
_CELL_TAG_ARGUMENTS = ("TD",)
_ROW_HEADER_TAG_ARGUMENTS = ("TH", tags.ROW_SCOPE)


def _write_cell(canvas: Canvas, column: Column, cell_text: str, box: Box) -> None:
    side_margin = (1.2 if column.align != "centre" else 0.4) * MM
    write_text(
        canvas,
        cell_text,
        Box(
            box.left + side_margin,
            box.bottom + 0.2 * MM,
            box.width - 2 * side_margin,
            box.height - 0.4 * MM,
        ),
        font=column.font,
        size=column.size,
        align=column.align,
        min_size=column.min_size,
    )


def compute_row_height(
    available_height: float, row_count: int, *, min_height: float, max_height: float
) -> float:
    """Return the height of a row in points if the rows fill the space, within the limits."""
    return min(max_height, max(min_height, available_height / max(row_count, 1)))


def compute_type_size(row_height: float, *, max_size: float) -> float:
    """Return the type size in points that fills a row with one line, at most `max_size`."""
    return min(max_size, row_height * _TYPE_SIZE_RATIO)


def split_count_evenly(item_count: int, max_length: int) -> list[range]:
    """Split the positions of a list into the fewest nearly equal parts of at most `max_length`.

    For example, 21 positions with at most 9 become three parts of 7. No positions become one
    empty part.
    """
    part_count = max(1, ceil(item_count / max(max_length, 1)))
    part_ends = accumulate(
        item_count // part_count + (part_index < item_count % part_count)
        for part_index in range(part_count)
    )
    return [range(start, end) for start, end in pairwise([0, *part_ends])]


def split_rows(rows: Sequence[Item], max_rows: int) -> list[Sequence[Item]]:
    """Split rows into the fewest parts of at most `max_rows` (see `split_count_evenly`)."""
    return [
        rows[part_range.start : part_range.stop]
        for part_range in split_count_evenly(len(rows), max_rows)
    ]


def _compute_column_spans(box: Box, columns: Sequence[Column]) -> list[tuple[float, float]]:
    """Return the left edge and the width of each column."""
    column_boxes = box.split_columns(*(column.weight for column in columns))
    return [(column_box.left, column_box.width) for column_box in column_boxes]
