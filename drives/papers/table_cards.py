"""Table cards: the number, the four seats, and the next table of each player."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.sheets.on_paper import HALF_TABLE, DriveOnPaper, TableMoves
from printing import pages, tags
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.headings import draw_slip_heading
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages
from printing.paper import THICK
from printing.qr import QrCode
from printing.qr_drawing import draw_qr_code
from printing.text_boxes import write_text

_MARGIN, _HEAD_HEIGHT, _SEAT_HEIGHT = 9 * MM, 17 * MM, 9 * MM
_LINE_HEIGHT = 11 * MM  # height: two lines of 12 points
_SEAT_POSITIONS = (
    (0.5, 0.0),
    (1.0, 0.5),
    (0.5, 1.0),
    (0.0, 0.5),
)  # seat 1 below, then anticlockwise


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages of a card for each table, the half table last."""
    moves_by_table = {table_move.table: table_move for table_move in drive.table_moves}
    drawings = [
        partial(_draw_card, drive, table, moves_by_table.get(table))
        for table in range(1, drive.tables + 1)
    ]
    if HALF_TABLE in moves_by_table:
        drawings.append(partial(_draw_half_table, drive, moves_by_table[HALF_TABLE]))
    return pages.lay_out_halves(drawings, size)


def _draw_card(
    drive: DriveOnPaper, table: int, table_moves: TableMoves | None, canvas: Canvas, tile: Box
) -> None:
    content = tile.inset(_MARGIN)
    draw_slip_heading(canvas, content.top_strip(_HEAD_HEIGHT), drive.heading)
    body_box = content.without_top(_HEAD_HEIGHT + 4 * MM)
    words = _list_texts(drive, table_moves)
    lines = _LINE_HEIGHT * len(words)
    square = body_box.without_bottom(lines + 4 * MM)
    side = min(square.width, square.height)
    place = Box(square.left + (square.width - side) / 2, square.top - side, side, side)
    _draw_table(canvas, place, table, drive.table_codes.get(table))
    below = Box(body_box.left, body_box.bottom, body_box.width, lines)
    for at, line in enumerate(words):
        box = Box(below.left, below.top - (at + 1) * _LINE_HEIGHT, below.width, _LINE_HEIGHT)
        write_text(canvas, line, box, size=14, align="centre", floor=12)


def _draw_half_table(
    drive: DriveOnPaper, table_moves: TableMoves, canvas: Canvas, tile: Box
) -> None:
    """Draw the card of the half table."""
    content = tile.inset(_MARGIN)
    draw_slip_heading(canvas, content.top_strip(_HEAD_HEIGHT), drive.heading)
    upper, lower = content.without_top(_HEAD_HEIGHT + 4 * MM).split_tiles(1, 2)
    with tags.open_element(canvas, "H1"):
        write_text(canvas, _("Sit out"), upper, font=BOLD, size=48, align="centre")
    one, two, three, four = table_moves.next_tables
    words = [_("Sit out one round here, then move on.")]
    if two is None and four is None:
        words.append(
            _("From here: %(ways)s.") % {"ways": _format_role_moves(drive, one, three)}
        )
    else:
        words.append(_("Listen to the caller for your next table."))
    for at, line in enumerate(words):
        box = lower.without_top(at * _LINE_HEIGHT).top_strip(_LINE_HEIGHT)
        write_text(canvas, line, box, size=14, align="centre", floor=12)


def _draw_phone(canvas: Canvas, box: Box, code: QrCode) -> None:
    """Draw the QR code that opens the table's page on a phone."""
    side = min(box.width, box.height - 6 * MM)
    left, top = box.left + (box.width - side) / 2, box.top - (box.height - 6 * MM - side) / 2
    draw_qr_code(canvas, code, Box(left, top - side, side, side))
    words = Box(box.left, top - side - 6 * MM, box.width, 5 * MM)
    write_text(canvas, _("Enter your score here"), words, size=9, align="centre", floor=5)


def _draw_table(canvas: Canvas, box: Box, table: int, code: QrCode | None) -> None:
    felt = box.inset(_SEAT_HEIGHT + 4 * MM)
    canvas.setLineWidth(THICK)
    canvas.rect(felt.left, felt.bottom, felt.width, felt.height)
    middle = felt.inset(3 * MM)
    if code is not None:
        middle, right = middle.split_columns(45, 55)
        _draw_phone(canvas, right.inset(2 * MM), code)
    with tags.open_element(canvas, "H1"):
        write_text(canvas, _("Table"), middle.top_strip(9 * MM), size=16, align="centre")
        number = middle.without_top(9 * MM)
        size = min(150.0, number.height * 0.9)
        write_text(canvas, str(table), number, font=BOLD, size=size, align="centre")
    table_width = 42 * MM
    for seat, (x_fraction, y_fraction) in enumerate(_SEAT_POSITIONS, start=1):
        upright = x_fraction != 0.5
        width = _SEAT_HEIGHT * 1.3 if upright else table_width
        left = box.left + x_fraction * (box.width - width)
        bottom = box.bottom + y_fraction * (box.height - _SEAT_HEIGHT)
        place = Box(left, bottom, width, _SEAT_HEIGHT)
        write_text(canvas, str(seat), place, font=BOLD, size=17, align="centre")


def _list_texts(drive: DriveOnPaper, table_moves: TableMoves | None) -> list[str]:
    """Return the texts of partners, seats, and the moves by results."""
    words = [] if drive.points else [_("1 and 3 are partners: side A. 2 and 4 are side B.")]
    if drive.roles:
        first, second = drive.roles
        roles = {"first": first, "second": second}
        words.append(_("Seats 1 and 2: %(first)s. Seats 3 and 4: %(second)s.") % roles)
    if table_moves is not None:
        words.append(drive.custom)
        words += _format_moves(drive, table_moves)
    return words


def _format_moves(drive: DriveOnPaper, table_moves: TableMoves) -> list[str]:
    """Return texts about the moves of the losers of a hand, or of its winners."""
    one, two, three, four = table_moves.next_tables
    texts = (
        (_("Winners: %(ways)s."), _format_role_moves(drive, one, three)),
        (_("Losers: %(ways)s."), _format_role_moves(drive, two, four)),
    )
    return [words % {"ways": ways} for words, ways in texts if ways]


def _format_role_moves(drive: DriveOnPaper, first: int | None, second: int | None) -> str:
    """Return the moves of a first and a second: "first to table 2, second sits out"."""
    roles = drive.roles or (_("1st"), _("2nd"))
    return ", ".join(
        _("%(role)s sits out") % {"role": role}
        if table == HALF_TABLE
        else _("%(role)s to table %(table)s") % {"role": role, "table": table}
        for role, table in zip(roles, (first, second), strict=True)
        if table is not None
    )


PAPER = pages.create_kind_without_cards(
    name="table_cards",
    title=gettext_lazy("Table cards"),
    blurb=gettext_lazy("One per table: number, seats and where to go next."),
    group=PaperGroup.TABLES,
    outdated_by=OutdatedBy.NOTHING,
    lay_out=lay_out_pages,
)
