"""The points of a game's contracts in small columns, for the foot or the back of a sheet."""

from collections.abc import Sequence
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from reportlab.pdfgen.canvas import Canvas

from drives.games.contracts import Contract, PointsTable, format_points
from drives.games.term_sentences import explain_passed_deals, list_term_sentences
from printing import grid
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, LEADING_RATIO, SANS_FONT
from printing.grid import Column
from printing.text_boxes import wrap_text, write_paragraph

_STRIP_COLUMN_WIDTH, _GAP = 62 * MM, 2 * MM
_MIN_ROW_HEIGHT, _STRIP_ROW_HEIGHT, _BACK_ROW_HEIGHT = 4.2 * MM, 5.4 * MM, 6.5 * MM
_HEAD_HEIGHT = 4 * MM
_STRIP_TEXT_SIZE, _BACK_TEXT_SIZE = 8, 10
_MAX_ROWS_IN_ONE_COLUMN = 24


def compute_strip_height(
    points_table: PointsTable, width: float, available_height: float
) -> float:
    """Return the height that the points need at the foot of a sheet; 0 if they do not fit."""
    row_count = ceil(len(points_table.playable_contracts) / _count_strip_columns(width))
    text_height = compute_text_height(
        [explain_passed_deals(points_table)], width, _STRIP_TEXT_SIZE
    )
    fixed_height = _HEAD_HEIGHT + text_height + _GAP
    row_height = min(_STRIP_ROW_HEIGHT, (available_height - fixed_height) / max(row_count, 1))
    return fixed_height + row_count * row_height if row_height >= _MIN_ROW_HEIGHT else 0


def draw_strip(canvas: Canvas, box: Box, points_table: PointsTable) -> None:
    """Draw the contracts that may be bid in columns, and the rule for passed deals below."""
    sentences = [explain_passed_deals(points_table)]
    text_height = compute_text_height(sentences, box.width, _STRIP_TEXT_SIZE) + _GAP
    rows_box = box.exclude_bottom(text_height)
    _draw_columns(
        canvas, rows_box, points_table, _count_strip_columns(box.width), _STRIP_ROW_HEIGHT
    )
    write_sentences(
        canvas, box.get_bottom_strip(text_height - 1 * MM), sentences, _STRIP_TEXT_SIZE
    )


def draw_sheet_back(canvas: Canvas, box: Box, points_table: PointsTable) -> None:
    """Draw the contracts that may be bid and the other rules on the back of a sheet."""
    sentences = list_term_sentences(points_table)
    text_height = compute_text_height(sentences, box.width, _BACK_TEXT_SIZE) + _GAP
    column_count = 1 if len(points_table.playable_contracts) <= _MAX_ROWS_IN_ONE_COLUMN else 2
    rows_box = box.exclude_bottom(text_height)
    lower_edge = _draw_columns(canvas, rows_box, points_table, column_count, _BACK_ROW_HEIGHT)
    text_box = Box(box.left, box.bottom, box.width, lower_edge - 2 * MM - box.bottom)
    write_sentences(canvas, text_box, sentences, _BACK_TEXT_SIZE)


def _draw_columns(
    canvas: Canvas,
    box: Box,
    points_table: PointsTable,
    column_count: int,
    max_row_height: float,
) -> float:
    """Draw the contracts in columns; return the lower edge of the longest column."""
    row_count = ceil(len(points_table.playable_contracts) / column_count)
    row_height = grid.compute_row_height(
        box.height - _HEAD_HEIGHT,
        row_count,
        min_height=_MIN_ROW_HEIGHT,
        max_height=max_row_height,
    )
    columns = _build_columns(grid.compute_type_size(row_height, max_size=11))
    column_width = (box.width - (column_count - 1) * _GAP) / column_count
    lower_edges = [box.top]
    for column_index in range(column_count):
        column_rows = [
            _format_row(contract)
            for contract in points_table.playable_contracts[
                column_index * row_count : (column_index + 1) * row_count
            ]
        ]
        column_box = Box(
            box.left + column_index * (column_width + _GAP),
            box.bottom,
            column_width,
            box.height,
        )
        lower_edges.append(
            grid.draw_grid(
                canvas, column_box, columns, column_rows,
                head_height=_HEAD_HEIGHT, row_height=row_height, title_size=7,
                are_cells_tagged=False,
            )
        )  # fmt: skip
    return min(lower_edges)


def _build_columns(type_size: float) -> list[Column]:
    return [
        Column(_("Key"), 11, font=BOLD_FONT, size=type_size),
        Column(_("Contract"), 30, align="left", size=type_size, min_size=6),
        Column(_("Made"), 25, align="left", size=type_size, min_size=6),
        Column(pgettext("contract", "Lost"), 16, align="left", size=type_size, min_size=6),
    ]


def _format_row(contract: Contract) -> list[str]:
    label, rule = contract.label, contract.rule
    return [
        label.key,
        str(label.local),
        format_points(rule.made, rule.made_step),
        format_points(rule.lost, rule.lost_step),
    ]


def _count_strip_columns(width: float) -> int:
    return max(1, int(width / _STRIP_COLUMN_WIDTH))


def compute_text_height(sentences: Sequence[str], width: float, type_size: float) -> float:
    """Return the height that `write_sentences` needs."""
    line_count = sum(
        len(wrap_text(sentence, SANS_FONT, type_size, width)) for sentence in sentences
    )
    return line_count * type_size * LEADING_RATIO


def write_sentences(
    canvas: Canvas, box: Box, sentences: Sequence[str], type_size: float
) -> None:
    """Write each sentence as a paragraph, one below the other."""
    for sentence in sentences:
        upper_edge = write_paragraph(canvas, sentence, box, size=type_size)
        box = Box(box.left, box.bottom, box.width, upper_edge - box.bottom)
