"""Travellers: one slip for each board, with the rows that the movement determines.

A traveller is in the tray while the board is still to be played elsewhere, so it shows neither
cards nor trump (rules D2, J6). If each table declares trumps there is a column for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading, format_seat
from printing.kinds import HallSpot, OutdatedBy, PaperGroup, PaperKind, ShownCards, TableNeed
from printing.layout import Pages
from printing.text_boxes import write_text
from printing.values import Heading
from scoring.sheets import papers
from scoring.sheets.values import SlipLine, TravellerSlip

MIN_ROW_HEIGHT = 6 * MM  # less is too low to write in
PREFERRED_ROW_HEIGHT = 8 * MM
MAX_ROW_HEIGHT = 15 * MM
_SLIP_MARGIN = 5 * MM
_HEADING_HEIGHT = 21 * MM
_TITLES_HEIGHT = 8 * MM
_LEGEND_HEIGHT = 6.5 * MM


@dataclass(frozen=True, slots=True)
class _BlankSlip:
    """A slip without pairs: the heading and the empty rows, drawn once as a PDF form."""

    heading: Heading
    rows: int
    number: int
    parts: int
    is_for_singles: bool  # two numbers in a square, not one
    has_trump_column: bool  # a column for the table's declaration
    is_in_points: bool  # whether results are points, not tricks


@dataclass(frozen=True, slots=True)
class _SharedSlip:
    """The content that the slips of several boards share: the blank slip and its pairs."""

    blank: _BlankSlip
    rows: Sequence[SlipLine]


@dataclass(frozen=True, slots=True)
class _PrintedSlip:
    """One printed slip: a board's whole traveller, or one part of a long one."""

    board: int
    dealer: str
    face: _SharedSlip


_Forms = dict[_BlankSlip | _SharedSlip, str]  # the names of the PDF forms in the file


def draw_pdf(sheets: Sequence[TravellerSlip], *, size: paper.Size = "A4") -> bytes:
    """Print the travellers of some boards, eight or four to a page, with cutting marks.

    Eight fit if an eighth of a page has space for all rows, 8 mm high. On a quarter page rows
    are at least 6 mm high; a board with more lines continues on a second slip, with a note.
    """
    canvas = paper.start_canvas(size, _("Travellers"), [sheet.heading for sheet in sheets])
    lay_out(sheets, size=size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out(sheets: Sequence[TravellerSlip], *, size: paper.Size) -> Pages:
    """Lay out the slips in the order of the boards."""
    page = paper.get_page_box(size)
    down = _count_slips_down_page(sheets, page)
    tile = Box(0, 0, page.width / 2, page.height / down)
    parts = [
        part
        for sheet in sheets
        for part in _split_into_slips(sheet, int(_compute_rows_height(tile) / MIN_ROW_HEIGHT))
    ]

    def draw_them(canvas: Canvas) -> None:
        forms = _Forms()
        for part in parts:
            _draw_blank(canvas, tile, part.face.blank, forms)
            _draw_shared(canvas, tile, part.face, forms)
        paper.draw_slips(
            canvas, page, parts, partial(_draw_part, canvas, forms), across=2, down=down
        )

    return Pages(-(-len(parts) // (2 * down)), draw_them)


def _count_slips_down_page(sheets: Sequence[TravellerSlip], page: Box) -> int:
    """Return the number of rows of slips on a page: four if all lines fit, else two."""
    rows = max((len(sheet.lines) for sheet in sheets), default=0)
    return (
        4
        if _compute_rows_height(Box(0, 0, page.width / 2, page.height / 4))
        >= rows * PREFERRED_ROW_HEIGHT
        else 2
    )


def _compute_rows_height(tile: Box) -> float:
    """Return the height for rows on a slip, in points."""
    return tile.height - 2 * _SLIP_MARGIN - _HEADING_HEIGHT - _TITLES_HEIGHT - _LEGEND_HEIGHT


def _split_into_slips(sheet: TravellerSlip, most: int) -> list[_PrintedSlip]:
    parts = grid.split_rows(sheet.lines, most)
    singles = any(line.singles for line in sheet.lines)
    slips = []
    for number, part in enumerate(parts, start=1):
        blank_slip = _BlankSlip(
            heading=sheet.heading,
            rows=len(part),
            number=number,
            parts=len(parts),
            is_for_singles=singles,
            has_trump_column=sheet.notes_trumps,
            is_in_points=sheet.is_in_points,
        )
        slips.append(
            _PrintedSlip(sheet.board, format_seat(sheet.dealer), _SharedSlip(blank_slip, part))
        )
    return slips


def _draw_blank(canvas: Canvas, tile: Box, blank: _BlankSlip, forms: _Forms) -> None:
    if blank in forms:
        return
    _begin_form(canvas, tile, blank, forms)
    inner = tile.inset(_SLIP_MARGIN)
    strip = inner.top_strip(_HEADING_HEIGHT - 2 * MM)
    left = Box(strip.left, strip.bottom, strip.width - 34 * MM, strip.height)
    draw_slip_heading(canvas, left, blank.heading)
    row = _compute_row_height(tile, blank)
    body = inner.without_top(_HEADING_HEIGHT)
    lower = grid.draw_empty_grid(
        canvas, body, _build_columns(blank), blank.rows, head=_TITLES_HEIGHT, row=row
    )
    _draw_legend(
        canvas, Box(inner.left, lower - _LEGEND_HEIGHT, inner.width, _LEGEND_HEIGHT), blank
    )
    canvas.endForm()


def _draw_shared(canvas: Canvas, tile: Box, shared_slip: _SharedSlip, forms: _Forms) -> None:
    if shared_slip in forms:
        return
    _begin_form(canvas, tile, shared_slip, forms)
    canvas.doForm(forms[shared_slip.blank])
    empty = [""] * (len(_build_columns(shared_slip.blank)) - 4)
    rows = [
        (str(line.round), line.table, line.ns, line.ew, *empty) for line in shared_slip.rows
    ]
    body = tile.inset(_SLIP_MARGIN).without_top(_HEADING_HEIGHT + _TITLES_HEIGHT)
    grid.write_cells(
        canvas,
        body,
        _build_columns(shared_slip.blank),
        rows,
        row=_compute_row_height(tile, shared_slip.blank),
    )
    canvas.endForm()


def _begin_form(
    canvas: Canvas, tile: Box, slip: _BlankSlip | _SharedSlip, forms: _Forms
) -> None:
    """Begin a PDF form of the size of a slip, which is stored in the file only once."""
    forms[slip] = f"form{len(forms) + 1}"
    canvas.beginForm(forms[slip], 0, 0, tile.width, tile.height)


def _draw_part(canvas: Canvas, forms: _Forms, part: _PrintedSlip, tile: Box) -> None:
    """Draw a board's number and dealer over the content that it shares with other boards."""
    strip = tile.inset(_SLIP_MARGIN).top_strip(_HEADING_HEIGHT - 2 * MM)
    dealer = _("Dealer %(seat)s") % {"seat": part.dealer}
    place = Box(strip.right - 32 * MM, strip.bottom, 32 * MM, strip.height)
    draw_big_number(canvas, place, str(part.board), _("Board"), dealer)
    canvas.saveState()
    canvas.translate(tile.left, tile.bottom)
    with tags.open_element(canvas, "P"):
        canvas.doForm(forms[part.face])
    canvas.restoreState()


def _compute_row_height(tile: Box, blank: _BlankSlip) -> float:
    return grid.compute_row_height(
        _compute_rows_height(tile), blank.rows, least=MIN_ROW_HEIGHT, most=MAX_ROW_HEIGHT
    )


def _draw_legend(canvas: Canvas, box: Box, blank: _BlankSlip) -> None:
    note = _("Revoke: −R for the side that revoked, +R for the other.")
    if blank.is_in_points:
        note = _("Enter what each side won, including honours (0 for nothing).")
    if blank.parts == 1:
        write_text(canvas, note, box, size=7.5)
        return
    left, right = box.split_columns(3, 1)
    write_text(canvas, note, left, size=7.5)
    part = _("slip %(number)d of %(parts)d") % {"number": blank.number, "parts": blank.parts}
    write_text(canvas, part, right, font=BOLD, size=9, align="right")


def _build_columns(blank: _BlankSlip) -> list[Column]:
    if blank.is_for_singles:
        pair_columns = [
            Column(_("North, South"), 17, font=BOLD, size=12),
            Column(_("East, West"), 17, font=BOLD, size=12),
        ]
    else:
        pair_columns = [
            Column(_("N-S pair"), 10.5, font=BOLD, size=13),
            Column(_("E-W pair"), 10.5, font=BOLD, size=13),
        ]
    return [
        Column(_("Round"), 9.5, size=10),
        Column(_("Table"), 9, size=10),
        *pair_columns,
        *([Column(_("Trump"), 9.5, is_framed=True)] if blank.has_trump_column else []),
        *_build_result_columns(blank),
        Column(_("Initials"), 12.5),
    ]


def _build_result_columns(blank: _BlankSlip) -> list[Column]:
    """Return the columns for results; in points there is no column for revokes."""
    if blank.is_in_points:
        return [
            Column(_("N-S won"), 20.5, is_framed=True),
            Column(_("E-W won"), 20.5, is_framed=True),
        ]
    return [
        Column(_("Tricks N-S"), 13, is_framed=True),
        Column(_("R"), 7.5),
        Column(_("Tricks E-W"), 13, is_framed=True),
        Column(_("R"), 7.5),
    ]


PAPER = PaperKind(
    name="travellers",
    title=gettext_lazy("Travellers"),
    blurb=gettext_lazy("One slip per board. It travels with the board."),
    group=PaperGroup.TABLES,
    build_sheet=papers.build_traveller_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.SEATS,
    need=TableNeed(1),
    hall_spot=HallSpot.TRAYS,
    lay_out=lay_out,
)
