"""Trumps on paper: suits as symbols that stay distinct on a copier, no trumps in letters."""

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from boards.whist import Suit
from printing.box import Box
from printing.fonts import BOLD
from printing.pips import write_suit
from printing.text_boxes import write_text

_NONE = "N"
_MOST = 5
"""The maximum of symbols side by side; a longer row is shown by its repeated cycle."""


def write_trumps(canvas: Canvas, trumps: str, box: Box, *, size: float) -> None:
    """Write the trumps of some hands side by side in the middle of a box."""
    shown = cycle_of(trumps)[:_MOST]
    if not shown:
        return
    step = min(box.width / len(shown), size * 1.05)
    left = box.left + (box.width - step * len(shown)) / 2
    for at, letter in enumerate(shown):
        place = Box(left + at * step, box.bottom, step, box.height)
        fits = min(size, step / 0.95)
        if letter == _NONE:
            write_text(
                canvas, _("NT"), place, font=BOLD, size=fits * 0.8, align="centre", floor=4
            )
        else:
            write_suit(canvas, Suit(letter), place, size=fits, align="centre")


def cycle_of(trumps: str) -> str:
    """Return the shortest cycle that a row of trumps repeats: HCDS of HCDSHCDS."""
    for length in range(1, len(trumps)):
        if (trumps[:length] * len(trumps))[: len(trumps)] == trumps:
            return trumps[:length]
    return trumps


def trump_words(trumps: str) -> str:
    """Return the trumps in words, to be called out: hearts, clubs, diamonds, spades."""
    words = [_("no trumps") if each == _NONE else Suit(each).word for each in cycle_of(trumps)]
    return ", ".join(words)
