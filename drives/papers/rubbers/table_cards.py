"""Cards for the tables: the number, who belongs here, and the code of the table's own page."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers import pages
from drives.sheets.rubbers.on_paper import NightOnPaper, TableOnPaper, same
from printing import tags
from printing.box import MM, Box
from printing.codes import draw_code
from printing.fonts import BOLD
from printing.headings import slip_heading
from printing.kinds import Cards, Follows, Group, PaperKind
from printing.laying import Pages
from printing.lettering import write

_EDGE, _HEAD, _NUMBER, _LINE = 9 * MM, 17 * MM, 34 * MM, 9 * MM


def lay(night: NightOnPaper, *, size: pages.Size) -> Pages:
    """Lay a card out for each table."""
    return pages.halves([partial(_draw_card, night, each) for each in night.tables], size)


def draw(night: NightOnPaper, *, size: pages.Size = "A4") -> bytes:
    """Print a card for each table."""
    return pages.printed(night, _("Table cards"), lay(night, size=size), size)


def _draw_card(night: NightOnPaper, table: TableOnPaper, canvas: Canvas, tile: Box) -> None:
    inner = tile.inset(_EDGE)
    slip_heading(canvas, inner.head(_HEAD), night.heading)
    body = inner.below(_HEAD + 4 * MM)
    with tags.part(canvas, "H1"):
        write(canvas, _("Table"), body.head(8 * MM), size=16, align="centre")
        number = body.below(8 * MM).head(_NUMBER)
        write(canvas, str(table.number), number, font=BOLD, size=80, align="centre")
    people = body.below(8 * MM + _NUMBER)
    for at, name in enumerate(table.members):
        line = Box(people.left, people.top - (at + 1) * _LINE, people.width, _LINE)
        write(canvas, name, line, size=14, align="centre", floor=8)
    rest = people.below(len(table.members) * _LINE + 4 * MM)
    foot = rest.foot(2 * _LINE)
    if table.code is not None:
        above = rest.above(2 * _LINE + 2 * MM)
        side = min(above.width, above.height, 62 * MM)
        left = above.left + (above.width - side) / 2
        draw_code(canvas, table.code, Box(left, above.top - side, side, side))
        words = _("Mark your rubber here: scan the code.")
        write(canvas, words, foot.head(_LINE), size=13, align="centre", floor=9)
    last = Box(foot.left, foot.bottom, foot.width, _LINE)
    write(canvas, f"{night.code}. {night.rules}", last, size=9, align="centre", floor=6)


PAPER = PaperKind(
    name="table_cards",
    title=gettext_lazy("Table cards"),
    blurb=gettext_lazy("One a table: its number, who plays there, and its code for a phone."),
    group=Group.TABLES,
    sheet=same,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.NAMES,
    lay=lay,
)
