"""The layout of papers before drawing: whole pages, and slips that share a sheet.

`PageLayout` is a paper of whole pages, and `SlipLayout` a paper of slips. Slips are sorted by
the table that gets them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box

TableKey = tuple[str, int]  # the section's letter and the table number; ("", 0) for none
PageQuarter = tuple[
    int, int
]  # a quarter of a page: its column and its row, counted from the top
_QUARTERS = ((0, 0), (1, 0), (0, 1), (1, 1))
_CUT_MARK_LENGTH = 8 * MM


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A paper of whole pages: the number of pages, and the function that draws them."""

    page_count: int
    draw: Callable[[Canvas], None]
    is_landscape: bool = False


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip: the table that gets it, and the function that draws it."""

    table: TableKey
    draw: Callable[[Canvas, Box], None]


@dataclass(frozen=True, slots=True)
class SlipLayout:
    """A paper of slips of one size: a whole page, half a page or a quarter."""

    column_count: int
    row_count: int
    slips: tuple[Slip, ...]


@dataclass(frozen=True, slots=True)
class _PlacedSlip:
    quarters: frozenset[PageQuarter]
    slip: Slip


def draw_slips(canvas: Canvas, page: Box, slip_layout: SlipLayout) -> bytes:
    """Draw slips in reading order with cutting marks, and return the finished paper."""
    paper.draw_slips(
        canvas,
        page,
        slip_layout.slips,
        lambda slip, tile: slip.draw(canvas, tile),
        column_count=slip_layout.column_count,
        row_count=slip_layout.row_count,
    )
    return paper.finish_canvas(canvas)


def lay_out_slips_by_table(papers: Sequence[SlipLayout], page: Box) -> PageLayout:
    """Lay out the slips of several papers table by table, on as few sheets as possible.

    A table's slips fill free space on earlier sheets first. Two sections never share a sheet.
    """
    slips_by_table: dict[TableKey, list[tuple[SlipLayout, Slip]]] = {}
    for slip_layout in papers:
        for slip in slip_layout.slips:
            slips_by_table.setdefault(slip.table, []).append((slip_layout, slip))
    pages = [
        placed_slips
        for _section, section_tables in groupby(
            sorted(slips_by_table, key=_get_sort_key), key=lambda table_key: table_key[0]
        )
        for placed_slips in _place_slips(
            [slips_by_table[table_key] for table_key in section_tables]
        )
    ]

    def draw(canvas: Canvas) -> None:
        for placed_slips in pages:
            _draw_page(canvas, page, placed_slips)

    return PageLayout(len(pages), draw)


def _get_sort_key(table_key: TableKey) -> tuple[str, bool, int]:
    """Return the sort key of a table; slips without a table are last."""
    section_letter, table_number = table_key
    return section_letter, not table_number, table_number


def _place_slips(
    slips_of_tables: Iterable[Sequence[tuple[SlipLayout, Slip]]],
) -> list[list[_PlacedSlip]]:
    """Place the slips of each table, the largest first, on the first page with space."""
    pages: list[list[_PlacedSlip]] = []
    free_quarters_by_page: list[frozenset[PageQuarter]] = []  # the free quarters of each page
    for slips in slips_of_tables:
        for slip_layout, slip in sorted(
            slips,
            key=lambda layout_and_slip: (
                layout_and_slip[0].column_count * layout_and_slip[0].row_count
            ),
        ):
            fitting_quarters_by_page = (
                _find_free_quarters(quarters, slip_layout.column_count, slip_layout.row_count)
                for quarters in free_quarters_by_page
            )
            page_index, used_quarters = next(
                (
                    (index, quarters)
                    for index, quarters in enumerate(fitting_quarters_by_page)
                    if quarters
                ),
                (
                    len(pages),
                    _find_free_quarters(
                        frozenset(_QUARTERS), slip_layout.column_count, slip_layout.row_count
                    ),
                ),
            )
            if page_index == len(pages):
                pages.append([])
                free_quarters_by_page.append(frozenset(_QUARTERS))
            pages[page_index].append(_PlacedSlip(used_quarters, slip))
            free_quarters_by_page[page_index] -= used_quarters
    return pages


@cache
def _find_free_quarters(
    free_quarters: frozenset[PageQuarter], column_count: int, row_count: int
) -> frozenset[PageQuarter]:
    """Return the first free quarters that fit a slip; empty if it does not fit."""
    width, height = 3 - column_count, 3 - row_count  # the slip's size in quarters, 1 or 2
    for left, top in _QUARTERS:
        quarters = frozenset(
            (left + column, top + row) for column in range(width) for row in range(height)
        )
        if quarters <= free_quarters:
            return quarters
    return frozenset()


def _draw_page(canvas: Canvas, page: Box, placed_slips: Sequence[_PlacedSlip]) -> None:
    tile_by_quarter = dict(
        zip(((0, 0), (1, 0), (0, 1), (1, 1)), page.split_tiles(2, 2), strict=True)
    )
    _draw_cut_marks(
        canvas,
        page,
        {
            quarter: placed_slip.slip
            for placed_slip in placed_slips
            for quarter in placed_slip.quarters
        },
    )
    for placed_slip in placed_slips:
        boxes = [tile_by_quarter[quarter] for quarter in placed_slip.quarters]
        left, bottom = min(box.left for box in boxes), min(box.bottom for box in boxes)
        width = max(box.right for box in boxes) - left
        placed_slip.slip.draw(
            canvas, Box(left, bottom, width, max(box.top for box in boxes) - bottom)
        )
    canvas.showPage()


def _draw_cut_marks(
    canvas: Canvas, page: Box, slips_by_quarter: dict[tuple[int, int], Slip]
) -> None:
    """Draw a stroke at each edge between two slips, and a cross in the middle."""
    x, y = page.left + page.width / 2, page.middle_y
    stroke_by_edge = {
        ((0, 0), (1, 0)): (x, page.top, x, page.top - _CUT_MARK_LENGTH),
        ((0, 1), (1, 1)): (x, page.bottom, x, page.bottom + _CUT_MARK_LENGTH),
        ((0, 0), (0, 1)): (page.left, y, page.left + _CUT_MARK_LENGTH, y),
        ((1, 0), (1, 1)): (page.right, y, page.right - _CUT_MARK_LENGTH, y),
    }
    strokes = [
        stroke
        for (quarter, other_quarter), stroke in stroke_by_edge.items()
        if slips_by_quarter.get(quarter) is not slips_by_quarter.get(other_quarter)
    ]
    if strokes:
        cross_length = _CUT_MARK_LENGTH / 3
        strokes += [
            (x - cross_length, y, x + cross_length, y),
            (x, y - cross_length, x, y + cross_length),
        ]
        canvas.setLineWidth(paper.HAIRLINE_POINTS)
        canvas.lines(strokes)
