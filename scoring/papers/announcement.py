"""The announcement that the director reads out before play, in large type."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box
from printing.fonts import LEADING_RATIO, SANS_FONT
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, PlaceOfUse, ShownCards
from printing.layout import PageLayout
from printing.text_boxes import wrap_text, write_paragraph
from scoring.sheets import hall_papers
from scoring.sheets.hall_values import Announcement

# In points. The largest size that needs no more pages than the smallest is used.
_TYPE_SIZES = (
    28.0,
    26.0,
    24.0,
    22.0,
    20.0,
    18.0,
)
_PARAGRAPH_GAP = 5 * MM


def draw_announcement_pdf(
    announcement: Announcement, *, paper_size: paper.Size = "A4"
) -> bytes:
    """Return a PDF of the announcement; a paragraph that does not fit begins a new page."""
    return draw_pdf([announcement], paper_size=paper_size)


def draw_pdf(announcements: Sequence[Announcement], *, paper_size: paper.Size = "A4") -> bytes:
    """Return a PDF of the announcements of all sections, each on separate pages."""
    return draw_titled_pdf(announcements, _("To read out"), paper_size=paper_size)


def draw_titled_pdf(
    announcements: Sequence[Announcement], title: str, *, paper_size: paper.Size = "A4"
) -> bytes:
    """Return a PDF of texts in large type under a title, each text on separate pages."""
    canvas = paper.start_canvas(
        paper_size, title, [announcement.heading for announcement in announcements]
    )
    _lay_out_announcements(announcements, title, paper_size=paper_size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out_pages(
    announcements: Sequence[Announcement], *, paper_size: paper.Size
) -> PageLayout:
    """Lay out the announcement of each section."""
    return _lay_out_announcements(announcements, _("To read out"), paper_size=paper_size)


def _lay_out_announcements(
    announcements: Sequence[Announcement], title: str, *, paper_size: paper.Size
) -> PageLayout:
    page = paper.get_page_box(paper_size)
    inner_box = page.inset(paper.PAGE_MARGIN)
    height = inner_box.height - PAGE_TITLE_HEIGHT - 3 * MM
    layouts = [
        (announcement, *_choose_type_size(announcement, inner_box.width, height))
        for announcement in announcements
    ]

    def draw_pages(canvas: Canvas) -> None:
        for announcement, type_size, paragraphs_by_page in layouts:
            _draw_sheet(canvas, announcement, title, page, type_size, paragraphs_by_page)

    return PageLayout(
        sum(
            len(paragraphs_by_page) for _announcement, _type_size, paragraphs_by_page in layouts
        ),
        draw_pages,
    )


def _draw_sheet(
    canvas: Canvas,
    announcement: Announcement,
    title: str,
    page: Box,
    type_size: float,
    paragraphs_by_page: Sequence[Sequence[str]],
) -> None:
    inner_box = page.inset(paper.PAGE_MARGIN)
    for page_number, paragraphs in enumerate(paragraphs_by_page, start=1):
        draw_page_title(canvas, inner_box, announcement.heading, title, page_number=page_number)
        box = inner_box.exclude_top(PAGE_TITLE_HEIGHT)
        for paragraph in paragraphs:
            lower_edge = write_paragraph(canvas, paragraph, box, size=type_size)
            box = box.exclude_top(box.top - lower_edge + _PARAGRAPH_GAP)
        paper.draw_footer(canvas, page, "", page_number, len(paragraphs_by_page))
        canvas.showPage()


def _choose_type_size(
    announcement: Announcement, width: float, height: float
) -> tuple[float, list[list[str]]]:
    """Return the largest type size with the fewest pages, and the paragraphs of each page."""
    type_sizes_and_pages = [
        (type_size, _paginate_paragraphs(announcement, width, height, type_size))
        for type_size in _TYPE_SIZES
    ]
    return min(
        type_sizes_and_pages,
        key=lambda type_size_and_pages: (len(type_size_and_pages[1]), -type_size_and_pages[0]),
    )


def _paginate_paragraphs(
    announcement: Announcement, width: float, height: float, type_size: float
) -> list[list[str]]:
    pages: list[list[str]] = [[]]
    remaining_height = height
    for paragraph in _split_long_paragraphs(announcement, width, height, type_size):
        needed_height = (
            len(wrap_text(paragraph, SANS_FONT, type_size, width)) * type_size * LEADING_RATIO
            + _PARAGRAPH_GAP
        )
        if pages[-1] and needed_height > remaining_height:
            pages.append([])
            remaining_height = height
        pages[-1].append(paragraph)
        remaining_height -= needed_height
    return pages


def _split_long_paragraphs(
    announcement: Announcement, width: float, height: float, type_size: float
) -> list[str]:
    """Split paragraphs that are longer than a page into paragraphs that fit on a page."""
    max_lines = int((height - _PARAGRAPH_GAP) / (type_size * LEADING_RATIO))
    short_paragraphs = []
    for paragraph in announcement.paragraphs:
        text_lines = wrap_text(paragraph, SANS_FONT, type_size, width)
        short_paragraphs += [
            " ".join(text_lines[start_index : start_index + max_lines])
            for start_index in range(0, len(text_lines), max_lines)
        ]
    return short_paragraphs


PAPER_KIND = PaperKind(
    name="announcement",
    title=gettext_lazy("To read out"),
    blurb=gettext_lazy("How everyone moves, in large type, to read out."),
    group=PaperGroup.TABLES,
    build_sheet=hall_papers.build_announcements,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS,
    place_of_use=PlaceOfUse.DOOR,
    lay_out=lay_out_pages,
)
