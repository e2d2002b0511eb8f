"""The sheets on which a table in a game with contracts writes the hands of a round."""

from collections.abc import Iterator, Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from reportlab.pdfgen.canvas import Canvas

from drives.games.contracts import PassedDealRule
from drives.papers.points_strip import compute_strip_height, draw_sheet_back, draw_strip
from drives.sheets.on_paper import PrintedDrive, PrintedRound
from printing import grid, pages
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.layout import PageLayout
from printing.text_boxes import write_text

_MARGIN, _HEAD_HEIGHT, _PLAYERS_HEIGHT, _TITLE_ROW_HEIGHT, _FOOT_HEIGHT = (
    6 * MM,
    20 * MM,
    12 * MM,
    7 * MM,
    11 * MM,
)
_FIXED_HEIGHT = _HEAD_HEIGHT + _PLAYERS_HEIGHT + _TITLE_ROW_HEIGHT + _FOOT_HEIGHT
_MIN_ROW_HEIGHT, _MAX_ROW_HEIGHT = 8 * MM, 12 * MM
_STRIP_GAP = 3 * MM
_PASSED_DEAL_CIRCLE_COUNT = 3
_HANDS_PER_BLOCK = 4
PlayerNumbersBySeat = tuple[int, int, int, int]


def lay_out_contract_sheets(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the sheets: half a page each if all hands of a round fit, else a whole page.

    The points of the contracts are at the foot of each sheet. If they do not fit there, they
    are printed on its back.
    """
    is_half_page_enough = (
        _count_rows(pages.get_half_page_box(paper_size)) >= drive.hands_per_round + 1
    )
    tile = (
        pages.get_half_page_box(paper_size)
        if is_half_page_enough
        else pages.get_page_box(paper_size)
    )
    strip_height = _compute_strip_height(drive, tile)
    draw_functions: list[pages.DrawSlip] = [
        partial(_draw_sheet, drive, round_, table_number, seats, strip_height)
        for round_ in drive.rounds
        for table_number, seats in _list_tables(drive, round_)
    ]
    sheets_per_page = 2 if is_half_page_enough and paper_size != "A5" else 1
    slip_drawings = (
        draw_functions
        if strip_height
        else list(_add_backs(drive, draw_functions, sheets_per_page))
    )
    if is_half_page_enough:
        return pages.lay_out_half_pages(slip_drawings, paper_size)
    return pages.lay_out_slips(slip_drawings, paper_size, column_count=1, row_count=1)


def _compute_strip_height(drive: PrintedDrive, tile: Box) -> float:
    """Return the height of the points at the foot; 0 if too little space is left for hands."""
    if drive.points is None:
        return 0
    content_box = tile.inset(_MARGIN)
    rows_height = (drive.hands_per_round + 1) * _MIN_ROW_HEIGHT
    available_height = content_box.height - _FIXED_HEIGHT - rows_height - _STRIP_GAP
    return compute_strip_height(drive.points, content_box.width, available_height)


def _add_backs(
    drive: PrintedDrive, draw_functions: Sequence[pages.DrawSlip], sheets_per_page: int
) -> Iterator[pages.DrawSlip]:
    """Yield the sheets of each page, followed by the points for the back of the page."""
    for first_sheet_index in range(0, len(draw_functions), sheets_per_page):
        front_draw_functions = draw_functions[
            first_sheet_index : first_sheet_index + sheets_per_page
        ]
        yield from [
            *front_draw_functions,
            *[_draw_nothing] * (sheets_per_page - len(front_draw_functions)),
        ]
        yield from [partial(_draw_back, drive)] * sheets_per_page


def _draw_nothing(_canvas: Canvas, _tile: Box) -> None:
    """Leave a tile empty."""


def _draw_back(drive: PrintedDrive, canvas: Canvas, tile: Box) -> None:
    """Draw the points of the contracts on the back of a sheet."""
    content_box = tile.inset(_MARGIN)
    title_box = content_box.get_top_strip(8 * MM)
    write_text(canvas, _("Points that each opponent pays or receives."), title_box, size=11)
    if drive.points is not None:
        draw_sheet_back(canvas, content_box.exclude_top(10 * MM), drive.points)


def _list_tables(
    drive: PrintedDrive, round_: PrintedRound
) -> Iterator[tuple[int, PlayerNumbersBySeat | None]]:
    if round_.tables:
        yield from round_.tables
        return
    for table_number in range(1, drive.table_count + 1):
        yield table_number, None


def _count_rows(tile: Box) -> int:
    return int((tile.inset(_MARGIN).height - _FIXED_HEIGHT) / _MIN_ROW_HEIGHT)


def _draw_sheet(
    drive: PrintedDrive,
    round_: PrintedRound,
    table_number: int,
    seats: PlayerNumbersBySeat | None,
    strip_height: float,
    canvas: Canvas,
    tile: Box,
) -> None:
    content_box = tile.inset(_MARGIN)
    head_box = content_box.get_top_strip(_HEAD_HEIGHT - 2 * MM)
    number_box = Box(head_box.right - 24 * MM, head_box.bottom, 24 * MM, head_box.height)
    round_title = _("Round %(round)s") % {"round": round_.number}
    draw_big_number(canvas, number_box, str(table_number), _("Table"), round_title)
    heading_box = Box(head_box.left, head_box.bottom, head_box.width - 27 * MM, head_box.height)
    draw_slip_heading(canvas, heading_box.inset(0, 0.5 * MM), drive.heading)
    body_box = content_box.exclude_top(_HEAD_HEIGHT)
    _draw_players(canvas, body_box.get_top_strip(_PLAYERS_HEIGHT), drive, seats)
    body_box = body_box.exclude_top(_PLAYERS_HEIGHT)
    if strip_height and drive.points is not None:
        draw_strip(canvas, body_box.get_bottom_strip(strip_height), drive.points)
        body_box = body_box.exclude_bottom(strip_height + _STRIP_GAP)
    _draw_hands(canvas, body_box, drive)
    _draw_footer(
        canvas, body_box.get_bottom_strip(_FOOT_HEIGHT - 1 * MM), has_strip=strip_height > 0
    )


def _draw_footer(canvas: Canvas, foot_box: Box, *, has_strip: bool) -> None:
    foot_text = _("The four sums add up to 0.")
    if not has_strip:
        foot_text += " " + _("The points are on the back.")
    write_text(canvas, foot_text, foot_box.get_top_strip(5 * MM), size=10, min_size=8)
    foot_text = _("Signatures:") + " " + "_" * 40
    write_text(canvas, foot_text, foot_box.get_bottom_strip(5 * MM), size=9, min_size=7)


def _draw_players(
    canvas: Canvas, box: Box, drive: PrintedDrive, seats: PlayerNumbersBySeat | None
) -> None:
    """Draw the names of the four players by seat, or lines to write them if unknown."""
    half_width, height = box.width / 2, box.height / 2
    for index in range(4):
        left, bottom = box.left + (index % 2) * half_width, box.top - (index // 2 + 1) * height
        line_box = Box(left, bottom, half_width - 2 * MM, height)
        label_box, name_box = line_box.split_columns(7, line_box.width / MM - 7)
        write_text(canvas, str(index + 1), label_box, font=BOLD_FONT, size=13)
        if seats is None:
            canvas.setLineWidth(0.6)
            canvas.line(
                name_box.left,
                name_box.bottom + 1.2 * MM,
                name_box.right,
                name_box.bottom + 1.2 * MM,
            )
        else:
            # Write only the name, because a player's number could be mistaken for the seat.
            player_text = drive.get_name(seats[index]) or drive.format_player(seats[index])
            write_text(canvas, player_text, name_box, size=11, min_size=8)


def _draw_hands(canvas: Canvas, box: Box, drive: PrintedDrive) -> None:
    points = drive.points
    has_passed_column = points is not None and points.passed is not PassedDealRule.REDEAL
    columns = [
        Column(pgettext("one deal", "Hand"), 11.5, font=BOLD_FONT, size=12),
        Column(_("Deals"), 12.8, size=11),
        *([Column(_("Passed"), 12)] if has_passed_column else []),
        Column(_("Bid"), 13, is_framed=True),
        Column(_("Players"), 15.4, size=11),
        Column(_("Tricks"), 11.5, is_framed=True),
    ]
    first_score_column = len(columns)
    for seat_number in range(1, 5):
        columns.append(Column(_("Seat %(seat)s") % {"seat": seat_number}, 13.3, is_framed=True))
        columns.append(Column(_("Sum"), 11.6))
    rows = []
    for hand_number in range(1, drive.hands_per_round + 1):
        row = [str(hand_number), str((hand_number - 1) % 4 + 1), *[""] * (len(columns) - 2)]
        row[first_score_column - 2] = "1  2  3  4"
        rows.append(row)
    rows.append([_("Sum"), *[""] * (len(columns) - 1)])
    row_height = grid.compute_row_height(
        box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT,
        len(rows),
        min_height=_MIN_ROW_HEIGHT,
        max_height=_MAX_ROW_HEIGHT,
    )

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if has_passed_column and column_index == 2 and row_index < drive.hands_per_round:
            _draw_circles(canvas, cell)

    grid.draw_grid(
        canvas, box, columns, rows,
        head_height=_TITLE_ROW_HEIGHT, row_height=row_height, title_size=7,
        draw_cell=draw_cell, are_cells_tagged=False,
        rows_above_thick_lines=range(
            _HANDS_PER_BLOCK - 1, drive.hands_per_round, _HANDS_PER_BLOCK
        ),
    )  # fmt: skip


def _draw_circles(canvas: Canvas, cell: Box) -> None:
    """Draw circles, of which players tick one for each passed deal."""
    canvas.setLineWidth(0.6)
    circle_distance = cell.width / _PASSED_DEAL_CIRCLE_COUNT
    for index in range(_PASSED_DEAL_CIRCLE_COUNT):
        centre_y = cell.bottom + cell.height / 2
        canvas.circle(cell.left + (index + 0.5) * circle_distance, centre_y, 1.1 * MM)
