"""Cards with personal links, the size of a bank card, ten to a page."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _

from printing import paper
from printing.box import MM, Box
from printing.codes import draw_code
from printing.fonts import BOLD
from printing.headings import club_name
from printing.lettering import paragraph, write
from printing.qr import code
from printing.tags import Tagged

Card = tuple[str, str]
"""The content of a card: a name and a URL."""


def draw(club: str, cards: Sequence[Card], *, size: paper.Size = "A4") -> bytes:
    """Print a card for each person, with cutting marks."""
    page = paper.page_box(size)
    canvas = paper.blank(page, f"{_('Personal links')} – {club}")
    paper.tiled(canvas, page, cards, partial(_draw_card, canvas, club), across=2, down=5)
    return paper.finish(canvas)


def _draw_card(canvas: Tagged, club: str, card: Card, tile: Box) -> None:
    name, address = card
    inner = tile.inset(6 * MM, 5 * MM)
    side = min(38 * MM, inner.height - 5 * MM)
    picture, words = inner.above(5 * MM).columns(side, inner.width - side)
    draw_code(canvas, code(address), picture.head(side))
    text = words.inset(2 * MM, 0)
    line = text.head(5 * MM)
    write(canvas, club_name(club, line, 8), line, size=8, floor=5.5)
    write(canvas, name, text.below(5 * MM).head(8 * MM), font=BOLD, size=12, floor=7)
    rest = text.below(15 * MM)
    paragraph(canvas, _("Yours alone: your evenings, and what is known of you."), rest, size=9)
    write(canvas, address, inner.foot(4.5 * MM), size=7, align="centre", floor=4.5)
