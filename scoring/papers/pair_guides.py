"""Guide cards for pairs: the card that a pair carries from table to table."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, layout, paper
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import HallSpot, OutdatedBy, PaperGroup, PaperKind, ShownCards, TableNeed
from printing.layout import Slip, Slips
from printing.text_boxes import write_text
from scoring.papers.conditions import has_moves_of_single_players
from scoring.papers.guide_cards import split_into_cards
from scoring.sheets import hall_papers
from scoring.sheets.hall_values import PairGuide, PairGuideLine

_SLIP_MARGIN = 8 * MM
_HEADING_HEIGHT = 30 * MM
_NAME_HEIGHT = 9 * MM
_TITLES_HEIGHT = 7 * MM
_FOOT_HEIGHT = 10 * MM  # two lines
_MIN_ROW_HEIGHT = 7 * MM
_MIN_NARROW_ROW_HEIGHT = 10 * MM  # minimum, for notes on three lines
_MAX_ROW_HEIGHT = 18 * MM


def draw_pdf(sheets: Sequence[PairGuide], *, size: paper.Size = "A4") -> bytes:
    """Print a card for each entry: two to a page if the rounds fit, otherwise one."""
    canvas = paper.start_canvas(
        size, _("Personal guide cards"), [sheet.heading for sheet in sheets]
    )
    return layout.draw_slips(canvas, paper.get_page_box(size), lay_out(sheets, size=size))


def lay_out(sheets: Sequence[PairGuide], *, size: paper.Size) -> Slips:
    """Lay out the cards, each for the table where its entry begins."""
    page = paper.get_page_box(size)
    columns, down = _choose_tiles(sheets, page)
    tile = page.split_tiles(columns, down)[0]
    return Slips(
        columns,
        down,
        tuple(
            Slip(
                (sheet.heading.section, sheet.first_table),
                partial(_draw_card, sheet, lines, note),
            )
            for sheet in sheets
            for lines, note in split_into_cards(
                sheet.lines, int(_compute_rows_height(sheet, tile) / _MIN_ROW_HEIGHT)
            )
        ),
    )


def _choose_tiles(sheets: Sequence[PairGuide], page: Box) -> tuple[int, int]:
    """Return the tiles across and down of a page: cut across, cut down, or not at all."""
    for tile_columns, down, row in ((1, 2, _MIN_ROW_HEIGHT), (2, 1, _MIN_NARROW_ROW_HEIGHT)):
        tile = page.split_tiles(tile_columns, down)[0]
        if all(_compute_rows_height(sheet, tile) >= len(sheet.lines) * row for sheet in sheets):
            return tile_columns, down
    return 1, 1


def _compute_rows_height(sheet: PairGuide, tile: Box) -> float:
    return (
        tile.inset(_SLIP_MARGIN).height
        - _HEADING_HEIGHT
        - _NAME_HEIGHT
        - _TITLES_HEIGHT
        - _measure_foot(sheet)
    )


def _draw_card(
    sheet: PairGuide, lines: Sequence[PairGuideLine], note: str, canvas: Canvas, tile: Box
) -> None:
    inner = tile.inset(_SLIP_MARGIN)
    is_narrow = tile.width < 150 * MM
    strip = inner.top_strip(_HEADING_HEIGHT - 4 * MM)
    wide = 34 if is_narrow else 40
    number, heading = strip.split_columns(wide, inner.width / MM - wide)
    draw_big_number(canvas, number, sheet.label, sheet.heading.one or _("Pair"), note)
    scale = 1.0 if is_narrow else 1.3
    draw_slip_heading(canvas, heading.inset(3 * MM, 2 * MM), sheet.heading, scale=scale)
    rows_box = inner.without_top(_HEADING_HEIGHT)
    write_text(
        canvas, sheet.name, rows_box.top_strip(_NAME_HEIGHT), font=BOLD, size=15, floor=11
    )
    body = rows_box.without_top(_NAME_HEIGHT)
    row = grid.compute_row_height(
        _compute_rows_height(sheet, tile),
        len(lines),
        least=_MIN_ROW_HEIGHT,
        most=_MAX_ROW_HEIGHT,
    )
    size = grid.compute_type_size(row, most=16 if is_narrow else 24)
    has_partners = any(line.partner for line in sheet.lines)
    has_notes = any(line.note for line in sheet.lines)
    columns = _build_columns(size, has_partners, has_notes, is_narrow)
    rows = [_format_cells(guide_line, has_partners, has_notes) for guide_line in lines]
    title_size = 9 if is_narrow else 10
    lower = grid.draw_grid(
        canvas, body, columns, rows, head=_TITLES_HEIGHT, row=row, title_size=title_size
    )
    foot = Box(inner.left, inner.bottom, inner.width, lower - inner.bottom)
    write_text(canvas, sheet.foot, foot.top_strip(_measure_foot(sheet)), size=11, floor=9)


def _build_columns(
    size: float, has_partners: bool, has_notes: bool, is_narrow: bool
) -> list[Column]:
    columns = [
        Column(_("Round"), 18, size=size, is_row_header=True),
        Column(_("Table"), 18, font=BOLD, size=size),
        Column(_("Sit"), 20, font=BOLD, size=size),
        Column(_("Against"), 28, size=size),
        Column(_("Boards"), 30, font=BOLD, size=size),
    ]
    if has_partners:
        columns.insert(3, Column(_("Partner"), 22, font=BOLD, size=size))
    if has_notes:
        wide = 36 if is_narrow else 42 if has_partners else 56
        columns.append(Column(_("Note"), wide, align="left", size=12, floor=8.5))
    return columns


def _format_cells(line: PairGuideLine, has_partners: bool, has_notes: bool) -> tuple[str, ...]:
    partner = (line.partner,) if has_partners else ()
    note = (line.note,) if has_notes else ()
    place_cells = (str(line.round), line.table, line.seat)
    return (*place_cells, *partner, line.opponents, line.boards, *note)


def _measure_foot(sheet: PairGuide) -> float:
    return _FOOT_HEIGHT if sheet.foot else 0.0


PAPER = PaperKind(
    name="pair_guides",
    title=gettext_lazy("Personal guide cards"),
    blurb=gettext_lazy(
        "One guide card for each pair or player: where to sit and which boards to play."
    ),
    group=PaperGroup.TABLES,
    build_sheet=hall_papers.build_pair_guides,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.SEATS | OutdatedBy.NAMES,
    need=TableNeed(3, has_moves_of_single_players),
    hall_spot=HallSpot.TABLES,
    lay_out=lay_out,
)
