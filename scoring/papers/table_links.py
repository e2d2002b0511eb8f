"""Cards for the tables: a QR code to scan, and the link to type on other phones."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import layout, paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import (
    OutdatingChanges,
    PageLink,
    PaperGroup,
    PaperKind,
    PlaceOfUse,
    ShownCards,
)
from printing.layout import Slip, SlipLayout
from printing.qr_drawing import draw_qr_code
from printing.text_boxes import write_paragraph, write_text
from scoring.papers.conditions import describe_step_before_table_links
from scoring.sheets import table_links
from scoring.sheets.table_links import TableCard

_SLIP_MARGIN = 9 * MM
_HEADING_HEIGHT = 26 * MM


def draw_pdf(table_cards: Sequence[TableCard], *, paper_size: paper.Size = "A4") -> bytes:
    """Print a card for each table, four to a page, with cutting marks."""
    canvas = paper.start_canvas(
        paper_size, _("Table QR codes"), [table_card.heading for table_card in table_cards]
    )
    return layout.draw_slips(
        canvas,
        paper.get_page_box(paper_size),
        lay_out_slips(table_cards, paper_size=paper_size),
    )


def lay_out_slips(table_cards: Sequence[TableCard], *, paper_size: paper.Size) -> SlipLayout:
    """Lay out a card for each table."""
    return SlipLayout(
        2,
        2,
        tuple(
            Slip(
                (card.heading.section_letter, card.table_number),
                partial(_draw_table_link, card),
            )
            for card in table_cards
        ),
    )


def _draw_table_link(card: TableCard, canvas: Canvas, tile: Box) -> None:
    inner_box = tile.inset(_SLIP_MARGIN)
    number_box, heading_box = inner_box.get_top_strip(_HEADING_HEIGHT).split_columns(
        26, inner_box.width / MM - 26
    )
    draw_big_number(canvas, number_box, card.table_label, _("Table"))
    draw_slip_heading(canvas, heading_box.inset(4 * MM, 2 * MM), card.heading)
    body_box = inner_box.exclude_top(_HEADING_HEIGHT + 2 * MM)
    instructions = _("Scan this with a phone on the hall’s Wi-Fi to enter your scores.")
    write_paragraph(
        canvas, instructions, body_box.get_top_strip(12 * MM), font=BOLD_FONT, size=11
    )
    draw_qr_code(canvas, card.qr_code, body_box.exclude_top(11 * MM).exclude_bottom(9 * MM))
    write_text(
        canvas,
        card.url,
        body_box.get_bottom_strip(8 * MM),
        size=8.5,
        align="centre",
        min_size=6,
    )


PAPER_KIND = PaperKind(
    name="table_links",
    title=gettext_lazy("Table QR codes"),
    blurb=gettext_lazy("One card per table, opening that table’s page for scores."),
    group=PaperGroup.TABLES,
    build_sheet=table_links.build_table_cards,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NOTHING,
    describe_required_step=describe_step_before_table_links,
    place_of_use=PlaceOfUse.TABLES,
    lay_out=lay_out_slips,
    is_on_request=True,
    links_page=PageLink("tables", gettext_lazy("Create links")),
)
