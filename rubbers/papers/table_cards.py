"""Table cards: the number, the members, and the QR code of the table's own page."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import pages, tags
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.headings import draw_slip_heading
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages
from printing.qr_drawing import draw_qr_code
from printing.text_boxes import write_text
from rubbers.sheets.on_paper import NightOnPaper, TableOnPaper

_MARGIN, _HEAD_HEIGHT, _LINE_HEIGHT = 9 * MM, 17 * MM, 11 * MM
_CODE_SIZE, _FOOT_HEIGHT = 58 * MM, 2 * _LINE_HEIGHT


def lay_out_pages(night: NightOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages of a card for each table."""
    return pages.lay_out_halves(
        [partial(_draw_card, night, table) for table in night.tables], size
    )


def _draw_card(night: NightOnPaper, table: TableOnPaper, canvas: Canvas, tile: Box) -> None:
    content = tile.inset(_MARGIN)
    draw_slip_heading(canvas, content.top_strip(_HEAD_HEIGHT), night.heading)
    body_box = content.without_top(_HEAD_HEIGHT + 4 * MM)
    with tags.open_element(canvas, "H1"):
        write_text(canvas, _("Table"), body_box.top_strip(8 * MM), size=16, align="centre")
        below = body_box.without_top(8 * MM)
        members_height = len(table.members) * _LINE_HEIGHT + 4 * MM + _FOOT_HEIGHT
        high = below.height - members_height - (_CODE_SIZE if table.code is not None else 0)
        number = below.top_strip(high)
        size = min(240.0, high * 0.9)
        write_text(canvas, str(table.number), number, font=BOLD, size=size, align="centre")
    people = below.without_top(high)
    for at, name in enumerate(table.members):
        line = Box(
            people.left, people.top - (at + 1) * _LINE_HEIGHT, people.width, _LINE_HEIGHT
        )
        write_text(canvas, name, line, size=20, align="centre", floor=11)
    remaining_box = people.without_top(len(table.members) * _LINE_HEIGHT + 4 * MM)
    foot = remaining_box.bottom_strip(_FOOT_HEIGHT)
    if table.code is not None:
        code_box = remaining_box.without_bottom(_FOOT_HEIGHT + 2 * MM)
        side = min(code_box.width, code_box.height, 62 * MM)
        left = code_box.left + (code_box.width - side) / 2
        draw_qr_code(canvas, table.code, Box(left, code_box.top - side, side, side))
        message = _("Scan to enter your hands.")
        write_text(
            canvas, message, foot.top_strip(_LINE_HEIGHT), size=13, align="centre", floor=9
        )
    last = Box(foot.left, foot.bottom, foot.width, _LINE_HEIGHT)
    write_text(canvas, f"{night.code}. {night.rules}", last, size=11, align="centre", floor=8)


PAPER = pages.create_kind_without_cards(
    name="table_cards",
    title=gettext_lazy("Table cards"),
    blurb=gettext_lazy("One per table: number, players and QR code."),
    group=PaperGroup.TABLES,
    outdated_by=OutdatedBy.NAMES,
    lay_out=lay_out_pages,
)
