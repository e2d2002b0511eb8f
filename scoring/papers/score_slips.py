"""Score slips: a pair's own record, with a row for each board (rules J5).

Players fill in the trump column only after a board is played. Another player who sees the slip
may still have to play the board (rules D1, D2).
"""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, layout, paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import (
    OutdatingChanges,
    PaperGroup,
    PaperKind,
    PlaceOfUse,
    ShownCards,
    TableRequirement,
)
from printing.layout import Slip, SlipLayout
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
_PARTNER_COLUMN_INDEX = 4  # the column that only single players have
_MAX_NARROW_LABEL_LETTERS = 8  # letters of an opponent's name in the narrow column

_SlipPart = tuple[ScoreSlip, Sequence[ScoreSlipLine], int, int]
"""A slip, the rows of one part, the number of the part, and the number of parts."""


def draw_pdf(sheets: Sequence[ScoreSlip], *, size: paper.Size = "A4") -> bytes:
    """Print a slip for each pair: four to a page if the boards fit, else two, side by side.

    Rows fill the slip and are 8 mm high if they fit, never less than 6 mm; a longer slip
    continues on a second. Slips with opponents' names instead of numbers take a page's whole
    width.
    """
    canvas = paper.start_canvas(size, _("Score slips"), [sheet.heading for sheet in sheets])
    return layout.draw_slips(canvas, paper.get_page_box(size), lay_out_slips(sheets, size=size))


def lay_out_slips(sheets: Sequence[ScoreSlip], *, size: paper.Size) -> SlipLayout:
    """Return the slips to print, each with the table at which the pair starts."""
    page = paper.get_page_box(size)
    columns = 1 if any(_needs_wide_slip(sheet) for sheet in sheets) else 2
    max_line_count = max(len(sheet.lines) for sheet in sheets)
    slips_per_column = (
        2
        if _compute_rows_height(page.split_tiles(columns, 2)[0])
        >= (max_line_count + 1) * PREFERRED_ROW_HEIGHT
        else 1
    )
    max_rows = (
        int(
            _compute_rows_height(page.split_tiles(columns, slips_per_column)[0])
            / MIN_ROW_HEIGHT
        )
        - 1
    )
    return SlipLayout(
        columns,
        slips_per_column,
        tuple(
            Slip((sheet.heading.section, sheet.first_table), partial(_draw_slip, slip_part))
            for sheet in sheets
            for slip_part in _split_into_slips(sheet, max_rows)
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


def _split_into_slips(sheet: ScoreSlip, max_rows: int) -> list[_SlipPart]:
    lines_by_part = grid.split_rows(sheet.lines, max_rows)
    return [
        (sheet, part_lines, part_number, len(lines_by_part))
        for part_number, part_lines in enumerate(lines_by_part, start=1)
    ]


def _describe_start(sheet: ScoreSlip) -> str:
    if sheet.start_place and sheet.start_round == 1:
        return _("Starts at %(place)s") % {"place": sheet.start_place}
    return sheet.start_text[:1].upper() + sheet.start_text[1:]


def _draw_slip(slip_part: _SlipPart, canvas: Canvas, tile: Box) -> None:
    sheet, lines, part_number, part_count = slip_part
    inner_box = tile.inset(_SLIP_MARGIN)
    top_box = inner_box.get_top_strip(_HEADING_HEIGHT)
    label_box = Box(top_box.right - 30 * MM, top_box.bottom, 30 * MM, top_box.height)
    heading_box = Box(top_box.left, top_box.bottom, top_box.width - 33 * MM, top_box.height)
    draw_big_number(canvas, label_box, sheet.label, sheet.heading.entry_kind or _("Pair"))
    draw_slip_heading(canvas, heading_box.inset(0, 0.5 * MM), sheet.heading)
    name_box = inner_box.without_top(_HEADING_HEIGHT).get_top_strip(_NAME_HEIGHT)
    write_text(
        canvas,
        sheet.name,
        name_box.get_top_strip(7.5 * MM),
        font=BOLD_FONT,
        size=12,
        min_size=8.5,
    )
    write_text(canvas, _describe_start(sheet), name_box.get_bottom_strip(5 * MM), size=10)
    row_height = grid.compute_row_height(
        _compute_rows_height(tile),
        len(lines) + 1,
        min_height=MIN_ROW_HEIGHT,
        max_height=_MAX_ROW_HEIGHT,
    )
    has_partners = any(line.partner for line in sheet.lines)
    rows = [*(_format_cells(line) for line in lines), _build_total_row(part_number, part_count)]
    if not has_partners:
        rows = [row[:_PARTNER_COLUMN_INDEX] + row[_PARTNER_COLUMN_INDEX + 1 :] for row in rows]
    last_rows_of_rounds = [
        index for index in range(len(lines)) if _is_last_of_round(lines, index)
    ]
    body_box = inner_box.without_top(_HEADING_HEIGHT + _NAME_HEIGHT)
    is_wide = tile.width > 150 * MM
    lower_edge = grid.draw_grid(
        canvas,
        body_box,
        _build_columns(is_wide=is_wide, has_partners=has_partners),
        rows,
        head_height=_TITLES_HEIGHT,
        row_height=row_height,
        rows_above_thick_lines=last_rows_of_rounds,
        are_cells_tagged=False,
    )
    foot_box = Box(inner_box.left, lower_edge - _FOOT_HEIGHT, inner_box.width, _FOOT_HEIGHT)
    note = _("Fill in the trump only after playing the board.")
    if part_count > 1:
        note += " " + _("Slip %(number)d of %(parts)d.") % {
            "number": part_number,
            "parts": part_count,
        }
    write_text(canvas, note, foot_box, size=7.5)


def _format_cells(line: ScoreSlipLine) -> tuple[str, ...]:
    seat_cells = (str(line.round), line.table or "–")
    if line.board is None:
        return ("–", *seat_cells, "–", "–", line.opponents or _("sit-out"), "–", "–", "–", "–")
    direction_cells = (line.direction, line.partner)
    return (str(line.board), *seat_cells, *direction_cells, line.opponents, "", "", "", "")


def _build_total_row(part_number: int, part_count: int) -> tuple[str, ...]:
    label = _("Total") if part_number == part_count else _("So far")
    return ("", "", "", "", "", label, "", "", "", "")


def _is_last_of_round(lines: Sequence[ScoreSlipLine], index: int) -> bool:
    return index + 1 == len(lines) or lines[index].round != lines[index + 1].round


def _build_columns(*, is_wide: bool, has_partners: bool) -> list[Column]:
    columns = [
        Column(_("Board"), 10, font=BOLD_FONT, size=15),
        Column(_("Round"), 8.5, size=12),
        Column(_("Table"), 8.5, size=12),
        Column(_("Side"), 9.5, size=11),
        Column(_("Partner"), 11.5, font=BOLD_FONT, size=12),
        Column(
            _("Against"),
            60 if is_wide else 13.5 if has_partners else 12.5,
            font=BOLD_FONT,
            size=12,
        ),
        Column(_("Trump"), 10),
        Column(_("Won"), 12.5, is_framed=True),
        Column(_("Lost"), 12.5, is_framed=True),
        Column(_("+/−"), 9),
    ]
    return (
        columns
        if has_partners
        else columns[:_PARTNER_COLUMN_INDEX] + columns[_PARTNER_COLUMN_INDEX + 1 :]
    )


PAPER = PaperKind(
    name="score_slips",
    title=gettext_lazy("Score slips"),
    blurb=gettext_lazy("One slip for each pair or player, for their own scores."),
    group=PaperGroup.TABLES,
    build_sheet=papers.build_score_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    table_requirement=TableRequirement(4),
    place_of_use=PlaceOfUse.TABLES,
    lay_out=lay_out_slips,
)
