"""Score slips: a pair's own record, with a line for each board (rules J5).

The trump column is empty and is filled only after a board is played. The slip stays with the
pair, but a player who sees it may still have the board to play (rules D1, D2).
"""

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
from scoring.sheets import papers
from scoring.sheets.values import ScoreSlip, ScoreSlipLine

MIN_ROW_HEIGHT = 6 * MM
PREFERRED_ROW_HEIGHT = 8 * MM
_MAX_ROW_HEIGHT = 14 * MM
_SLIP_MARGIN = 6 * MM
_HEADING_HEIGHT = 20 * MM
_NAME_HEIGHT = 12.5 * MM
_TITLES_HEIGHT = 7.5 * MM
_FOOT_HEIGHT = 5 * MM
_PARTNER_COLUMN_WEIGHT = 4  # the column that only single players have
_MAX_NARROW_LABEL_LETTERS = 8  # letters of an opponent's name in the narrow column

_Part = tuple[ScoreSlip, Sequence[ScoreSlipLine], int, int]


def draw_pdf(sheets: Sequence[ScoreSlip], *, size: paper.Size = "A4") -> bytes:
    """Print a slip for each pair: four to a page if the boards fit, else two, side by side.

    Rows fill the slip and are 8 mm high if they fit, never less than 6 mm; a longer slip
    continues on a second. Slips with opponents' names instead of numbers take a page's whole
    width.
    """
    canvas = paper.start_canvas(size, _("Score slips"), [sheet.heading for sheet in sheets])
    return layout.draw_slips(canvas, paper.get_page_box(size), lay_out(sheets, size=size))


def lay_out(sheets: Sequence[ScoreSlip], *, size: paper.Size) -> Slips:
    """Lay out the slips, each for the table where its pair begins."""
    page = paper.get_page_box(size)
    columns = 1 if any(_needs_wide_slip(sheet) for sheet in sheets) else 2
    longest = max(len(sheet.lines) for sheet in sheets)
    down = (
        2
        if _compute_rows_height(page.split_tiles(columns, 2)[0])
        >= (longest + 1) * PREFERRED_ROW_HEIGHT
        else 1
    )
    max_rows = (
        int(_compute_rows_height(page.split_tiles(columns, down)[0]) / MIN_ROW_HEIGHT) - 1
    )
    return Slips(
        columns,
        down,
        tuple(
            Slip((sheet.heading.section, sheet.first_table), partial(_draw_slip, part))
            for sheet in sheets
            for part in _split_into_slips(sheet, max_rows)
        ),
    )


def _needs_wide_slip(sheet: ScoreSlip) -> bool:
    return any(
        len(line.opponents) > _MAX_NARROW_LABEL_LETTERS for line in sheet.lines if line.board
    )


def _compute_rows_height(tile: Box) -> float:
    return (
        tile.height
        - 2 * _SLIP_MARGIN
        - _HEADING_HEIGHT
        - _NAME_HEIGHT
        - _TITLES_HEIGHT
        - _FOOT_HEIGHT
    )


def _split_into_slips(sheet: ScoreSlip, most: int) -> list[_Part]:
    parts = grid.split_rows(sheet.lines, most)
    return [(sheet, part, number, len(parts)) for number, part in enumerate(parts, start=1)]


def _describe_start(sheet: ScoreSlip) -> str:
    if sheet.start_place and sheet.start_round == 1:
        return _("Starts at %(place)s") % {"place": sheet.start_place}
    return sheet.start[:1].upper() + sheet.start[1:]


def _draw_slip(part: _Part, canvas: Canvas, tile: Box) -> None:
    sheet, lines, number, parts = part
    inner = tile.inset(_SLIP_MARGIN)
    strip = inner.top_strip(_HEADING_HEIGHT)
    pair = Box(strip.right - 30 * MM, strip.bottom, 30 * MM, strip.height)
    heading = Box(strip.left, strip.bottom, strip.width - 33 * MM, strip.height)
    draw_big_number(canvas, pair, sheet.label, sheet.heading.one or _("Pair"))
    draw_slip_heading(canvas, heading.inset(0, 0.5 * MM), sheet.heading)
    name = inner.without_top(_HEADING_HEIGHT).top_strip(_NAME_HEIGHT)
    write_text(canvas, sheet.name, name.top_strip(7.5 * MM), font=BOLD, size=12, floor=8.5)
    write_text(canvas, _describe_start(sheet), name.bottom_strip(5 * MM), size=10)
    row = grid.compute_row_height(
        _compute_rows_height(tile), len(lines) + 1, least=MIN_ROW_HEIGHT, most=_MAX_ROW_HEIGHT
    )
    partners = any(line.partner for line in sheet.lines)
    rows = [*(_format_cells(line) for line in lines), _build_total_row(number, parts)]
    if not partners:
        rows = [
            row[:_PARTNER_COLUMN_WEIGHT] + row[_PARTNER_COLUMN_WEIGHT + 1 :] for row in rows
        ]
    heavy_rows = [place for place in range(len(lines)) if _is_last_of_round(lines, place)]
    body = inner.without_top(_HEADING_HEIGHT + _NAME_HEIGHT)
    wide = tile.width > 150 * MM
    lower = grid.draw_grid(
        canvas,
        body,
        _build_columns(is_wide=wide, has_partners=partners),
        rows,
        head=_TITLES_HEIGHT,
        row=row,
        heavy_after=heavy_rows,
        tag_cells=False,
    )
    foot = Box(inner.left, lower - _FOOT_HEIGHT, inner.width, _FOOT_HEIGHT)
    note = _("Fill in the trump only after playing the board.")
    if parts > 1:
        note += " " + _("Slip %(number)d of %(parts)d.") % {"number": number, "parts": parts}
    write_text(canvas, note, foot, size=7.5)


def _format_cells(line: ScoreSlipLine) -> tuple[str, ...]:
    place_cells = (str(line.round), line.table or "–")
    if line.board is None:
        return ("–", *place_cells, "–", "–", line.opponents or _("sit-out"), "–", "–", "–", "–")
    seat = (line.direction, line.partner)
    return (str(line.board), *place_cells, *seat, line.opponents, "", "", "", "")


def _build_total_row(number: int, parts: int) -> tuple[str, ...]:
    label = _("Total") if number == parts else _("So far")
    return ("", "", "", "", "", label, "", "", "", "")


def _is_last_of_round(lines: Sequence[ScoreSlipLine], place: int) -> bool:
    return place + 1 == len(lines) or lines[place].round != lines[place + 1].round


def _build_columns(*, is_wide: bool, has_partners: bool) -> list[Column]:
    columns = [
        Column(_("Board"), 10, font=BOLD, size=15),
        Column(_("Round"), 9, size=12),
        Column(_("Table"), 8.5, size=12),
        Column(_("Side"), 10, size=11),
        Column(_("Partner"), 11.5, font=BOLD, size=12),
        Column(
            _("Against"), 60 if is_wide else 13.5 if has_partners else 12.5, font=BOLD, size=12
        ),
        Column(_("Trump"), 10.5),
        Column(_("Won"), 10, is_framed=True),
        Column(_("Lost"), 10, is_framed=True),
        Column(_("+/−"), 12.5),
    ]
    return (
        columns
        if has_partners
        else columns[:_PARTNER_COLUMN_WEIGHT] + columns[_PARTNER_COLUMN_WEIGHT + 1 :]
    )


PAPER = PaperKind(
    name="score_slips",
    title=gettext_lazy("Score slips"),
    blurb=gettext_lazy("One slip for each pair or player, for their own scores."),
    group=PaperGroup.TABLES,
    build_sheet=papers.build_score_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.SEATS | OutdatedBy.NAMES,
    need=TableNeed(4),
    hall_spot=HallSpot.TABLES,
    lay_out=lay_out,
)
