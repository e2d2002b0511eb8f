"""The lines of a player's score card in a game with contracts: table, companions and points.

Partners change with each hand, so a line has the three others at the table.
"""

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from drives.sheets.on_paper import DriveOnPaper, RoundOnPaper, RoundSeat
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.text_boxes import write_text

COMPANIONS_COLUMN = 2
"""The index of the column with the three others."""


def build_contract_columns(drive: DriveOnPaper, size: float) -> list[Column]:
    """Return the columns of a card; `size` is the type size of the round and the table."""
    return [
        Column(drive.row_title, 12, font=BOLD, size=size),
        Column(_("Table"), 11, font=BOLD, size=size),
        Column(_("With"), 54, align="left", size=11),
        Column(drive.figure_title, 15, is_framed=True),
        Column(_("So far"), 15),
    ]


def format_contract_cells(
    drive: DriveOnPaper, number: int, round_: RoundOnPaper, *, has_names: bool
) -> list[str]:
    """Return the printed cells of a player's line: table and companions, where known.

    With `has_names` the companions are left to `draw_companions`.
    """
    if number in round_.rest:
        return ["", "–", _("sit out"), "", ""]
    place = drive.seats_by_player[number].get(round_.number)
    if place is None:
        return ["", "", "", "", ""]
    numbers = " + ".join(map(str, _list_companions(place)))
    return ["", str(place.table), "" if has_names else numbers, "", ""]


def draw_companions(canvas: Canvas, drive: DriveOnPaper, place: RoundSeat, cell: Box) -> None:
    """Draw the names of the three others at the table, a line each."""
    lines = cell.inset(1.2 * MM, 0.4 * MM).split_tiles(1, 3)
    for number, line in zip(_list_companions(place), lines, strict=True):
        write_text(canvas, drive.format_player(number), line, size=11, floor=5)


def _list_companions(place: RoundSeat) -> tuple[int, int, int]:
    """Return the others in the order in which they deal."""
    return place.opponents[0], place.partner, place.opponents[1]
