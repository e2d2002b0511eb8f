"""The page that the director reads out before play, in large type."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box
from printing.fonts import LEADING, SANS
from printing.headings import PAGE_TITLE, page_title
from printing.kinds import Cards, Follows, Group, PaperKind, Spot
from printing.laying import Pages
from printing.lettering import paragraph, wrapped
from scoring.sheets import hall_papers
from scoring.sheets.hall import Announcement

_SIZES = (28.0, 26.0, 24.0, 22.0, 20.0, 18.0)  # the largest that needs no more pages is used
_GAP = 5 * MM


def draw(sheet: Announcement, *, size: paper.Size = "A4") -> bytes:
    """Print the announcement; a paragraph that does not fit begins a new page."""
    return draw_all([sheet], size=size)


def draw_all(sheets: Sequence[Announcement], *, size: paper.Size = "A4") -> bytes:
    """Print the announcement of each section on separate pages."""
    return draw_titled(sheets, _("To read out"), size=size)


def draw_titled(
    sheets: Sequence[Announcement], title: str, *, size: paper.Size = "A4"
) -> bytes:
    """Print sheets in large type under a title, each on separate pages."""
    canvas = paper.start(size, title, [sheet.heading for sheet in sheets])
    _lay(sheets, title, size=size).draw(canvas)
    return paper.finish(canvas)


def lay(sheets: Sequence[Announcement], *, size: paper.Size) -> Pages:
    """Lay out the announcement of each section."""
    return _lay(sheets, _("To read out"), size=size)


def _lay(sheets: Sequence[Announcement], title: str, *, size: paper.Size) -> Pages:
    page = paper.page_box(size)
    inner = page.inset(paper.MARGIN)
    height = inner.height - PAGE_TITLE - 3 * MM
    laid = [(sheet, *_roomiest(sheet, inner.width, height)) for sheet in sheets]

    def draw_them(canvas: Canvas) -> None:
        for sheet, points, pages in laid:
            _draw_sheet(canvas, sheet, title, page, points, pages)

    return Pages(sum(len(pages) for _sheet, _points, pages in laid), draw_them)


def _draw_sheet(
    canvas: Canvas,
    sheet: Announcement,
    title: str,
    page: Box,
    points: float,
    pages: Sequence[Sequence[str]],
) -> None:
    inner = page.inset(paper.MARGIN)
    for number, paragraphs in enumerate(pages, start=1):
        page_title(canvas, inner, sheet.heading, title, number=number)
        box = inner.below(PAGE_TITLE)
        for text in paragraphs:
            lower = paragraph(canvas, text, box, size=points)
            box = box.below(box.top - lower + _GAP)
        paper.footer(canvas, page, "", number, len(pages))
        canvas.showPage()


def _roomiest(
    sheet: Announcement, width: float, height: float
) -> tuple[float, list[list[str]]]:
    """Return the largest type size that needs the least number of pages, and the pages."""
    tries = [(points, _pages(sheet, width, height, points)) for points in _SIZES]
    return min(tries, key=lambda found: (len(found[1]), -found[0]))


def _pages(sheet: Announcement, width: float, height: float, points: float) -> list[list[str]]:
    pages: list[list[str]] = [[]]
    room = height
    for text in _pieces(sheet, width, height, points):
        needed = len(wrapped(text, SANS, points, width)) * points * LEADING + _GAP
        if pages[-1] and needed > room:
            pages.append([])
            room = height
        pages[-1].append(text)
        room -= needed
    return pages


def _pieces(sheet: Announcement, width: float, height: float, points: float) -> list[str]:
    """Split a paragraph longer than a page into pieces that fit one."""
    most = int((height - _GAP) / (points * LEADING))
    pieces = []
    for text in sheet.paragraphs:
        lines = wrapped(text, SANS, points, width)
        pieces += [
            " ".join(lines[first : first + most]) for first in range(0, len(lines), most)
        ]
    return pieces


PAPER = PaperKind(
    name="announcement",
    title=gettext_lazy("To read out"),
    blurb=gettext_lazy("How everybody moves, in large type, to be read out."),
    group=Group.TABLES,
    sheet=hall_papers.announcements,
    draw=draw_all,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS,
    spot=Spot.DOOR,
    lay=lay,
)
