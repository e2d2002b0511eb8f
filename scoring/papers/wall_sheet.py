"""The movement sheet for the wall: a row for each round, a column for each table.

Each square has the pairs and their boards.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper
from printing.box import MM, Box
from printing.fonts import BOLD, LEADING_RATIO, SANS
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import HallSpot, OutdatedBy, PaperGroup, PaperKind, ShownCards, TableNeed
from printing.layout import Pages
from printing.table_flow import TablePart, choose_row_height
from printing.text_boxes import wrap_text, write_paragraph, write_text
from scoring.sheets import hall_papers
from scoring.sheets.hall_values import WallCell, WallSheet

_ROW_HEIGHTS = tuple(height * MM for height in (24, 21, 18, 16, 14, 12, 11, 10))
_TITLES_HEIGHT = 8 * MM
_ROUND_COLUMN_MM = 16  # mm
_MIN_CELL_MM = 21.0  # mm: "12 v 14" and "101–104" at arm's length
_MOVES_TYPE_SIZE = 12.0  # points
_NOTE_TYPE_SIZE = 8.5


def draw_one_pdf(sheet: WallSheet, *, size: paper.Size = "A4") -> bytes:
    """Print the movement in landscape, as large as possible; many tables take more pages."""
    return draw_pdf([sheet], size=size)


def draw_pdf(sheets: Sequence[WallSheet], *, size: paper.Size = "A4") -> bytes:
    """Print the movement of each section on separate pages."""
    headings = [sheet.heading for sheet in sheets]
    canvas = paper.start_canvas(size, _("Movement"), headings, is_landscape=True)
    lay_out(sheets, size=size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out(sheets: Sequence[WallSheet], *, size: paper.Size) -> Pages:
    """Lay out the movement of each section in landscape."""
    page = paper.get_page_box(size, is_landscape=True)
    inner = page.inset(paper.PAGE_MARGIN)
    layouts = [(sheet, *_split_pages(sheet, inner)) for sheet in sheets]

    def draw_them(canvas: Canvas) -> None:
        for sheet, height, pages in layouts:
            _draw_sheet(canvas, sheet, page, height, pages)

    return Pages(sum(len(pages) for _s, _h, pages in layouts), draw_them, landscape=True)


def _split_pages(sheet: WallSheet, inner: Box) -> tuple[float, list[tuple[range, TablePart]]]:
    """Return the height of a row, and the tables and rounds of each page."""
    explanation_height = _measure_explanations(sheet, inner.width)
    height, pieces = choose_row_height(
        [len(sheet.rounds)],
        inner.height - PAGE_TITLE_HEIGHT - explanation_height - 3 * MM,
        extra_height=_TITLES_HEIGHT,
        rows=_ROW_HEIGHTS,
    )
    page_parts = _split_over_pages(sheet, inner.width)
    return height, [(tables, piece) for tables in page_parts for (piece,) in pieces]


def _draw_sheet(
    canvas: Canvas,
    sheet: WallSheet,
    page: Box,
    height: float,
    pages: Sequence[tuple[range, TablePart]],
) -> None:
    inner = page.inset(paper.PAGE_MARGIN)
    for number, (tables, piece) in enumerate(pages, start=1):
        draw_page_title(canvas, inner, sheet.heading, sheet.movement, number=number)
        box = inner.without_top(PAGE_TITLE_HEIGHT)
        lower = _draw_part(canvas, sheet, tables, piece, box, height)
        _draw_explanations(canvas, sheet, box.without_top(box.top - lower + 2 * MM))
        words_below = _("In each square: N-S v E-W, and their boards.")
        paper.draw_footer(canvas, page, words_below, number, len(pages))
        canvas.showPage()


def _split_over_pages(sheet: WallSheet, width: float) -> list[range]:
    max_columns = int((width / MM - _ROUND_COLUMN_MM) / _MIN_CELL_MM)
    return grid.split_evenly(len(sheet.tables), max_columns)


def _draw_part(
    canvas: Canvas, sheet: WallSheet, tables: range, piece: TablePart, box: Box, height: float
) -> float:
    cell = (box.width / MM - _ROUND_COLUMN_MM) / max(len(tables), 1)
    columns = [Column(_("Round"), _ROUND_COLUMN_MM, font=BOLD, size=16, is_row_header=True)]
    for place in tables:
        title = _("Table %(number)s") % {"number": sheet.tables[place]}
        columns.append(Column(title, cell))
    rounds = [str(place + 1) for place in piece.rows]
    empty_cells = [""] * len(tables)

    def inside(row: int, column: int, square: Box) -> None:
        square = square.inset(0.8 * MM, 0.5 * MM)
        _draw_cell(canvas, sheet.rounds[piece.rows[row]][tables[column - 1]], square)

    return grid.draw_grid(
        canvas,
        box,
        columns,
        [[number, *empty_cells] for number in rounds],
        head=_TITLES_HEIGHT,
        row=height,
        title_size=10,
        inside=inside,
    )


def _draw_cell(canvas: Canvas, cell: WallCell, box: Box) -> None:
    if not cell.ns and not cell.ew:
        return
    share = 0.2 if cell.note else 0.0
    pairs, boards_box = box.top_strip(box.height * 0.5), box.without_top(box.height * 0.5)
    pairing_text = _("%(ns)s v %(ew)s") % {"ns": cell.ns, "ew": cell.ew}
    write_text(
        canvas, pairing_text, pairs, font=BOLD, size=min(21, box.height * 0.42), align="centre"
    )
    if not cell.boards:
        write_text(
            canvas,
            cell.note,
            boards_box,
            size=min(15, box.height * 0.3),
            align="centre",
            floor=9,
        )
        return
    boards, note = (
        boards_box.without_bottom(box.height * share),
        boards_box.bottom_strip(box.height * share),
    )
    size = min(15, box.height * 0.3)
    write_text(canvas, cell.boards, boards, size=size, align="centre")
    write_text(canvas, cell.note, note, size=8, align="centre", floor=6)


def _build_explanations(sheet: WallSheet) -> list[tuple[str, str, float]]:
    paragraphs = [(move, BOLD, _MOVES_TYPE_SIZE) for move in sheet.moves]
    if sheet.commitment:
        text = _("Fingerprint of the boards: %(hash)s") % {"hash": sheet.commitment}
        paragraphs.append((text, SANS, _NOTE_TYPE_SIZE))
    return paragraphs


def _measure_explanations(sheet: WallSheet, width: float) -> float:
    lines = [
        len(wrap_text(text, font, size, width)) * size
        for text, font, size in _build_explanations(sheet)
    ]
    return sum(lines) * LEADING_RATIO + 3 * MM


def _draw_explanations(canvas: Canvas, sheet: WallSheet, box: Box) -> None:
    for text, font, size in _build_explanations(sheet):
        box = box.without_top(
            box.top - write_paragraph(canvas, text, box, font=font, size=size)
        )


PAPER = PaperKind(
    name="wall_sheet",
    title=gettext_lazy("Movement for the wall"),
    blurb=gettext_lazy("The whole movement on one sheet, to hang up."),
    group=PaperGroup.TABLES,
    build_sheet=hall_papers.build_wall_sheets,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.SEATS,
    need=TableNeed(5),
    hall_spot=HallSpot.WALL,
    lay_out=lay_out,
)
