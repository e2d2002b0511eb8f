"""Printed cards with personal links: the size of a bank card, ten to a page."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _

from printing import paper
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.headings import choose_club_name
from printing.qr import create_qr_code
from printing.qr_drawing import draw_qr_code
from printing.tags import TaggedCanvas
from printing.text_boxes import write_paragraph, write_text

LinkCard = tuple[str, str]
"""The content of a card: the person's name and the URL of the personal link."""


def draw_link_cards(club: str, cards: Sequence[LinkCard], *, size: paper.Size = "A4") -> bytes:
    """Return a PDF with one card for each person, with cutting marks."""
    page = paper.get_page_box(size)
    title = _("Personal links")
    canvas = paper.create_canvas(page, f"{title} – {club}")
    paper.draw_slips(canvas, page, cards, partial(_draw_card, canvas, club), across=2, down=5)
    return paper.finish_canvas(canvas)


def _draw_card(canvas: TaggedCanvas, club: str, card: LinkCard, tile: Box) -> None:
    name, address = card
    content = tile.inset(6 * MM, 5 * MM)
    side = min(38 * MM, content.height - 5 * MM)
    picture, words = content.without_bottom(5 * MM).split_columns(side, content.width - side)
    draw_qr_code(canvas, create_qr_code(address), picture.top_strip(side))
    text = words.inset(2 * MM, 0)
    line = text.top_strip(5 * MM)
    write_text(canvas, choose_club_name(club, line, 8), line, size=8, floor=5.5)
    write_text(
        canvas, name, text.without_top(5 * MM).top_strip(8 * MM), font=BOLD, size=12, floor=7
    )
    text_box = text.without_top(15 * MM)
    write_paragraph(
        canvas, _("Private: your results and the details we hold."), text_box, size=9
    )
    write_text(
        canvas, address, content.bottom_strip(4.5 * MM), size=7, align="centre", floor=4.5
    )
