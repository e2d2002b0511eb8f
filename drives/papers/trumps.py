"""Draws trump suits as symbols that can be distinguished on a black-and-white copy.

"No trumps" is printed as letters.
"""

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from boards.whist import Suit
from printing.box import Box
from printing.fonts import BOLD_FONT
from printing.pips import write_suit
from printing.text_boxes import write_text

_NO_TRUMPS = "N"
_MAX_SYMBOLS = 5
"""The maximum number of symbols side by side."""


def draw_trumps(canvas: Canvas, trumps: str, box: Box, *, size: float) -> None:
    """Draw the trumps of several hands side by side in the middle of a box.

    If they repeat a cycle, only one cycle is drawn.
    """
    suit_letters = find_cycle(trumps)[:_MAX_SYMBOLS]
    if not suit_letters:
        return
    symbol_distance = min(box.width / len(suit_letters), size * 1.05)
    left = box.left + (box.width - symbol_distance * len(suit_letters)) / 2
    for index, suit_letter in enumerate(suit_letters):
        symbol_box = Box(
            left + index * symbol_distance, box.bottom, symbol_distance, box.height
        )
        symbol_size = min(size, symbol_distance / 0.95)
        if suit_letter == _NO_TRUMPS:
            write_text(
                canvas,
                _("NT"),
                symbol_box,
                font=BOLD_FONT,
                size=symbol_size * 0.8,
                align="centre",
                min_size=4,
            )
        else:
            write_suit(canvas, Suit(suit_letter), symbol_box, size=symbol_size, align="centre")


def find_cycle(trumps: str) -> str:
    """Return the shortest cycle that a sequence of trumps repeats, e.g. HCDS for HCDSHCDS."""
    for cycle_length in range(1, len(trumps)):
        if (trumps[:cycle_length] * len(trumps))[: len(trumps)] == trumps:
            return trumps[:cycle_length]
    return trumps


def format_trumps(trumps: str) -> str:
    """Return the trumps of several hands in words, e.g. "hearts, clubs, diamonds, spades"."""
    suit_names = [
        _("no trumps") if suit_letter == _NO_TRUMPS else Suit(suit_letter).word
        for suit_letter in find_cycle(trumps)
    ]
    return ", ".join(suit_names)
