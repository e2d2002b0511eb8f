"""Tally labels, drawn at the door, with a seat of the first round: A 1 to A 4, B 1 ….

Source: the tallies of the older books' drives: a letter a table, 1 and 3 are partners.
"""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.sheets.on_paper import DriveOnPaper
from printing import pages, tags
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages
from printing.text_boxes import write_text

_LABELS_ACROSS, _LABELS_DOWN = {"A4": 4, "A5": 2, "Letter": 4}, {"A4": 7, "A5": 5, "Letter": 6}


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages of four labels for each table, one row of a sheet a table."""
    drawings = [
        partial(_draw_label, drive, table, seat)
        for table in range(1, drive.tables + 1)
        for seat in range(1, 5)
    ]
    return pages.lay_out_slips(
        drawings, size, across=_LABELS_ACROSS[size], down=_LABELS_DOWN[size]
    )


def format_table_letters(table: int) -> str:
    """Return the letters of a table: A to Z, then AA, AB …"""
    letters = ""
    while table:
        table, place = divmod(table - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


def _draw_label(drive: DriveOnPaper, table: int, seat: int, canvas: Canvas, tile: Box) -> None:
    content = tile.inset(4 * MM)
    letter = format_table_letters(table)
    with tags.open_element(canvas, "H1"):
        letter_size = content.without_bottom(13 * MM)
        write_text(canvas, f"{letter} {seat}", letter_size, font=BOLD, size=34, align="centre")
    partner = (seat + 1) % 4 + 1
    place = {"table": table, "seat": seat}
    words = _("Table %(table)s, seat %(seat)s") % place
    write_text(canvas, words, Box(content.left, content.bottom + 6 * MM, content.width, 6 * MM),
        size=11, align="centre")  # fmt: skip
    words = (
        "" if drive.points else _("Partner: %(partner)s") % {"partner": f"{letter} {partner}"}
    )
    if drive.roles:
        words += f" · {drive.roles[seat > 2]}"
    write_text(canvas, words, content.bottom_strip(6 * MM), size=10, align="centre", floor=7)


PAPER = pages.create_kind_without_cards(
    name="tallies",
    title=gettext_lazy("Tally labels"),
    blurb=gettext_lazy("Labels to draw at the door: A 1 to A 4, B 1 … (1 and 3 are partners)."),
    group=PaperGroup.TABLES,
    outdated_by=OutdatedBy.NOTHING,
    lay_out=lay_out_pages,
    on_request=True,
)
