"""A ladder for the wall: everybody on it, in letters that are read from two steps away."""

from collections.abc import Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from printing import grid, paper
from printing.box import MM
from printing.fonts import BOLD, LEADING, SANS
from printing.grid import Column
from printing.headings import PAGE_TITLE, page_title
from printing.lettering import paragraph, wrapped
from printing.values import Heading
from seasons.ladders.sheets.ladders import LadderLine, LadderSheet
from server import formatting

_HEAD, _ROW, _RULE = 9 * MM, 8.5 * MM, 12 * MM
_READ = 14  # points: what hangs on a wall is not smaller
_SMALL = 9.5


def draw(sheet: LadderSheet, *, size: paper.Size = "A4") -> bytes:
    """Print a ladder, the ranked first, as many pages as it takes."""
    season = sheet.row.season
    heading = Heading(season.club.name, season.name, sheet.latest or season.last_day)
    canvas = paper.start(size, sheet.row.name, [heading])
    page = paper.page_box(size)
    inner = page.inset(paper.MARGIN)
    lines = len(wrapped(sheet.rule, SANS, _SMALL, inner.width))
    rule = max(_RULE, 2 * MM + lines * _SMALL * LEADING)
    most = int((inner.height - PAGE_TITLE - rule - _HEAD - 1 * MM) / _ROW)
    parts = grid.share_out(_rows(sheet), most)
    for number, drawn in enumerate(parts, start=1):
        page_title(canvas, inner, heading, sheet.row.name, number=number)
        box = inner.below(PAGE_TITLE)
        columns = _columns(sheet)
        if not drawn:
            words = _(
                "Nobody stands here yet: the ladder begins with the first evening that is over."
            )
            lower = paragraph(canvas, words, box, size=_READ)
        else:
            lower = grid.draw(canvas, box, columns, drawn, head=_HEAD, row=_ROW, title_size=10)
        if number == len(parts):
            rest = box.below(box.top - lower + 2 * MM)
            paragraph(canvas, sheet.rule, rest, size=_SMALL)
        paper.footer(canvas, page, "", number, len(parts))
        canvas.showPage()
    return paper.finish(canvas)


def _columns(sheet: LadderSheet) -> list[Column]:
    return [
        Column(_("Rank"), 14, font=BOLD, size=_READ, align="right"),
        Column(_("Names"), 84, align="left", size=_READ, floor=_READ, heads=True),
        Column(_("Evenings"), 20, size=_READ, align="right"),
        Column(capfirst(sheet.heading), 30, font=BOLD, size=_READ, align="right"),
    ]


def _rows(sheet: LadderSheet) -> list[Sequence[str]]:
    written = formatting.column_format((line.total for line in sheet.lines), sign=sheet.signed)
    ranked = [[line.place, *_line(line, written)] for line in sheet.ranked]
    return [*ranked, *(["–", *_line(line, written)] for line in sheet.unranked)]


def _line(line: LadderLine, written: formatting.ColumnFormat) -> list[str]:
    names = line.names
    if line.needs:
        words = ngettext("%(needs)s evening lacking", "%(needs)s evenings lacking", line.needs)
        names += f" ({words % {'needs': line.needs}})"
    return [names, str(line.evenings), written.write(line.total)]
