"""The scale of victory points, to hang up before play."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import grid, paper
from printing.box import MM
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import PAGE_TITLE, page_title
from printing.kinds import Cards, Follows, Group, PaperKind
from scoring.papers.occasions import counts_victory_points
from scoring.sheets import victory_scale
from scoring.sheets.victory_scale import ScaleSheet

_HEAD, _MOST = 9 * MM, 9 * MM


def draw(sheet: ScaleSheet, *, size: paper.Size = "A4") -> bytes:
    """Print the scale on one page."""
    canvas = paper.start(size, _("Victory points"), [sheet.heading])
    page = paper.page_box(size)
    inner = page.inset(paper.MARGIN)
    title = _("Victory points, matches of %(boards)s boards") % {"boards": sheet.boards}
    page_title(canvas, inner, sheet.heading, title, number=1)
    box = inner.below(PAGE_TITLE)
    last = len(sheet.rows) - 1
    rows = [
        (_("%(margin)s or more") % {"margin": margin} if at == last else str(margin), won, lost)
        for at, (margin, won, lost) in enumerate(sheet.rows)
    ]
    columns = [
        Column(_("Margin in tricks"), 40, font=BOLD, size=13, heads=True),
        Column(_("Winner"), 30, size=13),
        Column(_("Loser"), 30, size=13),
    ]
    row = min(_MOST, (box.height - _HEAD - 10 * MM) / len(rows))
    grid.draw(canvas, box, columns, rows, head=_HEAD, row=row)
    paper.footer(canvas, page, "", 1, 1)
    canvas.showPage()
    return paper.finish(canvas)


PAPER = PaperKind(
    name="victory_scale",
    title=gettext_lazy("Victory points"),
    blurb=gettext_lazy("What each margin of a match is worth, to hang up before play."),
    group=Group.TABLES,
    sheet=victory_scale.scale_sheet,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.NOTHING,
    fits=counts_victory_points,
    on_request=True,
)
