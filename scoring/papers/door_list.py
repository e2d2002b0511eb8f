"""The list at the entrance: all players by surname, with number and place in round 1."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper
from printing.box import MM
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, PlaceOfUse, ShownCards
from printing.layout import PageLayout
from scoring.sheets import papers
from scoring.sheets.values import ScoreSlip

_HEAD_HEIGHT, _MIN_ROW_HEIGHT, _MAX_ROW_HEIGHT = 9 * MM, 7 * MM, 14 * MM


def draw_pdf(score_slips: Sequence[ScoreSlip], *, paper_size: paper.Size = "A4") -> bytes:
    """Return a PDF of the players' seats by surname, each section on separate pages."""
    canvas = paper.start_canvas(
        paper_size, _("Who sits where"), [score_slip.heading for score_slip in score_slips]
    )
    lay_out_pages(score_slips, paper_size=paper_size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out_pages(score_slips: Sequence[ScoreSlip], *, paper_size: paper.Size) -> PageLayout:
    """Lay out the list of each section."""
    max_rows = int(_compute_rows_height(paper_size) / _MIN_ROW_HEIGHT)
    slips_by_section = papers.sort_slips_by_name(score_slips)
    pages_by_section = [
        grid.split_rows(section_slips, max_rows) for section_slips in slips_by_section
    ]

    def draw_pages(canvas: Canvas) -> None:
        for section_pages in pages_by_section:
            _draw_section(canvas, section_pages, paper_size)

    return PageLayout(sum(map(len, pages_by_section)), draw_pages)


def _compute_rows_height(paper_size: paper.Size) -> float:
    """Return the height that a page has for rows, in points."""
    inner_box = paper.get_page_box(paper_size).inset(paper.PAGE_MARGIN)
    return inner_box.height - PAGE_TITLE_HEIGHT - _HEAD_HEIGHT - 4 * MM


def _draw_section(
    canvas: Canvas, section_pages: Sequence[Sequence[ScoreSlip]], paper_size: paper.Size
) -> None:
    heading = section_pages[0][0].heading
    page = paper.get_page_box(paper_size)
    inner_box = page.inset(paper.PAGE_MARGIN)
    row_height = grid.compute_row_height(
        _compute_rows_height(paper_size),
        max(map(len, section_pages)),
        min_height=_MIN_ROW_HEIGHT,
        max_height=_MAX_ROW_HEIGHT,
    )
    type_size = grid.compute_type_size(row_height, max_size=20)
    columns = [
        Column(
            _("Names"),
            50,
            align="left",
            size=type_size,
            is_row_header=True,
            min_size=min(type_size, 11),
        ),
        Column(heading.entry_kind or _("Pair"), 14, font=BOLD_FONT, size=type_size),
        Column(_("Round 1"), 26, size=type_size, min_size=min(type_size, 11)),
    ]
    for page_number, page_slips in enumerate(section_pages, start=1):
        draw_page_title(
            canvas, inner_box, heading, _("Who sits where"), page_number=page_number
        )
        box = inner_box.exclude_top(PAGE_TITLE_HEIGHT)
        rows = [[slip.name, slip.label, slip.start_text] for slip in page_slips]
        grid.draw_grid(
            canvas,
            box,
            columns,
            rows,
            head_height=_HEAD_HEIGHT,
            row_height=row_height,
            title_size=10,
        )
        paper.draw_footer(canvas, page, "", page_number, len(section_pages))
        canvas.showPage()


PAPER_KIND = PaperKind(
    name="door_list",
    title=gettext_lazy("Who sits where"),
    blurb=gettext_lazy("Each player by name, with number and first table, for the door."),
    group=PaperGroup.TABLES,
    build_sheet=papers.build_score_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    place_of_use=PlaceOfUse.DOOR,
    lay_out=lay_out_pages,
)
