"""Text that fits its box: shrunk to a readable minimum, then set on more lines, never cut."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from printing import tags
from printing.box import Box
from printing.fonts import (
    CAP_HEIGHT,
    LEADING,
    SANS,
    clusters,
    enlarged,
    printable,
    runs,
    width_of,
)

Align = Literal["left", "centre", "right"]
FLOOR = 7.0  # points; smaller only if not even several lines fit
MOST_LINES = 4
WORDS_KEPT = 0.6  # of the floor; below it, words are split between letters
_PIECE = re.compile(r"[^\s\-–/]*[\s\-–/]+|[^\s\-–/]+")


def write(
    canvas: Canvas,
    text: str,
    box: Box,
    *,
    font: str = SANS,
    size: float = 10,
    align: Align = "left",
    floor: float = FLOOR,
) -> None:
    """Write a text into a box, at most `size` points high, vertically centred."""
    if not text:
        return
    lines, size = fitted(text, font, size, round(box.width, 2), round(box.height, 2), floor)
    baseline = box.middle + (len(lines) - 1) * size * LEADING / 2 - size * CAP_HEIGHT / 2
    with tags.part(canvas, "P"):
        for line in lines:
            left = box.left if align == "left" else _left(box, line, font, size, align)
            _set(canvas, line, left, baseline, font, size)
            baseline -= size * LEADING


def paragraph(
    canvas: Canvas, text: str, box: Box, *, font: str = SANS, size: float = 10
) -> float:
    """Write a text from the top of a box over as many lines as it needs; return the new top."""
    top = box.top
    with tags.part(canvas, "P"):
        for line in wrapped(text, font, size, box.width):
            _set(canvas, line, box.left, top - size, font, size)
            top -= size * LEADING
    return top


@lru_cache(maxsize=8192)
def fitted(
    text: str, font: str, size: float, width: float, height: float, floor: float
) -> tuple[tuple[str, ...], float]:
    """Return the lines of a text and the size in points at which they fit width and height."""
    text = printable(text, font)
    best: tuple[tuple[str, ...], float] = ((text,), 0.0)
    for pieces in (_words(text), clusters(text)):
        for most in range(1, MOST_LINES + 1):
            lines = _balanced(pieces, font, most)
            fits = min(size, width / _widest(lines, font), height / (LEADING * len(lines)))
            if fits >= min(floor, size):
                return lines, fits
            best = max(best, (lines, fits), key=lambda found: found[1])
        if best[1] >= floor * WORDS_KEPT:
            break
    return best


def wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    """Return the lines of a paragraph; a word too long for a line is split between letters."""
    limit = width / size
    pieces: list[str] = []
    for word in _words(printable(text, font)):
        pieces += [word] if width_of(word.rstrip(), font) <= limit else clusters(word)
    return _lines(pieces, font, limit)


def _set(
    canvas: Canvas, line: str, left: float, baseline: float, font: str, size: float
) -> None:
    pieces = runs(line, font)
    tags.note(canvas, line, round(left, 1), round(baseline, 1), font, round(size, 1))
    if len(pieces) == 1:
        canvas.setFont(pieces[0].face, size * enlarged(pieces[0].face))
        canvas.drawString(left, baseline, pieces[0].text)
        return
    text = canvas.beginText(left, baseline)
    for piece in pieces:
        text.setFont(piece.face, size * enlarged(piece.face))
        text.textOut(piece.text)
    text.textLine()  # so that a copied text has a line break too
    canvas.drawText(text)


def _words(text: str) -> list[str]:
    return _PIECE.findall(text) or [text]


def _balanced(pieces: Sequence[str], font: str, most: int) -> tuple[str, ...]:
    """Return at most `most` lines, the widest of them as narrow as possible."""
    if most == 1:
        return ("".join(pieces).strip(),)
    share = width_of("".join(pieces), font) / most
    tries = (_lines(pieces, font, share * (1 + step / 20)) for step in range(21))
    possible = [lines for lines in tries if len(lines) <= most]
    whole = ["".join(pieces).strip()]
    return tuple(min(possible, key=lambda lines: _widest(lines, font), default=whole))


def _lines(pieces: Iterable[str], font: str, limit: float) -> list[str]:
    lines = [""]
    for piece in pieces:
        if lines[-1] and width_of((lines[-1] + piece).rstrip(), font) > limit:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def _widest(lines: Iterable[str], font: str) -> float:
    return max((width_of(line, font) for line in lines), default=0.0) or 0.001


def _left(box: Box, line: str, font: str, size: float, align: Align) -> float:
    width = width_of(line, font) * size
    return box.right - width if align == "right" else box.left + (box.width - width) / 2
