"""The cards that lie on the tables and show the table's number, its seats, and the moves."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.sheets.on_paper import HALF_TABLE_NUMBER, PrintedDrive, TableMoves
from printing import pages, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.headings import draw_slip_heading
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.paper import THICK_LINE_POINTS
from printing.qr import QrCode
from printing.qr_drawing import draw_qr_code
from printing.text_boxes import write_text

_MARGIN, _HEAD_HEIGHT, _SEAT_HEIGHT = 9 * MM, 17 * MM, 9 * MM
_LINE_HEIGHT = 11 * MM  # enough for two lines of 12 points
# Positions as fractions of width and height: seat 1 at the bottom, the others anticlockwise.
_SEAT_POSITIONS = (
    (0.5, 0.0),
    (1.0, 0.5),
    (0.5, 1.0),
    (0.0, 0.5),
)


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages with a card for each table; the half table comes last."""
    moves_by_table = {table_move.table_number: table_move for table_move in drive.table_moves}
    drawings = [
        partial(_draw_table_card, drive, table_number, moves_by_table.get(table_number))
        for table_number in range(1, drive.table_count + 1)
    ]
    if HALF_TABLE_NUMBER in moves_by_table:
        drawings.append(partial(_draw_half_table, drive, moves_by_table[HALF_TABLE_NUMBER]))
    return pages.lay_out_half_pages(drawings, paper_size)


def _draw_table_card(
    drive: PrintedDrive,
    table_number: int,
    table_moves: TableMoves | None,
    canvas: Canvas,
    tile: Box,
) -> None:
    content_box = tile.inset(_MARGIN)
    draw_slip_heading(canvas, content_box.get_top_strip(_HEAD_HEIGHT), drive.heading)
    body_box = content_box.exclude_top(_HEAD_HEIGHT + 4 * MM)
    line_texts = _list_texts_below_table(drive, table_moves)
    texts_height = _LINE_HEIGHT * len(line_texts)
    square_box = body_box.exclude_bottom(texts_height + 4 * MM)
    side = min(square_box.width, square_box.height)
    table_square = Box(
        square_box.left + (square_box.width - side) / 2, square_box.top - side, side, side
    )
    _draw_table(canvas, table_square, table_number, drive.qr_codes_by_table.get(table_number))
    text_box = Box(body_box.left, body_box.bottom, body_box.width, texts_height)
    for line_index, line_text in enumerate(line_texts):
        box = Box(
            text_box.left,
            text_box.top - (line_index + 1) * _LINE_HEIGHT,
            text_box.width,
            _LINE_HEIGHT,
        )
        write_text(canvas, line_text, box, size=14, align="centre", min_size=12)


def _draw_half_table(
    drive: PrintedDrive, table_moves: TableMoves, canvas: Canvas, tile: Box
) -> None:
    """Draw the card of the half table."""
    content_box = tile.inset(_MARGIN)
    draw_slip_heading(canvas, content_box.get_top_strip(_HEAD_HEIGHT), drive.heading)
    upper_box, lower_box = content_box.exclude_top(_HEAD_HEIGHT + 4 * MM).split_tiles(1, 2)
    with tags.open_element(canvas, "H1"):
        write_text(canvas, _("Sit out"), upper_box, font=BOLD_FONT, size=48, align="centre")
    next_table_1, next_table_2, next_table_3, next_table_4 = table_moves.next_tables
    line_texts = [_("Sit out one round here, then move on.")]
    if next_table_2 is None and next_table_4 is None:
        line_texts.append(
            _("From here: %(ways)s.")
            % {"ways": _format_role_moves(drive, next_table_1, next_table_3)}
        )
    else:
        line_texts.append(_("Listen to the caller for your next table."))
    for line_index, line_text in enumerate(line_texts):
        box = lower_box.exclude_top(line_index * _LINE_HEIGHT).get_top_strip(_LINE_HEIGHT)
        write_text(canvas, line_text, box, size=14, align="centre", min_size=12)


def _draw_phone_qr_code(canvas: Canvas, box: Box, code: QrCode) -> None:
    """Draw the QR code that opens the table's page on a phone."""
    code_size = min(box.width, box.height - 6 * MM)
    left, top = (
        box.left + (box.width - code_size) / 2,
        box.top - (box.height - 6 * MM - code_size) / 2,
    )
    draw_qr_code(canvas, code, Box(left, top - code_size, code_size, code_size))
    text_box = Box(box.left, top - code_size - 6 * MM, box.width, 5 * MM)
    write_text(canvas, _("Enter your score here"), text_box, size=9, align="centre", min_size=5)


def _draw_table(canvas: Canvas, box: Box, table_number: int, code: QrCode | None) -> None:
    table_box = box.inset(_SEAT_HEIGHT + 4 * MM)
    canvas.setLineWidth(THICK_LINE_POINTS)
    canvas.rect(table_box.left, table_box.bottom, table_box.width, table_box.height)
    middle_box = table_box.inset(3 * MM)
    if code is not None:
        middle_box, right_box = middle_box.split_columns(45, 55)
        _draw_phone_qr_code(canvas, right_box.inset(2 * MM), code)
    with tags.open_element(canvas, "H1"):
        write_text(
            canvas, _("Table"), middle_box.get_top_strip(9 * MM), size=16, align="centre"
        )
        number_box = middle_box.exclude_top(9 * MM)
        type_size = min(150.0, number_box.height * 0.9)
        write_text(
            canvas,
            str(table_number),
            number_box,
            font=BOLD_FONT,
            size=type_size,
            align="centre",
        )
    table_width = 42 * MM
    for seat_number, (x_fraction, y_fraction) in enumerate(_SEAT_POSITIONS, start=1):
        is_at_side = x_fraction != 0.5
        width = _SEAT_HEIGHT * 1.3 if is_at_side else table_width
        left = box.left + x_fraction * (box.width - width)
        bottom = box.bottom + y_fraction * (box.height - _SEAT_HEIGHT)
        seat_box = Box(left, bottom, width, _SEAT_HEIGHT)
        write_text(canvas, str(seat_number), seat_box, font=BOLD_FONT, size=17, align="centre")


def _list_texts_below_table(drive: PrintedDrive, table_moves: TableMoves | None) -> list[str]:
    """Return the texts below the table: about partners, roles and moves by results."""
    line_texts = (
        [] if drive.points else [_("1 and 3 are partners: side A. 2 and 4 are side B.")]
    )
    if drive.roles:
        first_role_word, second_role_word = drive.roles
        role_words = {"first": first_role_word, "second": second_role_word}
        line_texts.append(
            _("Seats 1 and 2: %(first)s. Seats 3 and 4: %(second)s.") % role_words
        )
    if table_moves is not None:
        line_texts.append(drive.moves_text)
        line_texts += _format_moves(drive, table_moves)
    return line_texts


def _format_moves(drive: PrintedDrive, table_moves: TableMoves) -> list[str]:
    """Return texts about the next tables of the winners and of the losers, if they move."""
    next_table_1, next_table_2, next_table_3, next_table_4 = table_moves.next_tables
    messages_with_moves = (
        (_("Winners: %(ways)s."), _format_role_moves(drive, next_table_1, next_table_3)),
        (_("Losers: %(ways)s."), _format_role_moves(drive, next_table_2, next_table_4)),
    )
    return [
        message % {"ways": role_moves_text}
        for message, role_moves_text in messages_with_moves
        if role_moves_text
    ]


def _format_role_moves(
    drive: PrintedDrive,
    first_role_table_number: int | None,
    second_role_table_number: int | None,
) -> str:
    """Return the moves of a first and a second, e.g. "first to table 2, second sits out"."""
    roles = drive.roles or (_("1st"), _("2nd"))
    return ", ".join(
        _("%(role)s sits out") % {"role": role}
        if table_number == HALF_TABLE_NUMBER
        else _("%(role)s to table %(table)s") % {"role": role, "table": table_number}
        for role, table_number in zip(
            roles, (first_role_table_number, second_role_table_number), strict=True
        )
        if table_number is not None
    )


PAPER_KIND = pages.create_kind_without_cards(
    name="table_cards",
    title=gettext_lazy("Table cards"),
    blurb=gettext_lazy("One per table: number, seats and where to go next."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.NOTHING,
    lay_out=lay_out_pages,
)
