"""The list at the door: every player by surname, with number and place in round 1."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper
from printing.box import MM
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import HallSpot, OutdatedBy, PaperGroup, PaperKind, ShownCards
from printing.layout import Pages
from scoring.sheets import papers
from scoring.sheets.values import ScoreSlip

_HEAD_HEIGHT, _MIN_ROW_HEIGHT, _MAX_ROW_HEIGHT = 9 * MM, 7 * MM, 14 * MM


def draw_pdf(sheets: Sequence[ScoreSlip], *, size: paper.Size = "A4") -> bytes:
    """Print the seats by surname, each section on separate pages."""
    canvas = paper.start_canvas(size, _("Who sits where"), [sheet.heading for sheet in sheets])
    lay_out(sheets, size=size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out(sheets: Sequence[ScoreSlip], *, size: paper.Size) -> Pages:
    """Lay out the list of each section."""
    max_rows = int(_compute_rows_height(size) / _MIN_ROW_HEIGHT)
    sections = papers.sort_slips_by_name(sheets)
    row_groups = [grid.split_rows(section, max_rows) for section in sections]

    def draw_them(canvas: Canvas) -> None:
        for parts in row_groups:
            _draw_section(canvas, parts, size)

    return Pages(sum(map(len, row_groups)), draw_them)


def _compute_rows_height(size: paper.Size) -> float:
    """Return the height that a page has for rows, in points."""
    inner = paper.get_page_box(size).inset(paper.PAGE_MARGIN)
    return inner.height - PAGE_TITLE_HEIGHT - _HEAD_HEIGHT - 4 * MM


def _draw_section(
    canvas: Canvas, parts: Sequence[Sequence[ScoreSlip]], size: paper.Size
) -> None:
    heading = parts[0][0].heading
    page = paper.get_page_box(size)
    inner = page.inset(paper.PAGE_MARGIN)
    row = grid.compute_row_height(
        _compute_rows_height(size),
        max(map(len, parts)),
        least=_MIN_ROW_HEIGHT,
        most=_MAX_ROW_HEIGHT,
    )
    points = grid.compute_type_size(row, most=20)
    columns = [
        Column(
            _("Names"), 50, align="left", size=points, is_row_header=True, floor=min(points, 11)
        ),
        Column(heading.one or _("Pair"), 14, font=BOLD, size=points),
        Column(_("Round 1"), 26, size=points, floor=min(points, 11)),
    ]
    for number, sheets in enumerate(parts, start=1):
        draw_page_title(canvas, inner, heading, _("Who sits where"), number=number)
        box = inner.without_top(PAGE_TITLE_HEIGHT)
        rows = [[sheet.name, sheet.label, sheet.start] for sheet in sheets]
        grid.draw_grid(canvas, box, columns, rows, head=_HEAD_HEIGHT, row=row, title_size=10)
        paper.draw_footer(canvas, page, "", number, len(parts))
        canvas.showPage()


PAPER = PaperKind(
    name="door_list",
    title=gettext_lazy("Who sits where"),
    blurb=gettext_lazy("Each player by name, with number and first table, for the door."),
    group=PaperGroup.TABLES,
    build_sheet=papers.build_score_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.SEATS | OutdatedBy.NAMES,
    hall_spot=HallSpot.DOOR,
    lay_out=lay_out,
)
