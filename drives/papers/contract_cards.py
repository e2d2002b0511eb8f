"""The rows of a score card in a game with contracts: table, companions and points.

Partners change with each hand, so a row names all three other players at the table.
"""

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from drives.sheets.on_paper import PrintedDrive, PrintedRound, RoundSeat
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.text_boxes import write_text

COMPANIONS_COLUMN_INDEX = 2
"""The index of the column with the other three players at the table."""


def build_contract_columns(drive: PrintedDrive, type_size: float) -> list[Column]:
    """Return the columns of a card; `type_size` applies to the numbers of round and table."""
    return [
        Column(drive.row_title, 12, font=BOLD_FONT, size=type_size),
        Column(_("Table"), 11, font=BOLD_FONT, size=type_size),
        Column(_("With"), 54, align="left", size=11),
        Column(drive.score_column_title, 15, is_framed=True),
        Column(_("So far"), 15),
    ]


def format_contract_cells(
    drive: PrintedDrive, player_number: int, round_: PrintedRound, *, has_names: bool
) -> list[str]:
    """Return the cell texts of a player's row: the table and the companions, if known.

    If `has_names` is true, the cell of the companions is empty, and `draw_tablemate_names`
    fills it.
    """
    if player_number in round_.resting_players:
        return ["", "–", _("sit out"), "", ""]
    seat = drive.seats_by_player[player_number].get(round_.number)
    if seat is None:
        return ["", "", "", "", ""]
    companion_numbers = " + ".join(map(str, _list_companions(seat)))
    return ["", str(seat.table_number), "" if has_names else companion_numbers, "", ""]


def draw_tablemate_names(
    canvas: Canvas, drive: PrintedDrive, seat: RoundSeat, cell: Box
) -> None:
    """Draw the names of the other three players at the table below each other."""
    line_boxes = cell.inset(1.2 * MM, 0.4 * MM).split_tiles(1, 3)
    for player_number, line_box in zip(_list_companions(seat), line_boxes, strict=True):
        write_text(canvas, drive.format_player(player_number), line_box, size=11, min_size=5)


def _list_companions(seat: RoundSeat) -> tuple[int, int, int]:
    """Return the other three players in the order in which they deal."""
    return seat.opponents[0], seat.partner_number, seat.opponents[1]
