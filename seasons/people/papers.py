"""Printed cards with personal links: the size of a bank card, ten to a page."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _

from printing import paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.headings import choose_club_name
from printing.qr import create_qr_code
from printing.qr_drawing import draw_qr_code
from printing.tags import TaggedCanvas
from printing.text_boxes import write_paragraph, write_text

LinkCard = tuple[str, str]
"""The content of a card: the person's name and the URL of the personal link."""


def draw_link_cards(
    club_name: str, cards: Sequence[LinkCard], *, paper_size: paper.Size = "A4"
) -> bytes:
    """Return a PDF with one card for each person, with cutting marks."""
    page = paper.get_page_box(paper_size)
    title = _("Personal links")
    canvas = paper.create_canvas(page, f"{title} – {club_name}")
    paper.draw_slips(
        canvas,
        page,
        cards,
        partial(_draw_link_card, canvas, club_name),
        column_count=2,
        row_count=5,
    )
    return paper.finish_canvas(canvas)


def _draw_link_card(
    canvas: TaggedCanvas, club_name: str, card: LinkCard, card_box: Box
) -> None:
    person_name, url = card
    content_box = card_box.inset(6 * MM, 5 * MM)
    qr_code_side = min(38 * MM, content_box.height - 5 * MM)
    qr_code_box, text_box = content_box.exclude_bottom(5 * MM).split_columns(
        qr_code_side, content_box.width - qr_code_side
    )
    draw_qr_code(canvas, create_qr_code(url), qr_code_box.get_top_strip(qr_code_side))
    inner_text_box = text_box.inset(2 * MM, 0)
    club_box = inner_text_box.get_top_strip(5 * MM)
    write_text(canvas, choose_club_name(club_name, club_box, 8), club_box, size=8, min_size=5.5)
    write_text(
        canvas,
        person_name,
        inner_text_box.exclude_top(5 * MM).get_top_strip(8 * MM),
        font=BOLD_FONT,
        size=12,
        min_size=7,
    )
    note_box = inner_text_box.exclude_top(15 * MM)
    write_paragraph(
        canvas, _("Private: your results and the details we hold."), note_box, size=9
    )
    write_text(
        canvas,
        url,
        content_box.get_bottom_strip(4.5 * MM),
        size=7,
        align="centre",
        min_size=4.5,
    )
