"""Suits and cards in black only, hearts and diamonds outlined; or in four colours."""

from reportlab.pdfgen.canvas import Canvas

from boards.whist import Card, Suit
from printing.box import Box
from printing.fonts import BOLD, SIGNS
from printing.lettering import Align, write

OUTLINED = {Suit.HEARTS: "♡", Suit.DIAMONDS: "♢"}
COLOURS = {
    Suit.SPADES: (0.0, 0.0, 0.0),
    Suit.HEARTS: (0.75, 0.07, 0.07),
    Suit.DIAMONDS: (0.07, 0.27, 0.66),
    Suit.CLUBS: (0.03, 0.42, 0.14),
}
"""Red, green and blue of each suit, dark enough to stay readable on a grey copy."""
APART = "  "
"""Separates the ranks of a hand: with the narrow space of text, 10 2 would look like 102."""


def write_suit(
    canvas: Canvas,
    suit: Suit,
    box: Box,
    *,
    size: float,
    align: Align = "left",
    four_colours: bool = False,
) -> None:
    """Write a suit's sign, in its colour or in black; the shape is clear on a copy."""
    canvas.saveState()
    if four_colours:
        canvas.setFillColorRGB(*COLOURS[suit])
    sign = suit.symbol if four_colours else OUTLINED.get(suit, suit.symbol)
    write(canvas, sign, box, font=SIGNS, size=size, align=align)
    canvas.restoreState()


def write_card(
    canvas: Canvas, card: Card, box: Box, *, size: float, four_colours: bool = False
) -> None:
    """Write a card as its suit's sign and its rank, next to each other, centred in a box."""
    left, right = box.columns(1, 1)
    write_suit(
        canvas, card.suit, left, size=size * 1.1, align="centre", four_colours=four_colours
    )
    write(canvas, card.rank.text, right, font=BOLD, size=size, align="centre")
