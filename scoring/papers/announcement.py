"""The announcement that the director reads out before play, in large type."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box
from printing.fonts import LEADING_RATIO, SANS
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import HallSpot, OutdatedBy, PaperGroup, PaperKind, ShownCards
from printing.layout import Pages
from printing.text_boxes import wrap_text, write_paragraph
from scoring.sheets import hall_papers
from scoring.sheets.hall_values import Announcement

_TYPE_SIZES = (
    28.0,
    26.0,
    24.0,
    22.0,
    20.0,
    18.0,
)  # the largest that needs no more pages is used
_GAP = 5 * MM


def draw_one_pdf(sheet: Announcement, *, size: paper.Size = "A4") -> bytes:
    """Print the announcement; a paragraph that does not fit begins a new page."""
    return draw_pdf([sheet], size=size)


def draw_pdf(sheets: Sequence[Announcement], *, size: paper.Size = "A4") -> bytes:
    """Print the announcement of each section on separate pages."""
    return draw_titled_pdf(sheets, _("To read out"), size=size)


def draw_titled_pdf(
    sheets: Sequence[Announcement], title: str, *, size: paper.Size = "A4"
) -> bytes:
    """Print sheets in large type under a title, each on separate pages."""
    canvas = paper.start_canvas(size, title, [sheet.heading for sheet in sheets])
    _lay_out(sheets, title, size=size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out(sheets: Sequence[Announcement], *, size: paper.Size) -> Pages:
    """Lay out the announcement of each section."""
    return _lay_out(sheets, _("To read out"), size=size)


def _lay_out(sheets: Sequence[Announcement], title: str, *, size: paper.Size) -> Pages:
    page = paper.get_page_box(size)
    inner = page.inset(paper.PAGE_MARGIN)
    height = inner.height - PAGE_TITLE_HEIGHT - 3 * MM
    layouts = [(sheet, *_choose_type_size(sheet, inner.width, height)) for sheet in sheets]

    def draw_them(canvas: Canvas) -> None:
        for sheet, points, pages in layouts:
            _draw_sheet(canvas, sheet, title, page, points, pages)

    return Pages(sum(len(pages) for _sheet, _points, pages in layouts), draw_them)


def _draw_sheet(
    canvas: Canvas,
    sheet: Announcement,
    title: str,
    page: Box,
    points: float,
    pages: Sequence[Sequence[str]],
) -> None:
    inner = page.inset(paper.PAGE_MARGIN)
    for number, paragraphs in enumerate(pages, start=1):
        draw_page_title(canvas, inner, sheet.heading, title, number=number)
        box = inner.without_top(PAGE_TITLE_HEIGHT)
        for text in paragraphs:
            lower = write_paragraph(canvas, text, box, size=points)
            box = box.without_top(box.top - lower + _GAP)
        paper.draw_footer(canvas, page, "", number, len(pages))
        canvas.showPage()


def _choose_type_size(
    sheet: Announcement, width: float, height: float
) -> tuple[float, list[list[str]]]:
    """Return the largest type size that needs the least number of pages, and the pages."""
    attempts = [(points, _fill_pages(sheet, width, height, points)) for points in _TYPE_SIZES]
    return min(attempts, key=lambda attempt: (len(attempt[1]), -attempt[0]))


def _fill_pages(
    sheet: Announcement, width: float, height: float, points: float
) -> list[list[str]]:
    pages: list[list[str]] = [[]]
    room = height
    for text in _split_long_paragraphs(sheet, width, height, points):
        needed = len(wrap_text(text, SANS, points, width)) * points * LEADING_RATIO + _GAP
        if pages[-1] and needed > room:
            pages.append([])
            room = height
        pages[-1].append(text)
        room -= needed
    return pages


def _split_long_paragraphs(
    sheet: Announcement, width: float, height: float, points: float
) -> list[str]:
    """Split a paragraph longer than a page into pieces that fit one."""
    max_lines = int((height - _GAP) / (points * LEADING_RATIO))
    pieces = []
    for text in sheet.paragraphs:
        lines = wrap_text(text, SANS, points, width)
        pieces += [
            " ".join(lines[first : first + max_lines])
            for first in range(0, len(lines), max_lines)
        ]
    return pieces


PAPER = PaperKind(
    name="announcement",
    title=gettext_lazy("To read out"),
    blurb=gettext_lazy("How everyone moves, in large type, to read out."),
    group=PaperGroup.TABLES,
    build_sheet=hall_papers.build_announcements,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.SEATS,
    hall_spot=HallSpot.DOOR,
    lay_out=lay_out,
)
