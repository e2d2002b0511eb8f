"""Pages of rows: the title, as many rows as fit, and the page number."""

from collections.abc import Callable, Sequence
from functools import partial

from reportlab.pdfgen.canvas import Canvas

from printing import grid, pages, paper
from printing.box import MM, Box
from printing.grid import Column
from printing.headings import PAGE_TITLE, page_title
from printing.laying import Pages
from printing.pages import Headed

HEAD = 8 * MM
_BELOW = 4 * MM  # free space above the footer
_GROWS = 1.5  # maximum row height / least row height


def inner_box(size: pages.Size, *, landscape: bool = False) -> Box:
    """Return a page without its margins."""
    return pages.page_box(size, landscape=landscape).inset(paper.MARGIN)


def room(size: pages.Size, *, landscape: bool = False) -> float:
    """Return the height available for rows on a page, in points."""
    return inner_box(size, landscape=landscape).height - PAGE_TITLE - HEAD - _BELOW


def titled(
    sheet: Headed,
    title: str,
    size: pages.Size,
    bodies: Sequence[Callable[[Canvas, Box], None]],
    *,
    foot: str = "",
    landscape: bool = False,
) -> Pages:
    """Lay out pages with a common title; each body draws below it."""
    page = pages.page_box(size, landscape=landscape)
    inner = inner_box(size, landscape=landscape)

    def draw(canvas: Canvas) -> None:
        for number, body in enumerate(bodies, start=1):
            page_title(canvas, inner, sheet.heading, title, number=number)
            body(canvas, inner.below(PAGE_TITLE))
            paper.footer(canvas, page, foot, number, len(bodies))
            canvas.showPage()

    return Pages(len(bodies), draw, landscape)


def listed(
    sheet: Headed,
    title: str,
    size: pages.Size,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    row: float,
    foot: str = "",
    landscape: bool = False,
) -> Pages:
    """Lay out one table on as many pages as needed, with rows at least `row` high."""
    space = room(size, landscape=landscape)
    most = int(space / row)
    parts = grid.share_out(rows, most) if rows else []
    longest = max(map(len, parts), default=1)
    row = grid.row_height(space, longest, least=row, most=row * _GROWS)
    bodies = [partial(_draw_rows, columns, part, row) for part in parts]
    return titled(sheet, title, size, bodies, foot=foot, landscape=landscape)


def _draw_rows(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    row: float,
    canvas: Canvas,
    box: Box,
) -> None:
    grid.draw(canvas, box, columns, rows, head=HEAD, row=row, title_size=10)
