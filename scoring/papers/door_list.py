"""The list at the door: every player by surname, with number and place in round 1."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper
from printing.box import MM
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import PAGE_TITLE, page_title
from printing.kinds import Cards, Follows, Group, PaperKind, Spot
from printing.laying import Pages
from scoring.sheets import papers
from scoring.sheets.values import ScoreSlip

_HEAD, _ROW, _MOST_ROW = 9 * MM, 7 * MM, 14 * MM


def draw(sheets: Sequence[ScoreSlip], *, size: paper.Size = "A4") -> bytes:
    """Print the seats by surname, each section on separate pages."""
    canvas = paper.start(size, _("Who sits where"), [sheet.heading for sheet in sheets])
    lay(sheets, size=size).draw(canvas)
    return paper.finish(canvas)


def lay(sheets: Sequence[ScoreSlip], *, size: paper.Size) -> Pages:
    """Lay out the list of each section."""
    most = int(_room(size) / _ROW)
    sections = papers.by_name(sheets)
    shared = [grid.share_out(section, most) for section in sections]

    def draw_them(canvas: Canvas) -> None:
        for parts in shared:
            _draw_section(canvas, parts, size)

    return Pages(sum(map(len, shared)), draw_them)


def _room(size: paper.Size) -> float:
    """Return the height that a page has for rows, in points."""
    inner = paper.page_box(size).inset(paper.MARGIN)
    return inner.height - PAGE_TITLE - _HEAD - 4 * MM


def _draw_section(
    canvas: Canvas, parts: Sequence[Sequence[ScoreSlip]], size: paper.Size
) -> None:
    heading = parts[0][0].heading
    page = paper.page_box(size)
    inner = page.inset(paper.MARGIN)
    row = grid.row_height(_room(size), max(map(len, parts)), least=_ROW, most=_MOST_ROW)
    points = grid.type_size(row, most=20)
    columns = [
        Column(_("Names"), 50, align="left", size=points, heads=True, floor=min(points, 11)),
        Column(heading.one or _("Pair"), 14, font=BOLD, size=points),
        Column(_("In round 1"), 26, size=points, floor=min(points, 11)),
    ]
    for number, sheets in enumerate(parts, start=1):
        page_title(canvas, inner, heading, _("Who sits where"), number=number)
        box = inner.below(PAGE_TITLE)
        rows = [[sheet.name, sheet.label, sheet.start] for sheet in sheets]
        grid.draw(canvas, box, columns, rows, head=_HEAD, row=row, title_size=10)
        paper.footer(canvas, page, "", number, len(parts))
        canvas.showPage()


PAPER = PaperKind(
    name="door_list",
    title=gettext_lazy("Who sits where"),
    blurb=gettext_lazy(
        "Each player by name, with the number and the first table, for the door."
    ),
    group=Group.TABLES,
    sheet=papers.score_slips,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS | Follows.NAMES,
    spot=Spot.DOOR,
    lay=lay,
)
