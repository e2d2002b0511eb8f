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


def draw_pdf(score_slips: Sequence[ScoreSlip], *, paper_size: paper.Size = "A4") -> bytes:
    """Print a slip for each pair: four to a page if the boards fit, else two, side by side.

    Rows fill the slip and are 8 mm high if they fit, never less than 6 mm; a longer slip
    continues on a second. Slips with opponents' names instead of numbers take a page's whole
    width.
    """
    canvas = paper.start_canvas(
        paper_size, _("Score slips"), [score_slip.heading for score_slip in score_slips]
    )
    return layout.draw_slips(
        canvas,
        paper.get_page_box(paper_size),
        lay_out_slips(score_slips, paper_size=paper_size),
    )


def lay_out_slips(score_slips: Sequence[ScoreSlip], *, paper_size: paper.Size) -> SlipLayout:
    """Return the slips to print, each with the table at which the pair starts."""
    page = paper.get_page_box(paper_size)
    column_count = 1 if any(_needs_wide_slip(score_slip) for score_slip in score_slips) else 2
    max_line_count = max(len(score_slip.lines) for score_slip in score_slips)
    slips_per_column = (
        2
        if _compute_rows_height(page.split_tiles(column_count, 2)[0])
        >= (max_line_count + 1) * PREFERRED_ROW_HEIGHT
        else 1
    )
    max_rows = (
        int(
            _compute_rows_height(page.split_tiles(column_count, slips_per_column)[0])
            / MIN_ROW_HEIGHT
        )
        - 1
    )
    return SlipLayout(
        column_count,
        slips_per_column,
        tuple(
            Slip(
                (score_slip.heading.section_letter, score_slip.first_table_number),
                partial(_draw_slip, slip_part),
            )
            for score_slip in score_slips
            for slip_part in _split_into_slips(score_slip, max_rows)
        ),
    )


def _needs_wide_slip(score_slip: ScoreSlip) -> bool:
    return any(
        len(line.opponents) > _MAX_NARROW_LABEL_LETTERS
        for line in score_slip.lines
        if line.board_number
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


def _split_into_slips(score_slip: ScoreSlip, max_rows: int) -> list[_SlipPart]:
    lines_by_part = grid.split_rows(score_slip.lines, max_rows)
    return [
        (score_slip, part_lines, part_number, len(lines_by_part))
        for part_number, part_lines in enumerate(lines_by_part, start=1)
    ]


def _describe_start(score_slip: ScoreSlip) -> str:
    if score_slip.start_seat_text and score_slip.start_round_number == 1:
        return _("Starts at %(place)s") % {"place": score_slip.start_seat_text}
    return score_slip.start_text[:1].upper() + score_slip.start_text[1:]


def _draw_slip(slip_part: _SlipPart, canvas: Canvas, tile: Box) -> None:
    score_slip, slip_lines, part_number, part_count = slip_part
    inner_box = tile.inset(_SLIP_MARGIN)
    top_box = inner_box.get_top_strip(_HEADING_HEIGHT)
    label_box = Box(top_box.right - 30 * MM, top_box.bottom, 30 * MM, top_box.height)
    heading_box = Box(top_box.left, top_box.bottom, top_box.width - 33 * MM, top_box.height)
    draw_big_number(
        canvas, label_box, score_slip.label, score_slip.heading.entry_kind or _("Pair")
    )
    draw_slip_heading(canvas, heading_box.inset(0, 0.5 * MM), score_slip.heading)
    name_box = inner_box.exclude_top(_HEADING_HEIGHT).get_top_strip(_NAME_HEIGHT)
    write_text(
        canvas,
        score_slip.name,
        name_box.get_top_strip(7.5 * MM),
        font=BOLD_FONT,
        size=12,
        min_size=8.5,
    )
    write_text(canvas, _describe_start(score_slip), name_box.get_bottom_strip(5 * MM), size=10)
    row_height = grid.compute_row_height(
        _compute_rows_height(tile),
        len(slip_lines) + 1,
        min_height=MIN_ROW_HEIGHT,
        max_height=_MAX_ROW_HEIGHT,
    )
    has_partners = any(line.partner for line in score_slip.lines)
    rows = [
        *(_format_cells(line) for line in slip_lines),
        _build_total_row(part_number, part_count),
    ]
    if not has_partners:
        rows = [row[:_PARTNER_COLUMN_INDEX] + row[_PARTNER_COLUMN_INDEX + 1 :] for row in rows]
    last_rows_of_rounds = [
        index for index in range(len(slip_lines)) if _is_last_line_of_round(slip_lines, index)
    ]
    body_box = inner_box.exclude_top(_HEADING_HEIGHT + _NAME_HEIGHT)
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
    footnote = _("Fill in the trump only after playing the board.")
    if part_count > 1:
        footnote += " " + _("Slip %(number)d of %(parts)d.") % {
            "number": part_number,
            "parts": part_count,
        }
    write_text(canvas, footnote, foot_box, size=7.5)


def _format_cells(line: ScoreSlipLine) -> tuple[str, ...]:
    seat_cells = (str(line.round_number), line.table_label or "–")
    if line.board_number is None:
        return ("–", *seat_cells, "–", "–", line.opponents or _("sit-out"), "–", "–", "–", "–")
    direction_cells = (line.direction, line.partner)
    return (
        str(line.board_number),
        *seat_cells,
        *direction_cells,
        line.opponents,
        "",
        "",
        "",
        "",
    )


def _build_total_row(part_number: int, part_count: int) -> tuple[str, ...]:
    total_label = _("Total") if part_number == part_count else _("So far")
    return ("", "", "", "", "", total_label, "", "", "", "")


def _is_last_line_of_round(slip_lines: Sequence[ScoreSlipLine], index: int) -> bool:
    return (
        index + 1 == len(slip_lines)
        or slip_lines[index].round_number != slip_lines[index + 1].round_number
    )


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


PAPER_KIND = PaperKind(
    name="score_slips",
    title=gettext_lazy("Score slips"),
    blurb=gettext_lazy("One slip for each pair or player, for their own scores."),
    group=PaperGroup.TABLES,
    build_sheet=papers.build_score_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    table_requirement=TableRequirement(4),
    place_of_use=PlaceOfUse.TABLES,
    lay_out=lay_out_slips,
)
