"""The layout of papers before drawing: their pages, and slips that share a sheet.

`Pages` is a paper of whole pages, and `Slips` a paper of slips. Each slip has its table, by
which printed sheets are sorted.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box

Table = tuple[str, int]  # the section's letter and the table number; ("", 0) for none
Cell = tuple[int, int]  # a quarter of a page, as column and row from the top
_QUARTERS = ((0, 0), (1, 0), (0, 1), (1, 1))
_CUT_MARK_LENGTH = 8 * MM


@dataclass(frozen=True, slots=True)
class Pages:
    """A paper of whole pages: their number, and the function that draws them."""

    count: int
    draw: Callable[[Canvas], None]
    landscape: bool = False


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip: its table, and the function that draws it."""

    table: Table
    draw: Callable[[Canvas, Box], None]


@dataclass(frozen=True, slots=True)
class Slips:
    """A paper of slips of one size: a whole page, half a page or a quarter."""

    across: int
    down: int
    slips: tuple[Slip, ...]


@dataclass(frozen=True, slots=True)
class _PlacedSlip:
    cells: frozenset[Cell]
    slip: Slip


def draw_slips(canvas: Canvas, page: Box, layout: Slips) -> bytes:
    """Draw slips in reading order with cutting marks, and return the finished paper."""
    paper.draw_slips(
        canvas,
        page,
        layout.slips,
        lambda slip, tile: slip.draw(canvas, tile),
        across=layout.across,
        down=layout.down,
    )
    return paper.finish_canvas(canvas)


def lay_out_by_table(papers: Sequence[Slips], page: Box) -> Pages:
    """Lay out the slips of several papers table by table, on as few sheets as possible.

    A table's slips fill free space on earlier sheets first. Two sections never share a sheet.
    """
    tables: dict[Table, list[tuple[Slips, Slip]]] = {}
    for slips in papers:
        for slip in slips.slips:
            tables.setdefault(slip.table, []).append((slips, slip))
    pages = [
        placed_slips
        for _section, page_tables in groupby(
            sorted(tables, key=_get_sort_key), key=lambda table: table[0]
        )
        for placed_slips in _place_slips([tables[table] for table in page_tables])
    ]

    def draw(canvas: Canvas) -> None:
        for placed_slips in pages:
            _draw_page(canvas, page, placed_slips)

    return Pages(len(pages), draw)


def _get_sort_key(table: Table) -> tuple[str, bool, int]:
    """Return the sort key of a table; slips without a table are last."""
    section, number = table
    return section, not number, number


def _place_slips(heaps: Iterable[Sequence[tuple[Slips, Slip]]]) -> list[list[_PlacedSlip]]:
    """Place the slips of each table, the largest first, on the first page with space."""
    pages: list[list[_PlacedSlip]] = []
    free_cells: list[frozenset[Cell]] = []  # the free quarters of each page
    for slips in heaps:
        for each, slip in sorted(slips, key=lambda pair: pair[0].across * pair[0].down):
            fitting_cells = (
                _find_free_cells(cells, each.across, each.down) for cells in free_cells
            )
            page_index, used_cells = next(
                ((number, cells) for number, cells in enumerate(fitting_cells) if cells),
                (len(pages), _find_free_cells(frozenset(_QUARTERS), each.across, each.down)),
            )
            if page_index == len(pages):
                pages.append([])
                free_cells.append(frozenset(_QUARTERS))
            pages[page_index].append(_PlacedSlip(used_cells, slip))
            free_cells[page_index] -= used_cells
    return pages


@cache
def _find_free_cells(free_cells: frozenset[Cell], across: int, down: int) -> frozenset[Cell]:
    """Return the first free quarters that fit a slip; empty if it does not fit."""
    wide, high = 3 - across, 3 - down  # the slip's size in quarters
    for left, top in _QUARTERS:
        cells = frozenset(
            (left + column, top + row) for column in range(wide) for row in range(high)
        )
        if cells <= free_cells:
            return cells
    return frozenset()


def _draw_page(canvas: Canvas, page: Box, placed_slips: Sequence[_PlacedSlip]) -> None:
    tiles = dict(zip(((0, 0), (1, 0), (0, 1), (1, 1)), page.split_tiles(2, 2), strict=True))
    _cut_marks(canvas, page, {cell: slip.slip for slip in placed_slips for cell in slip.cells})
    for slip in placed_slips:
        boxes = [tiles[cell] for cell in slip.cells]
        left, bottom = min(box.left for box in boxes), min(box.bottom for box in boxes)
        width = max(box.right for box in boxes) - left
        slip.slip.draw(canvas, Box(left, bottom, width, max(b.top for b in boxes) - bottom))
    canvas.showPage()


def _cut_marks(canvas: Canvas, page: Box, slips: dict[tuple[int, int], Slip]) -> None:
    """Draw a stroke at each edge between two slips, and a cross in the middle."""
    x, y = page.left + page.width / 2, page.middle
    ends = {
        ((0, 0), (1, 0)): (x, page.top, x, page.top - _CUT_MARK_LENGTH),
        ((0, 1), (1, 1)): (x, page.bottom, x, page.bottom + _CUT_MARK_LENGTH),
        ((0, 0), (0, 1)): (page.left, y, page.left + _CUT_MARK_LENGTH, y),
        ((1, 0), (1, 1)): (page.right, y, page.right - _CUT_MARK_LENGTH, y),
    }
    strokes = [
        stroke for (one, two), stroke in ends.items() if slips.get(one) is not slips.get(two)
    ]
    if strokes:
        cross_length = _CUT_MARK_LENGTH / 3
        strokes += [
            (x - cross_length, y, x + cross_length, y),
            (x, y - cross_length, x, y + cross_length),
        ]
        canvas.setLineWidth(paper.HAIR)
        canvas.lines(strokes)
