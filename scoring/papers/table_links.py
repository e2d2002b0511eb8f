"""Cards for the tables: a code to scan, and the link to type for a phone that cannot scan."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import laying, paper
from printing.box import MM, Box
from printing.codes import draw_code
from printing.fonts import BOLD
from printing.headings import big_number, slip_heading
from printing.kinds import Cards, Follows, Group, Page, PaperKind, Spot
from printing.laying import Slip, Slips
from printing.lettering import paragraph, write
from scoring.papers.occasions import for_links_of_tables
from scoring.sheets import table_links
from scoring.sheets.table_links import TableCard

_EDGE = 9 * MM
_HEADING = 26 * MM


def draw(sheets: Sequence[TableCard], *, size: paper.Size = "A4") -> bytes:
    """Print a card for each table, four to a page, with cutting marks."""
    canvas = paper.start(size, _("Table links"), [sheet.heading for sheet in sheets])
    return laying.printed(canvas, paper.page_box(size), lay(sheets, size=size))


def lay(sheets: Sequence[TableCard], *, size: paper.Size) -> Slips:
    """Lay out a card for each table."""
    return Slips(
        2,
        2,
        tuple(
            Slip((card.heading.section, card.table), partial(_draw_card, card))
            for card in sheets
        ),
    )


def _draw_card(card: TableCard, canvas: Canvas, tile: Box) -> None:
    inner = tile.inset(_EDGE)
    number, head = inner.head(_HEADING).columns(26, inner.width / MM - 26)
    big_number(canvas, number, card.place, _("Table"))
    slip_heading(canvas, head.inset(4 * MM, 2 * MM), card.heading)
    body = inner.below(_HEADING + 2 * MM)
    words = _("Scan this with a phone on the hall's network: enter each board here.")
    paragraph(canvas, words, body.head(12 * MM), font=BOLD, size=11)
    draw_code(canvas, card.code, body.below(11 * MM).above(9 * MM))
    write(canvas, card.address, body.foot(8 * MM), size=8.5, align="centre", floor=6)


PAPER = PaperKind(
    name="table_links",
    title=gettext_lazy("Cards for phones at the tables"),
    blurb=gettext_lazy("One card a table with a code that opens the table's page."),
    group=Group.TABLES,
    sheet=table_links.table_cards,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.NOTHING,
    waits=for_links_of_tables,
    spot=Spot.TABLES,
    lay=lay,
    on_request=True,
    addresses=Page("tables", gettext_lazy("Make the links")),
)
