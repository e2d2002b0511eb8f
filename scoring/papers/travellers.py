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
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading, format_seat
from printing.kinds import (
    OutdatingChanges,
    PaperGroup,
    PaperKind,
    PlaceOfUse,
    ShownCards,
    TableRequirement,
)
from printing.layout import PageLayout
from printing.text_boxes import write_text
from printing.values import Heading
from scoring.sheets import papers
from scoring.sheets.values import TravellerSlip, TravellerSlipLine

MIN_ROW_HEIGHT = 6 * MM  # a lower row is hard to write in
PREFERRED_ROW_HEIGHT = 8 * MM
MAX_ROW_HEIGHT = 15 * MM
_SLIP_MARGIN = 5 * MM
_HEADING_HEIGHT = 21 * MM
_TITLES_HEIGHT = 8 * MM
_LEGEND_HEIGHT = 6.5 * MM


@dataclass(frozen=True, slots=True)
class _BlankSlip:
    """A slip with a heading and empty rows, stored once in the file as a PDF form XObject."""

    heading: Heading
    row_count: int
    part_number: int
    part_count: int
    is_for_singles: bool  # each side is two players: "2 & 12"
    has_trump_column: bool  # whether there is a column for the table's declaration
    is_in_points: bool  # whether results are points, not tricks


@dataclass(frozen=True, slots=True)
class _SharedSlip:
    """The content that the slips of several boards share: a blank slip, and the rows on it."""

    blank_slip: _BlankSlip
    slip_lines: Sequence[TravellerSlipLine]


@dataclass(frozen=True, slots=True)
class _PrintedSlip:
    """One printed slip: a board's whole traveller, or one part of a long one."""

    board_number: int
    dealer_name: str
    shared_slip: _SharedSlip


_FormXObjects = dict[_BlankSlip | _SharedSlip, str]  # the name of each PDF form XObject


def draw_pdf(
    traveller_slips: Sequence[TravellerSlip], *, paper_size: paper.Size = "A4"
) -> bytes:
    """Print the travellers of some boards, eight or four to a page, with cutting marks.

    Eight fit if an eighth of a page has space for all rows with a height of 8 mm. On a quarter
    of a page, rows are at least 6 mm high. A longer traveller continues on a second slip.
    """
    canvas = paper.start_canvas(
        paper_size,
        _("Travellers"),
        [traveller_slip.heading for traveller_slip in traveller_slips],
    )
    lay_out_pages(traveller_slips, paper_size=paper_size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out_pages(
    traveller_slips: Sequence[TravellerSlip], *, paper_size: paper.Size
) -> PageLayout:
    """Lay out the slips in the order of the boards."""
    page = paper.get_page_box(paper_size)
    slips_per_column = _count_slips_per_column(traveller_slips, page)
    tile = Box(0, 0, page.width / 2, page.height / slips_per_column)
    printed_slips = [
        printed_slip
        for traveller_slip in traveller_slips
        for printed_slip in _split_into_slips(
            traveller_slip, int(_compute_rows_height(tile) / MIN_ROW_HEIGHT)
        )
    ]

    def draw_pages(canvas: Canvas) -> None:
        form_xobjects = _FormXObjects()
        for printed_slip in printed_slips:
            _draw_blank_slip(canvas, tile, printed_slip.shared_slip.blank_slip, form_xobjects)
            _draw_shared_slip(canvas, tile, printed_slip.shared_slip, form_xobjects)
        paper.draw_slips(
            canvas,
            page,
            printed_slips,
            partial(_draw_printed_slip, canvas, form_xobjects),
            column_count=2,
            row_count=slips_per_column,
        )

    return PageLayout(-(-len(printed_slips) // (2 * slips_per_column)), draw_pages)


def _count_slips_per_column(traveller_slips: Sequence[TravellerSlip], page: Box) -> int:
    """Return the number of slips one above the other: four if all rows fit, else two."""
    max_row_count = max(
        (len(traveller_slip.lines) for traveller_slip in traveller_slips), default=0
    )
    return (
        4
        if _compute_rows_height(Box(0, 0, page.width / 2, page.height / 4))
        >= max_row_count * PREFERRED_ROW_HEIGHT
        else 2
    )


def _compute_rows_height(tile: Box) -> float:
    """Return the height for rows on a slip, in points."""
    return tile.height - 2 * _SLIP_MARGIN - _HEADING_HEIGHT - _TITLES_HEIGHT - _LEGEND_HEIGHT


def _split_into_slips(traveller_slip: TravellerSlip, max_rows: int) -> list[_PrintedSlip]:
    lines_by_part = grid.split_rows(traveller_slip.lines, max_rows)
    is_for_singles = any(line.is_for_singles for line in traveller_slip.lines)
    slips = []
    for part_number, part_lines in enumerate(lines_by_part, start=1):
        blank_slip = _BlankSlip(
            heading=traveller_slip.heading,
            row_count=len(part_lines),
            part_number=part_number,
            part_count=len(lines_by_part),
            is_for_singles=is_for_singles,
            has_trump_column=traveller_slip.has_declared_trumps,
            is_in_points=traveller_slip.is_in_points,
        )
        slips.append(
            _PrintedSlip(
                traveller_slip.board_number,
                format_seat(traveller_slip.dealer),
                _SharedSlip(blank_slip, part_lines),
            )
        )
    return slips


def _draw_blank_slip(
    canvas: Canvas, tile: Box, blank_slip: _BlankSlip, form_xobjects: _FormXObjects
) -> None:
    if blank_slip in form_xobjects:
        return
    _begin_form_xobject(canvas, tile, blank_slip, form_xobjects)
    inner_box = tile.inset(_SLIP_MARGIN)
    top_box = inner_box.get_top_strip(_HEADING_HEIGHT - 2 * MM)
    left_box = Box(top_box.left, top_box.bottom, top_box.width - 34 * MM, top_box.height)
    draw_slip_heading(canvas, left_box, blank_slip.heading)
    row_height = _compute_row_height(tile, blank_slip)
    body_box = inner_box.exclude_top(_HEADING_HEIGHT)
    lower_edge = grid.draw_empty_grid(
        canvas,
        body_box,
        _build_columns(blank_slip),
        blank_slip.row_count,
        head_height=_TITLES_HEIGHT,
        row_height=row_height,
    )
    _draw_legend(
        canvas,
        Box(inner_box.left, lower_edge - _LEGEND_HEIGHT, inner_box.width, _LEGEND_HEIGHT),
        blank_slip,
    )
    canvas.endForm()


def _draw_shared_slip(
    canvas: Canvas, tile: Box, shared_slip: _SharedSlip, form_xobjects: _FormXObjects
) -> None:
    if shared_slip in form_xobjects:
        return
    _begin_form_xobject(canvas, tile, shared_slip, form_xobjects)
    canvas.doForm(form_xobjects[shared_slip.blank_slip])
    empty_cells = [""] * (len(_build_columns(shared_slip.blank_slip)) - 4)
    rows = [
        (str(line.round_number), line.table_label, line.ns, line.ew, *empty_cells)
        for line in shared_slip.slip_lines
    ]
    body_box = tile.inset(_SLIP_MARGIN).exclude_top(_HEADING_HEIGHT + _TITLES_HEIGHT)
    grid.write_cells(
        canvas,
        body_box,
        _build_columns(shared_slip.blank_slip),
        rows,
        row_height=_compute_row_height(tile, shared_slip.blank_slip),
    )
    canvas.endForm()


def _begin_form_xobject(
    canvas: Canvas, tile: Box, slip: _BlankSlip | _SharedSlip, form_xobjects: _FormXObjects
) -> None:
    """Begin a PDF form XObject: content that is stored once and drawn on several pages.

    The form has the size of a slip, and its name is added to `form_xobjects`.
    """
    form_xobjects[slip] = f"form{len(form_xobjects) + 1}"
    canvas.beginForm(form_xobjects[slip], 0, 0, tile.width, tile.height)


def _draw_printed_slip(
    canvas: Canvas, form_xobjects: _FormXObjects, printed_slip: _PrintedSlip, tile: Box
) -> None:
    """Draw a board's number and dealer over the content that it shares with other boards."""
    top_box = tile.inset(_SLIP_MARGIN).get_top_strip(_HEADING_HEIGHT - 2 * MM)
    dealer_text = _("Dealer %(seat)s") % {"seat": printed_slip.dealer_name}
    number_box = Box(top_box.right - 32 * MM, top_box.bottom, 32 * MM, top_box.height)
    draw_big_number(canvas, number_box, str(printed_slip.board_number), _("Board"), dealer_text)
    canvas.saveState()
    canvas.translate(tile.left, tile.bottom)
    with tags.open_element(canvas, "P"):
        canvas.doForm(form_xobjects[printed_slip.shared_slip])
    canvas.restoreState()


def _compute_row_height(tile: Box, blank_slip: _BlankSlip) -> float:
    return grid.compute_row_height(
        _compute_rows_height(tile),
        blank_slip.row_count,
        min_height=MIN_ROW_HEIGHT,
        max_height=MAX_ROW_HEIGHT,
    )


def _draw_legend(canvas: Canvas, box: Box, blank_slip: _BlankSlip) -> None:
    footnote = _("Revoke: −R for the side that revoked, +R for the other.")
    if blank_slip.is_in_points:
        footnote = _("Enter what each side won, including honours (0 for nothing).")
    if blank_slip.part_count == 1:
        write_text(canvas, footnote, box, size=7.5)
        return
    left_box, right_box = box.split_columns(3, 1)
    write_text(canvas, footnote, left_box, size=7.5)
    part_text = _("slip %(number)d of %(parts)d") % {
        "number": blank_slip.part_number,
        "parts": blank_slip.part_count,
    }
    write_text(canvas, part_text, right_box, font=BOLD_FONT, size=9, align="right")


def _build_columns(blank_slip: _BlankSlip) -> list[Column]:
    if blank_slip.is_for_singles:
        pair_columns = [
            Column(_("North, South"), 17, font=BOLD_FONT, size=12),
            Column(_("East, West"), 17, font=BOLD_FONT, size=12),
        ]
    else:
        pair_columns = [
            Column(_("N-S pair"), 10.5, font=BOLD_FONT, size=13),
            Column(_("E-W pair"), 10.5, font=BOLD_FONT, size=13),
        ]
    return [
        Column(_("Round"), 9.5, size=10),
        Column(_("Table"), 9, size=10),
        *pair_columns,
        *([Column(_("Trump"), 9.5, is_framed=True)] if blank_slip.has_trump_column else []),
        *_build_result_columns(blank_slip),
        Column(_("Initials"), 12.5),
    ]


def _build_result_columns(blank_slip: _BlankSlip) -> list[Column]:
    """Return the columns for results; an event that counts points has no revoke columns."""
    if blank_slip.is_in_points:
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


PAPER_KIND = PaperKind(
    name="travellers",
    title=gettext_lazy("Travellers"),
    blurb=gettext_lazy("One slip per board. It travels with the board."),
    group=PaperGroup.TABLES,
    build_sheet=papers.build_traveller_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS,
    table_requirement=TableRequirement(1),
    place_of_use=PlaceOfUse.TRAYS,
    lay_out=lay_out_pages,
)
