"""Slips with an entry's link: a code to scan after play, the entry, and its use."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box
from printing.codes import draw_code
from printing.fonts import BOLD
from printing.headings import big_number, slip_heading
from printing.kinds import Cards, Follows, Group, Page, PaperKind
from printing.lettering import paragraph, write
from scoring.papers.occasions import for_links_of_entries
from scoring.sheets import entry_links
from scoring.sheets.entry_links import EntryCard
from server.door import is_in_local_network

_EDGE = 5 * MM
_HEADING = 15 * MM
_NAME = 9 * MM
_CODE = 40 * MM


def draw(sheets: Sequence[EntryCard], *, size: paper.Size = "A4") -> bytes:
    """Print a slip for each entry, eight to a page, with marks to cut along."""
    canvas = paper.start(size, _("Personal links"), [sheet.heading for sheet in sheets])
    page = paper.page_box(size)
    paper.tiled(canvas, page, sheets, partial(_draw_slip, canvas), across=2, down=4)
    return paper.finish(canvas)


def _draw_slip(canvas: Canvas, card: EntryCard, tile: Box) -> None:
    inner = tile.inset(_EDGE)
    number, head = inner.head(_HEADING).columns(16, inner.width / MM - 16)
    if card.label:
        big_number(canvas, number, card.label, card.heading.one or _("Pair"))
    else:
        big_number(canvas, number, str(card.number), _("No."))
    slip_heading(canvas, head.inset(2.5 * MM, 0.5 * MM), card.heading, scale=0.85)
    strip = inner.below(_HEADING + 1 * MM).head(_NAME)
    write(canvas, card.name, strip, font=BOLD, size=11, floor=7)
    body = inner.below(_HEADING + _NAME + 2 * MM).above(5 * MM)
    width = min(_CODE, body.height)
    picture, words = body.columns(width, body.width - width)
    draw_code(canvas, card.code, picture)
    top = paragraph(
        canvas, _("Yours alone: keep it."), words.inset(2 * MM, 0), font=BOLD, size=10
    )
    rest = Box(words.left + 2 * MM, words.bottom, words.width - 4 * MM, top - words.bottom)
    paragraph(canvas, _told(card), rest, size=9.5)
    write(canvas, card.address, inner.foot(4.5 * MM), size=7.5, align="centre", floor=5.5)


def _told(card: EntryCard) -> str:
    return (
        in_the_hall(card.hours) if is_in_local_network(card.address) else how_to_use(card.hours)
    )


def in_the_hall(hours: int) -> str:
    """Return the instructions for a link that opens only in the hall."""
    if not hours:
        return _(
            "After the session, scan this with a phone to see your results. It opens in the "
            "hall only: look before you go home."
        )
    return _(
        "After the session, scan this with a phone before you go home: it opens in the hall "
        "only. Is a result wrong? Say so there; your opponents are asked, and the director "
        "puts it right."
    )


def how_to_use(hours: int) -> str:
    """Return the instructions for a link."""
    if not hours:
        return _("After the session, scan this with a phone to see your results.")
    return ngettext(
        "After the session, scan this with a phone. Is a result wrong? Say so within %(hours)d "
        "hour; your opponents are asked, and the director puts it right.",
        "After the session, scan this with a phone. Is a result wrong? Say so within %(hours)d "
        "hours; your opponents are asked, and the director puts it right.",
        hours,
    ) % {"hours": hours}


PAPER = PaperKind(
    name="entry_links",
    title=gettext_lazy("Personal links, to print"),
    blurb=gettext_lazy("One slip each with a code: their own results, and what is wrong."),
    group=Group.RESULTS,
    sheet=entry_links.entry_cards,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS | Follows.NAMES,
    waits=for_links_of_entries,
    on_request=True,
    addresses=Page("challenges", gettext_lazy("Make the links")),
)
