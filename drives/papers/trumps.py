"""Trumps on paper: suits as symbols that stay distinct on a copier, no trumps in letters."""

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from boards.whist import Suit
from printing.box import Box
from printing.fonts import BOLD
from printing.pips import write_suit
from printing.text_boxes import write_text

_NO_TRUMPS = "N"
_MAX_SYMBOLS = 5
"""The maximum number of symbols side by side; a longer sequence shows only its cycle."""


def draw_trumps(canvas: Canvas, trumps: str, box: Box, *, size: float) -> None:
    """Write the trumps of some hands side by side in the middle of a box."""
    symbols = find_cycle(trumps)[:_MAX_SYMBOLS]
    if not symbols:
        return
    step = min(box.width / len(symbols), size * 1.05)
    left = box.left + (box.width - step * len(symbols)) / 2
    for at, letter in enumerate(symbols):
        place = Box(left + at * step, box.bottom, step, box.height)
        symbol_size = min(size, step / 0.95)
        if letter == _NO_TRUMPS:
            write_text(
                canvas,
                _("NT"),
                place,
                font=BOLD,
                size=symbol_size * 0.8,
                align="centre",
                floor=4,
            )
        else:
            write_suit(canvas, Suit(letter), place, size=symbol_size, align="centre")


def find_cycle(trumps: str) -> str:
    """Return the shortest cycle that a row of trumps repeats: HCDS of HCDSHCDS."""
    for length in range(1, len(trumps)):
        if (trumps[:length] * len(trumps))[: len(trumps)] == trumps:
            return trumps[:length]
    return trumps


def format_trumps(trumps: str) -> str:
    """Return the trumps in words, to be called out: hearts, clubs, diamonds, spades."""
    words = [
        _("no trumps") if suit == _NO_TRUMPS else Suit(suit).word for suit in find_cycle(trumps)
    ]
    return ", ".join(words)
