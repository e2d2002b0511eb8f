"""Suits and cards in black alone: hearts and diamonds outlined, spades and clubs solid."""

from reportlab.pdfgen.canvas import Canvas

from boards.whist import Card, Suit
from scoring.printing.box import Box
from scoring.printing.fonts import BOLD, SANS
from scoring.printing.lettering import Align, write

OUTLINED = frozenset({Suit.HEARTS, Suit.DIAMONDS})


def write_suit(
    canvas: Canvas, suit: Suit, box: Box, *, size: float, align: Align = "left"
) -> None:
    """Write a suit's sign; a copier leaves its shape."""
    canvas.setLineWidth(max(0.5, size / 36))
    outline = suit in OUTLINED
    write(canvas, suit.symbol, box, font=SANS, size=size, align=align, outline=outline)


def write_card(canvas: Canvas, card: Card, box: Box, *, size: float) -> None:
    """Write a card as its suit's sign and its rank, side by side in the middle of a box."""
    left, right = box.columns(1, 1)
    write_suit(canvas, card.suit, left, size=size * 1.1, align="centre")
    write(canvas, card.rank.text, right, font=BOLD, size=size, align="centre")
