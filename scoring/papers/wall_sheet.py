"""The movement sheet for the wall: a row for each round, a column for each table.

Each square has the pairs and their boards.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper
from printing.box import MM, Box
from printing.flow import Piece, roomiest
from printing.fonts import BOLD, LEADING, SANS
from printing.grid import Column
from printing.headings import PAGE_TITLE, page_title
from printing.kinds import Cards, Follows, Group, Need, PaperKind, Spot
from printing.laying import Pages
from printing.lettering import paragraph, wrapped, write
from scoring.sheets import hall_papers
from scoring.sheets.hall import WallCell, WallSheet

_ROWS = tuple(height * MM for height in (24, 21, 18, 16, 14, 12, 11, 10))
_TITLES = 8 * MM
_ROUND = 16  # mm
_LEAST_CELL = 21.0  # mm: "12 v 14" and "101–104" at arm's length
_MOVES = 12.0  # points
_NOTE = 8.5


def draw(sheet: WallSheet, *, size: paper.Size = "A4") -> bytes:
    """Print the movement in landscape, as large as possible; many tables take more pages."""
    return draw_all([sheet], size=size)


def draw_all(sheets: Sequence[WallSheet], *, size: paper.Size = "A4") -> bytes:
    """Print the movement of each section on separate pages."""
    headings = [sheet.heading for sheet in sheets]
    canvas = paper.start(size, _("Movement"), headings, landscape=True)
    lay(sheets, size=size).draw(canvas)
    return paper.finish(canvas)


def lay(sheets: Sequence[WallSheet], *, size: paper.Size) -> Pages:
    """Lay out the movement of each section in landscape."""
    page = paper.page_box(size, landscape=True)
    inner = page.inset(paper.MARGIN)
    laid = [(sheet, *_pages(sheet, inner)) for sheet in sheets]

    def draw_them(canvas: Canvas) -> None:
        for sheet, height, pages in laid:
            _draw_sheet(canvas, sheet, page, height, pages)

    return Pages(sum(len(pages) for _s, _h, pages in laid), draw_them, landscape=True)


def _pages(sheet: WallSheet, inner: Box) -> tuple[float, list[tuple[range, Piece]]]:
    """Return the height of a row, and the tables and rounds of each page."""
    words = _words_height(sheet, inner.width)
    height, pieces = roomiest(
        [len(sheet.rounds)],
        inner.height - PAGE_TITLE - words - 3 * MM,
        around=_TITLES,
        rows=_ROWS,
    )
    shares = _shares(sheet, inner.width)
    return height, [(tables, piece) for tables in shares for (piece,) in pieces]


def _draw_sheet(
    canvas: Canvas,
    sheet: WallSheet,
    page: Box,
    height: float,
    pages: Sequence[tuple[range, Piece]],
) -> None:
    inner = page.inset(paper.MARGIN)
    for number, (tables, piece) in enumerate(pages, start=1):
        page_title(canvas, inner, sheet.heading, sheet.movement, number=number)
        box = inner.below(PAGE_TITLE)
        lower = _draw_part(canvas, sheet, tables, piece, box, height)
        _draw_words(canvas, sheet, box.below(box.top - lower + 2 * MM))
        words_below = _("In each square: N-S v E-W, and their boards.")
        paper.footer(canvas, page, words_below, number, len(pages))
        canvas.showPage()


def _shares(sheet: WallSheet, width: float) -> list[range]:
    most = int((width / MM - _ROUND) / _LEAST_CELL)
    return grid.shares(len(sheet.tables), most)


def _draw_part(
    canvas: Canvas, sheet: WallSheet, tables: range, piece: Piece, box: Box, height: float
) -> float:
    cell = (box.width / MM - _ROUND) / max(len(tables), 1)
    columns = [Column(_("Round"), _ROUND, font=BOLD, size=16, heads=True)]
    for place in tables:
        title = _("Table %(number)s") % {"number": sheet.tables[place]}
        columns.append(Column(title, cell))
    rounds = [str(place + 1) for place in piece.rows]
    blank = [""] * len(tables)

    def inside(row: int, column: int, square: Box) -> None:
        square = square.inset(0.8 * MM, 0.5 * MM)
        _draw_cell(canvas, sheet.rounds[piece.rows[row]][tables[column - 1]], square)

    return grid.draw(
        canvas,
        box,
        columns,
        [[number, *blank] for number in rounds],
        head=_TITLES,
        row=height,
        title_size=10,
        inside=inside,
    )


def _draw_cell(canvas: Canvas, cell: WallCell, box: Box) -> None:
    if not cell.ns and not cell.ew:
        return
    share = 0.2 if cell.note else 0.0
    pairs, rest = box.head(box.height * 0.5), box.below(box.height * 0.5)
    versus = _("%(ns)s v %(ew)s") % {"ns": cell.ns, "ew": cell.ew}
    write(canvas, versus, pairs, font=BOLD, size=min(21, box.height * 0.42), align="centre")
    if not cell.boards:
        write(canvas, cell.note, rest, size=min(15, box.height * 0.3), align="centre", floor=9)
        return
    boards, note = rest.above(box.height * share), rest.foot(box.height * share)
    size = min(15, box.height * 0.3)
    write(canvas, cell.boards, boards, size=size, align="centre")
    write(canvas, cell.note, note, size=8, align="centre", floor=6)


def _words(sheet: WallSheet) -> list[tuple[str, str, float]]:
    words = [(move, BOLD, _MOVES) for move in sheet.moves]
    if sheet.commitment:
        told = _("Fingerprint of the boards: %(hash)s") % {"hash": sheet.commitment}
        words.append((told, SANS, _NOTE))
    return words


def _words_height(sheet: WallSheet, width: float) -> float:
    lines = [len(wrapped(text, font, size, width)) * size for text, font, size in _words(sheet)]
    return sum(lines) * LEADING + 3 * MM


def _draw_words(canvas: Canvas, sheet: WallSheet, box: Box) -> None:
    for text, font, size in _words(sheet):
        box = box.below(box.top - paragraph(canvas, text, box, font=font, size=size))


PAPER = PaperKind(
    name="wall_sheet",
    title=gettext_lazy("Movement for the wall"),
    blurb=gettext_lazy("The whole movement on one sheet, to hang up in the room."),
    group=Group.TABLES,
    sheet=hall_papers.wall_sheets,
    draw=draw_all,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS,
    need=Need(5),
    spot=Spot.WALL,
    lay=lay,
)
