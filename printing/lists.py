"""Pages of rows with a title, as many rows as fit, and the page number."""

from collections.abc import Callable, Sequence
from functools import partial

from reportlab.pdfgen.canvas import Canvas

from printing import grid, pages, paper
from printing.box import MM, Box
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.layout import Pages
from printing.pages import Headed

TITLES_HEIGHT = 8 * MM
_FREE_ABOVE_FOOTER = 4 * MM  # space above the footer in points
_MAX_ROW_GROWTH = 1.5  # maximum row height divided by the minimum


def get_inner_box(size: pages.Size, *, is_landscape: bool = False) -> Box:
    """Return a page without its margins."""
    return pages.get_page_box(size, is_landscape=is_landscape).inset(paper.PAGE_MARGIN)


def compute_rows_height(size: pages.Size, *, is_landscape: bool = False) -> float:
    """Return the height available for rows on a page, in points."""
    return (
        get_inner_box(size, is_landscape=is_landscape).height
        - PAGE_TITLE_HEIGHT
        - TITLES_HEIGHT
        - _FREE_ABOVE_FOOTER
    )


def lay_out_bodies(
    sheet: Headed,
    title: str,
    size: pages.Size,
    bodies: Sequence[Callable[[Canvas, Box], None]],
    *,
    foot: str = "",
    is_landscape: bool = False,
) -> Pages:
    """Lay out pages with a common title; each body draws the space below the title."""
    page = pages.get_page_box(size, is_landscape=is_landscape)
    inner_box = get_inner_box(size, is_landscape=is_landscape)

    def draw(canvas: Canvas) -> None:
        for number, body in enumerate(bodies, start=1):
            draw_page_title(canvas, inner_box, sheet.heading, title, number=number)
            body(canvas, inner_box.without_top(PAGE_TITLE_HEIGHT))
            paper.draw_footer(canvas, page, foot, number, len(bodies))
            canvas.showPage()

    return Pages(len(bodies), draw, is_landscape)


def lay_out_rows(
    sheet: Headed,
    title: str,
    size: pages.Size,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    row: float,
    foot: str = "",
    is_landscape: bool = False,
) -> Pages:
    """Lay out one table on as many pages as needed, with rows at least `row` high."""
    available_height = compute_rows_height(size, is_landscape=is_landscape)
    max_rows = int(available_height / row)
    parts = grid.split_rows(rows, max_rows) if rows else []
    longest = max(map(len, parts), default=1)
    row = grid.compute_row_height(
        available_height, longest, least=row, most=row * _MAX_ROW_GROWTH
    )
    bodies = [partial(_draw_rows, columns, part, row) for part in parts]
    return lay_out_bodies(sheet, title, size, bodies, foot=foot, is_landscape=is_landscape)


def _draw_rows(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    row: float,
    canvas: Canvas,
    box: Box,
) -> None:
    grid.draw_grid(canvas, box, columns, rows, head=TITLES_HEIGHT, row=row, title_size=10)
