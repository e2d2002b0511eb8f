"""Labels with seats for the first round (A 1 to A 4, B 1 …), which players draw at the door.

Source: the tallies of drives in older books. Each table has a letter; 1 and 3 are partners.
"""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.sheets.on_paper import PrintedDrive
from printing import pages, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.text_boxes import write_text

_LABEL_COLUMNS_BY_PAPER_SIZE, _LABEL_ROWS_BY_PAPER_SIZE = (
    {"A4": 4, "A5": 2, "Letter": 4},
    {"A4": 7, "A5": 5, "Letter": 6},
)
"""The numbers of columns and rows of labels on a page, by paper size."""


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages with four labels for each table."""
    drawings = [
        partial(_draw_label, drive, table_number, seat_number)
        for table_number in range(1, drive.table_count + 1)
        for seat_number in range(1, 5)
    ]
    return pages.lay_out_slips(
        drawings,
        paper_size,
        column_count=_LABEL_COLUMNS_BY_PAPER_SIZE[paper_size],
        row_count=_LABEL_ROWS_BY_PAPER_SIZE[paper_size],
    )


def format_table_letters(table_number: int) -> str:
    """Return the letters that stand for a table's number: A to Z, then AA, AB …"""
    letters = ""
    while table_number:
        table_number, letter_index = divmod(table_number - 1, 26)
        letters = chr(ord("A") + letter_index) + letters
    return letters


def _draw_label(
    drive: PrintedDrive, table_number: int, seat_number: int, canvas: Canvas, tile: Box
) -> None:
    content = tile.inset(4 * MM)
    table_letters = format_table_letters(table_number)
    with tags.open_element(canvas, "H1"):
        letter_box = content.exclude_bottom(13 * MM)
        write_text(
            canvas,
            f"{table_letters} {seat_number}",
            letter_box,
            font=BOLD_FONT,
            size=34,
            align="centre",
        )
    partner_seat_number = (seat_number + 1) % 4 + 1
    message_values = {"table": table_number, "seat": seat_number}
    text = _("Table %(table)s, seat %(seat)s") % message_values
    write_text(canvas, text, Box(content.left, content.bottom + 6 * MM, content.width, 6 * MM),
        size=11, align="centre")  # fmt: skip
    text = (
        ""
        if drive.points
        else _("Partner: %(partner)s") % {"partner": f"{table_letters} {partner_seat_number}"}
    )
    if drive.roles:
        text += f" · {drive.roles[seat_number > 2]}"
    write_text(
        canvas, text, content.get_bottom_strip(6 * MM), size=10, align="centre", min_size=7
    )


PAPER_KIND = pages.create_kind_without_cards(
    name="tallies",
    title=gettext_lazy("Tally labels"),
    blurb=gettext_lazy("Labels to draw at the door: A 1 to A 4, B 1 …"),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.NOTHING,
    lay_out=lay_out_pages,
    is_on_request=True,
)
