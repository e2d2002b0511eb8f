"""Draws one table on as many pages as the table needs."""

from collections.abc import Sequence
from typing import NamedTuple

from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper
from printing.grid import Column, Row
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.values import Heading


class TableHeights(NamedTuple):
    """The heights in points of a table's head, of one row, and of the space below the table."""

    head_height: float
    row_height: float
    foot_height: float


def draw_table(
    canvas: Canvas,
    heading: Heading,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[Row],
    heights: TableHeights,
    note_text: str,
    paper_size: paper.Size,
) -> None:
    """Draw the rows on as many pages as needed, with the title above and the note below."""
    head_height, row_height, foot_height = heights
    page = paper.get_page_box(paper_size)
    inner_box = page.inset(paper.PAGE_MARGIN)
    row_groups = grid.split_rows(
        rows,
        int((inner_box.height - PAGE_TITLE_HEIGHT - head_height - foot_height) / row_height),
    )
    for page_number, part_rows in enumerate(row_groups, start=1):
        draw_page_title(canvas, inner_box, heading, title, page_number=page_number)
        grid.draw_grid(
            canvas,
            inner_box.exclude_top(PAGE_TITLE_HEIGHT),
            columns,
            part_rows,
            head_height=head_height,
            row_height=row_height,
        )
        paper.draw_footer(canvas, page, note_text, page_number, len(row_groups))
        canvas.showPage()
