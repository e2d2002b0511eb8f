"""The cards that lie on the tables and show the table's number, members and QR code."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import pages, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.headings import draw_slip_heading
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.qr_drawing import draw_qr_code
from printing.text_boxes import write_text
from rubbers.sheets.on_paper import PrintedNight, PrintedTable

_MARGIN, _HEAD_HEIGHT, _LINE_HEIGHT = 9 * MM, 17 * MM, 11 * MM
_QR_CODE_SIZE, _FOOT_HEIGHT = 58 * MM, 2 * _LINE_HEIGHT


def lay_out_pages(night: PrintedNight, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages with a card for each table."""
    return pages.lay_out_half_pages(
        [partial(_draw_table_card, night, table) for table in night.tables], paper_size
    )


def _draw_table_card(
    night: PrintedNight, table: PrintedTable, canvas: Canvas, tile: Box
) -> None:
    content_box = tile.inset(_MARGIN)
    draw_slip_heading(canvas, content_box.get_top_strip(_HEAD_HEIGHT), night.heading)
    body_box = content_box.exclude_top(_HEAD_HEIGHT + 4 * MM)
    with tags.open_element(canvas, "H1"):
        write_text(canvas, _("Table"), body_box.get_top_strip(8 * MM), size=16, align="centre")
        text_box = body_box.exclude_top(8 * MM)
        members_height = len(table.member_names) * _LINE_HEIGHT + 4 * MM + _FOOT_HEIGHT
        number_height = (
            text_box.height
            - members_height
            - (_QR_CODE_SIZE if table.qr_code is not None else 0)
        )
        number_box = text_box.get_top_strip(number_height)
        font_size = min(240.0, number_height * 0.9)
        write_text(
            canvas,
            str(table.number),
            number_box,
            font=BOLD_FONT,
            size=font_size,
            align="centre",
        )
    members_box = text_box.exclude_top(number_height)
    for member_index, name in enumerate(table.member_names):
        name_box = Box(
            members_box.left,
            members_box.top - (member_index + 1) * _LINE_HEIGHT,
            members_box.width,
            _LINE_HEIGHT,
        )
        write_text(canvas, name, name_box, size=20, align="centre", min_size=11)
    remaining_box = members_box.exclude_top(len(table.member_names) * _LINE_HEIGHT + 4 * MM)
    foot_box = remaining_box.get_bottom_strip(_FOOT_HEIGHT)
    if table.qr_code is not None:
        qr_code_box = remaining_box.exclude_bottom(_FOOT_HEIGHT + 2 * MM)
        qr_code_size = min(qr_code_box.width, qr_code_box.height, 62 * MM)
        qr_code_left = qr_code_box.left + (qr_code_box.width - qr_code_size) / 2
        draw_qr_code(
            canvas,
            table.qr_code,
            Box(qr_code_left, qr_code_box.top - qr_code_size, qr_code_size, qr_code_size),
        )
        message = _("Scan to enter your hands.")
        write_text(
            canvas,
            message,
            foot_box.get_top_strip(_LINE_HEIGHT),
            size=13,
            align="centre",
            min_size=9,
        )
    last_line_box = Box(foot_box.left, foot_box.bottom, foot_box.width, _LINE_HEIGHT)
    write_text(
        canvas,
        f"{night.law_code_title}. {night.rules_text}",
        last_line_box,
        size=11,
        align="centre",
        min_size=8,
    )


PAPER_KIND = pages.create_kind_without_cards(
    name="table_cards",
    title=gettext_lazy("Table cards"),
    blurb=gettext_lazy("One per table: number, players and QR code."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.NAMES,
    lay_out=lay_out_pages,
)
