"""The sheet of a table in a game with contracts: one for each round, a row for each hand."""

from collections.abc import Iterator, Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from reportlab.pdfgen.canvas import Canvas

from drives.games.contracts import PassedRule
from drives.papers.points_strip import compute_strip_height, draw_back, draw_strip
from drives.sheets.on_paper import DriveOnPaper, RoundOnPaper
from printing import grid, pages
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.layout import Pages
from printing.text_boxes import write_text

_MARGIN, _HEAD_HEIGHT, _PLAYERS_HEIGHT, _TITLE_ROW_HEIGHT, _FOOT_HEIGHT = (
    6 * MM,
    20 * MM,
    12 * MM,
    7 * MM,
    11 * MM,
)
_MIN_ROW_HEIGHT, _MAX_ROW_HEIGHT = 8 * MM, 12 * MM
_GAP = 3 * MM
_PASSED_CIRCLES = 3
_HANDS_IN_A_BLOCK = 4
Seats = tuple[int, int, int, int]


def lay_out_contract_sheets(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the sheets: A5 portrait if a round fits, else a whole page for each.

    The points of the contracts are at the foot of each sheet. If they do not fit, they are on
    the back, so that the sheets are printed on both sides.
    """
    is_half = _count_rows(pages.get_half_box(size)) >= drive.hands + 1
    tile = pages.get_half_box(size) if is_half else pages.get_page_box(size)
    strip_height = _compute_strip_height(drive, tile)
    sheets: list[pages.Draw] = [
        partial(_draw_sheet, drive, round_, table, seats, strip_height)
        for round_ in drive.rounds
        for table, seats in _list_tables(drive, round_)
    ]
    per_page = 2 if is_half and size != "A5" else 1
    drawings = sheets if strip_height else list(_add_backs(drive, sheets, per_page))
    if is_half:
        return pages.lay_out_halves(drawings, size)
    return pages.lay_out_slips(drawings, size, across=1, down=1)


def _compute_strip_height(drive: DriveOnPaper, tile: Box) -> float:
    """Return the height of the points at the foot, 0 if rows of hands would be too low."""
    if drive.points is None:
        return 0
    content = tile.inset(_MARGIN)
    rows_height = (drive.hands + 1) * _MIN_ROW_HEIGHT
    used = _HEAD_HEIGHT + _PLAYERS_HEIGHT + _TITLE_ROW_HEIGHT + _FOOT_HEIGHT + rows_height
    return compute_strip_height(drive.points, content.width, content.height - used - _GAP)


def _add_backs(
    drive: DriveOnPaper, sheets: Sequence[pages.Draw], per_page: int
) -> Iterator[pages.Draw]:
    """Yield the sheets of each page, and then the points on its back."""
    for first in range(0, len(sheets), per_page):
        fronts = sheets[first : first + per_page]
        yield from [*fronts, *[_draw_nothing] * (per_page - len(fronts))]
        yield from [partial(_draw_back, drive)] * per_page


def _draw_nothing(_canvas: Canvas, _tile: Box) -> None:
    """Leave a tile empty."""


def _draw_back(drive: DriveOnPaper, canvas: Canvas, tile: Box) -> None:
    """Draw the points of the contracts on the back of a sheet."""
    content = tile.inset(_MARGIN)
    title = content.top_strip(8 * MM)
    write_text(canvas, _("Points that each opponent pays or receives."), title, size=11)
    if drive.points is not None:
        draw_back(canvas, content.without_top(10 * MM), drive.points)


def _list_tables(
    drive: DriveOnPaper, round_: RoundOnPaper
) -> Iterator[tuple[int, Seats | None]]:
    if round_.tables:
        yield from round_.tables
        return
    for table in range(1, drive.tables + 1):
        yield table, None


def _count_rows(tile: Box) -> int:
    fixed = 2 * _MARGIN + _HEAD_HEIGHT + _PLAYERS_HEIGHT + _TITLE_ROW_HEIGHT + _FOOT_HEIGHT
    return int((tile.height - fixed) / _MIN_ROW_HEIGHT)


def _draw_sheet(
    drive: DriveOnPaper,
    round_: RoundOnPaper,
    table: int,
    seats: Seats | None,
    strip_height: float,
    canvas: Canvas,
    tile: Box,
) -> None:
    content = tile.inset(_MARGIN)
    strip = content.top_strip(_HEAD_HEIGHT - 2 * MM)
    number = Box(strip.right - 24 * MM, strip.bottom, 24 * MM, strip.height)
    words = _("Round %(round)s") % {"round": round_.number}
    draw_big_number(canvas, number, str(table), _("Table"), words)
    heading = Box(strip.left, strip.bottom, strip.width - 27 * MM, strip.height)
    draw_slip_heading(canvas, heading.inset(0, 0.5 * MM), drive.heading)
    body = content.without_top(_HEAD_HEIGHT)
    _draw_players(canvas, body.top_strip(_PLAYERS_HEIGHT), drive, seats)
    body = body.without_top(_PLAYERS_HEIGHT)
    if strip_height and drive.points is not None:
        draw_strip(canvas, body.bottom_strip(strip_height), drive.points)
        body = body.without_bottom(strip_height + _GAP)
    _draw_hands(canvas, body, drive)
    _draw_foot(canvas, body.bottom_strip(_FOOT_HEIGHT - 1 * MM), has_strip=strip_height > 0)


def _draw_foot(canvas: Canvas, foot: Box, *, has_strip: bool) -> None:
    words = _("The four sums add up to 0.")
    if not has_strip:
        words += " " + _("The points are on the back.")
    write_text(canvas, words, foot.top_strip(5 * MM), size=10, floor=8)
    words = _("Signatures:") + " " + "_" * 40
    write_text(canvas, words, foot.bottom_strip(5 * MM), size=9, floor=7)


def _draw_players(canvas: Canvas, box: Box, drive: DriveOnPaper, seats: Seats | None) -> None:
    """Draw the four players with their seats; if they are unknown, space to write."""
    half, height = box.width / 2, box.height / 2
    for at in range(4):
        left, bottom = box.left + (at % 2) * half, box.top - (at // 2 + 1) * height
        line = Box(left, bottom, half - 2 * MM, height)
        label, name = line.split_columns(7, line.width / MM - 7)
        write_text(canvas, str(at + 1), label, font=BOLD, size=13)
        if seats is None:
            canvas.setLineWidth(0.6)
            canvas.line(name.left, name.bottom + 1.2 * MM, name.right, name.bottom + 1.2 * MM)
        else:
            write_text(canvas, drive.format_player(seats[at]), name, size=11, floor=8)


def _draw_hands(canvas: Canvas, box: Box, drive: DriveOnPaper) -> None:
    points = drive.points
    counts_passed = points is not None and points.passed is not PassedRule.REDEAL
    columns = [
        Column(pgettext("one deal", "Hand"), 9, font=BOLD, size=12),
        Column(_("Deals"), 9, size=11),
        *([Column(_("Passed"), 13)] if counts_passed else []),
        Column(_("Bid"), 14, is_framed=True),
        Column(_("Players"), 24, size=11),
        Column(_("Tricks"), 10, is_framed=True),
    ]
    first = len(columns)
    for seat in range(1, 5):
        columns.append(Column(_("Seat %(seat)s") % {"seat": seat}, 12, is_framed=True))
        columns.append(Column(_("Sum"), 12))
    rows = []
    for hand in range(1, drive.hands + 1):
        row = [str(hand), str((hand - 1) % 4 + 1), *[""] * (len(columns) - 2)]
        row[first - 2] = "1  2  3  4"
        rows.append(row)
    rows.append([_("Sum"), *[""] * (len(columns) - 1)])
    height = grid.compute_row_height(
        box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT,
        len(rows),
        least=_MIN_ROW_HEIGHT,
        most=_MAX_ROW_HEIGHT,
    )

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if counts_passed and column_index == 2 and row_index < drive.hands:
            _draw_circles(canvas, cell)

    grid.draw_grid(
        canvas, box, columns, rows, head=_TITLE_ROW_HEIGHT, row=height, title_size=7,
        inside=draw_cell, tag_cells=False,
        heavy_after=range(_HANDS_IN_A_BLOCK - 1, drive.hands, _HANDS_IN_A_BLOCK),
    )  # fmt: skip


def _draw_circles(canvas: Canvas, cell: Box) -> None:
    """Draw a circle to tick for each passed deal."""
    canvas.setLineWidth(0.6)
    step = cell.width / _PASSED_CIRCLES
    for at in range(_PASSED_CIRCLES):
        middle = cell.bottom + cell.height / 2
        canvas.circle(cell.left + (at + 0.5) * step, middle, 1.1 * MM)
