"""Lays out lists as pages, each with a title, as many rows as fit, and the page number."""

from collections.abc import Callable, Sequence
from functools import partial

from reportlab.pdfgen.canvas import Canvas

from printing import grid, pages, paper
from printing.box import MM, Box
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.layout import PageLayout
from printing.pages import HeadedSheet

TITLES_HEIGHT = 8 * MM  # the height of the row with the column titles
_SPACE_ABOVE_FOOTER = 4 * MM  # space above the footer in points
_MAX_ROW_GROWTH = 1.5  # maximum row height divided by the minimum


def get_inner_box(paper_size: pages.Size, *, is_landscape: bool = False) -> Box:
    """Return a page without its margins."""
    return pages.get_page_box(paper_size, is_landscape=is_landscape).inset(paper.PAGE_MARGIN)


def compute_rows_height(paper_size: pages.Size, *, is_landscape: bool = False) -> float:
    """Return the height available for rows on a page, in points."""
    return (
        get_inner_box(paper_size, is_landscape=is_landscape).height
        - PAGE_TITLE_HEIGHT
        - TITLES_HEIGHT
        - _SPACE_ABOVE_FOOTER
    )


def lay_out_page_bodies(
    headed_sheet: HeadedSheet,
    title: str,
    paper_size: pages.Size,
    draw_functions: Sequence[Callable[[Canvas, Box], None]],
    *,
    foot_text: str = "",
    is_landscape: bool = False,
) -> PageLayout:
    """Lay out pages with the same title; each function draws one page below the title."""
    page = pages.get_page_box(paper_size, is_landscape=is_landscape)
    inner_box = get_inner_box(paper_size, is_landscape=is_landscape)

    def draw(canvas: Canvas) -> None:
        for page_number, draw_body in enumerate(draw_functions, start=1):
            draw_page_title(
                canvas, inner_box, headed_sheet.heading, title, page_number=page_number
            )
            draw_body(canvas, inner_box.exclude_top(PAGE_TITLE_HEIGHT))
            paper.draw_footer(canvas, page, foot_text, page_number, len(draw_functions))
            canvas.showPage()

    return PageLayout(len(draw_functions), draw, is_landscape)


def lay_out_rows(
    headed_sheet: HeadedSheet,
    title: str,
    paper_size: pages.Size,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    row_height: float,
    foot_text: str = "",
    is_landscape: bool = False,
) -> PageLayout:
    """Lay out one table on as many pages as needed, with rows at least `row_height` high."""
    available_height = compute_rows_height(paper_size, is_landscape=is_landscape)
    max_rows = int(available_height / row_height)
    row_groups = grid.split_rows(rows, max_rows) if rows else []
    largest_group_size = max(map(len, row_groups), default=1)
    row_height = grid.compute_row_height(
        available_height,
        largest_group_size,
        min_height=row_height,
        max_height=row_height * _MAX_ROW_GROWTH,
    )
    draw_functions = [
        partial(_draw_rows, columns, row_group, row_height) for row_group in row_groups
    ]
    return lay_out_page_bodies(
        headed_sheet,
        title,
        paper_size,
        draw_functions,
        foot_text=foot_text,
        is_landscape=is_landscape,
    )


def _draw_rows(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    row_height: float,
    canvas: Canvas,
    box: Box,
) -> None:
    grid.draw_grid(
        canvas,
        box,
        columns,
        rows,
        head_height=TITLES_HEIGHT,
        row_height=row_height,
        title_size=10,
    )
