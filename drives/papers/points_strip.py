"""The points of a game's contracts in small columns, for the foot or the back of a sheet."""

from collections.abc import Sequence
from math import ceil

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from drives.games.contracts import Contract, PointsTable
from drives.games.term_sentences import explain_passed_deals, list_term_sentences
from printing import grid
from printing.box import MM, Box
from printing.fonts import BOLD, LEADING_RATIO, SANS
from printing.grid import Column
from printing.text_boxes import wrap_text, write_paragraph

_STRIP_COLUMN_WIDTH, _GAP = 62 * MM, 2 * MM
_MIN_ROW_HEIGHT, _STRIP_ROW_HEIGHT, _BACK_ROW_HEIGHT = 4.2 * MM, 5.4 * MM, 6.5 * MM
_HEAD_HEIGHT = 4 * MM
_STRIP_TEXT_SIZE, _BACK_TEXT_SIZE = 8, 10
_MAX_ROWS_IN_ONE_COLUMN = 24


def compute_strip_height(table: PointsTable, width: float, space: float) -> float:
    """Return the height of the points at the foot of a sheet, at most `space`; 0: too high."""
    rows = ceil(len(table.played) / _count_strip_columns(width))
    text = _compute_text_height([explain_passed_deals(table)], width, _STRIP_TEXT_SIZE)
    fixed = _HEAD_HEIGHT + text
    row = min(_STRIP_ROW_HEIGHT, (space - fixed) / max(rows, 1))
    return fixed + rows * row if row >= _MIN_ROW_HEIGHT else 0


def draw_strip(canvas: Canvas, box: Box, table: PointsTable) -> None:
    """Draw the contracts that are played in columns, and the rule of passed deals below."""
    sentences = [explain_passed_deals(table)]
    text_height = _compute_text_height(sentences, box.width, _STRIP_TEXT_SIZE)
    rows = box.without_bottom(text_height)
    _draw_columns(canvas, rows, table, _count_strip_columns(box.width), _STRIP_ROW_HEIGHT)
    _write_sentences(canvas, box.bottom_strip(text_height - 1 * MM), sentences, 8)


def draw_back(canvas: Canvas, box: Box, table: PointsTable) -> None:
    """Draw the contracts that are played and the terms, on the back of a sheet."""
    sentences = list_term_sentences(table)
    text_height = _compute_text_height(sentences, box.width, _BACK_TEXT_SIZE)
    count = 1 if len(table.played) <= _MAX_ROWS_IN_ONE_COLUMN else 2
    rows = box.without_bottom(text_height)
    lower = _draw_columns(canvas, rows, table, count, _BACK_ROW_HEIGHT)
    text = Box(box.left, box.bottom, box.width, lower - 2 * MM - box.bottom)
    _write_sentences(canvas, text, sentences, _BACK_TEXT_SIZE)


def _draw_columns(
    canvas: Canvas, box: Box, table: PointsTable, count: int, max_row: float
) -> float:
    """Draw the contracts in `count` columns, and return the lower edge of the longest."""
    height = ceil(len(table.played) / count)
    row = grid.compute_row_height(
        box.height - _HEAD_HEIGHT, height, least=_MIN_ROW_HEIGHT, most=max_row
    )
    columns = _build_columns(grid.compute_type_size(row, most=11))
    width = (box.width - (count - 1) * _GAP) / count
    edges = [box.top]
    for at in range(count):
        part = [_format_row(each) for each in table.played[at * height : (at + 1) * height]]
        strip = Box(box.left + at * (width + _GAP), box.bottom, width, box.height)
        edges.append(
            grid.draw_grid(
                canvas, strip, columns, part, head=_HEAD_HEIGHT, row=row, title_size=7,
                tag_cells=False,
            )
        )  # fmt: skip
    return min(edges)


def _build_columns(size: float) -> list[Column]:
    return [
        Column(_("Key"), 8, font=BOLD, size=size),
        Column(_("Contract"), 31, align="left", size=size, floor=6),
        Column(_("Made"), 27, align="left", size=size, floor=6),
        Column(_("Lost"), 16, align="left", size=size, floor=6),
    ]


def _format_row(contract: Contract) -> list[str]:
    label, rule = contract.label, contract.rule
    return [
        label.key,
        str(label.local),
        _format_points(rule.made, rule.made_step),
        _format_points(rule.lost, rule.lost_step),
    ]


def _format_points(points: Sequence[int], step: int) -> str:
    """Return points and their step in few characters: "8 11 14 +3"."""
    return " ".join([*map(str, points), *([f"+{step}"] if step else [])])


def _count_strip_columns(width: float) -> int:
    return max(1, int(width / _STRIP_COLUMN_WIDTH))


def _compute_text_height(sentences: Sequence[str], width: float, size: float) -> float:
    lines = sum(len(wrap_text(each, SANS, size, width)) for each in sentences)
    return lines * size * LEADING_RATIO + 2 * MM


def _write_sentences(canvas: Canvas, box: Box, sentences: Sequence[str], size: float) -> None:
    for sentence in sentences:
        top = write_paragraph(canvas, sentence, box, size=size)
        box = Box(box.left, box.bottom, box.width, top - box.bottom)
