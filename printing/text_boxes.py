"""Fits text into a box: in smaller type down to a readable minimum, then on more lines.

Text is never cut off.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from printing import tags
from printing.box import Box
from printing.fonts import (
    CAP_HEIGHT_RATIO,
    LEADING_RATIO,
    SANS_FONT,
    get_scale_factor,
    measure_width,
    replace_unprintable,
    split_into_graphemes,
    split_into_runs,
)

Align = Literal["left", "centre", "right"]
MIN_TYPE_SIZE = 7.0  # in points; type is smaller only if even `MAX_LINES` lines do not fit
MAX_LINES = 4
WHOLE_WORDS_RATIO = 0.6  # below this share of the minimum size, words are split
_WORD_PATTERN = re.compile(r"[^\s\-–/]*[\s\-–/]+|[^\s\-–/]+")


def write_text(
    canvas: Canvas,
    text: str,
    box: Box,
    *,
    font: str = SANS_FONT,
    size: float = 10,
    align: Align = "left",
    min_size: float = MIN_TYPE_SIZE,
) -> None:
    """Write a text vertically centred into a box, in type of at most `size` points."""
    if not text:
        return
    lines, size = fit_text(
        text, font, size, round(box.width, 2), round(box.height, 2), min_size
    )
    baseline = (
        box.middle_y + (len(lines) - 1) * size * LEADING_RATIO / 2 - size * CAP_HEIGHT_RATIO / 2
    )
    with tags.open_element(canvas, "P"):
        for line in lines:
            left = (
                box.left
                if align == "left"
                else _compute_line_left(box, line, font, size, align)
            )
            _write_line(canvas, line, left, baseline, font, size)
            baseline -= size * LEADING_RATIO


def write_paragraph(
    canvas: Canvas, text: str, box: Box, *, font: str = SANS_FONT, size: float = 10
) -> float:
    """Write a text from the top of a box on as many lines as needed.

    Returns the y coordinate below the last line.
    """
    top = box.top
    with tags.open_element(canvas, "P"):
        for line in wrap_text(text, font, size, box.width):
            _write_line(canvas, line, box.left, top - size, font, size)
            top -= size * LEADING_RATIO
    return top


@lru_cache(maxsize=8192)
def fit_text(
    text: str, font: str, size: float, width: float, height: float, min_size: float
) -> tuple[tuple[str, ...], float]:
    """Return the lines of a text and the size in points at which they fit width and height."""
    text = replace_unprintable(text, font)
    best_fit: tuple[tuple[str, ...], float] = ((text,), 0.0)
    for text_pieces in (_split_words(text), split_into_graphemes(text)):
        for line_limit in range(1, MAX_LINES + 1):
            lines = _balance_lines(text_pieces, font, line_limit)
            fitting_size = min(
                size,
                width / _measure_widest_line(lines, font),
                height / (LEADING_RATIO * len(lines)),
            )
            if fitting_size >= min(min_size, size):
                return lines, fitting_size
            best_fit = max(best_fit, (lines, fitting_size), key=lambda candidate: candidate[1])
        if best_fit[1] >= min_size * WHOLE_WORDS_RATIO:
            break
    return best_fit


def wrap_text(text: str, font: str, size: float, width: float) -> list[str]:
    """Return the lines of a paragraph; a word too long for a line is split between letters."""
    max_width = width / size
    words: list[str] = []
    for word in _split_words(replace_unprintable(text, font)):
        words += (
            [word]
            if measure_width(word.rstrip(), font) <= max_width
            else split_into_graphemes(word)
        )
    return _break_lines(words, font, max_width)


def _write_line(
    canvas: Canvas, line_text: str, left: float, baseline: float, font: str, size: float
) -> None:
    runs = split_into_runs(line_text, font)
    tags.add_to_digest(
        canvas, line_text, round(left, 1), round(baseline, 1), font, round(size, 1)
    )
    if len(runs) == 1:
        canvas.setFont(runs[0].face, size * get_scale_factor(runs[0].face))
        canvas.drawString(left, baseline, runs[0].text)
        return
    text_object = canvas.beginText(left, baseline)
    for run in runs:
        text_object.setFont(run.face, size * get_scale_factor(run.face))
        text_object.textOut(run.text)
    text_object.textLine()  # copied text then has a line break too
    canvas.drawText(text_object)


def _split_words(text: str) -> list[str]:
    return _WORD_PATTERN.findall(text) or [text]


def _balance_lines(text_pieces: Sequence[str], font: str, max_lines: int) -> tuple[str, ...]:
    """Break words into at most `max_lines` lines; the widest line is as narrow as possible."""
    if max_lines == 1:
        return ("".join(text_pieces).strip(),)
    line_width = measure_width("".join(text_pieces), font) / max_lines
    candidate_layouts = (
        _break_lines(text_pieces, font, line_width * (1 + width_step / 20))
        for width_step in range(21)
    )
    fitting_layouts = [lines for lines in candidate_layouts if len(lines) <= max_lines]
    single_line = ["".join(text_pieces).strip()]
    return tuple(
        min(
            fitting_layouts,
            key=lambda lines: _measure_widest_line(lines, font),
            default=single_line,
        )
    )


def _break_lines(text_pieces: Iterable[str], font: str, max_width: float) -> list[str]:
    lines = [""]
    for text_piece in text_pieces:
        if lines[-1] and measure_width((lines[-1] + text_piece).rstrip(), font) > max_width:
            lines.append("")
        lines[-1] += text_piece
    return [line.strip() for line in lines]


def _measure_widest_line(lines: Iterable[str], font: str) -> float:
    return max((measure_width(line, font) for line in lines), default=0.0) or 0.001


def _compute_line_left(box: Box, line_text: str, font: str, size: float, align: Align) -> float:
    width = measure_width(line_text, font) * size
    return box.right - width if align == "right" else box.left + (box.width - width) / 2
