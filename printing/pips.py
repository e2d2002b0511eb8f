"""Draws suits and cards in black, with red suits as outlines, or in four colours."""

from reportlab.pdfgen.canvas import Canvas

from boards.whist import Card, Suit
from printing.box import Box
from printing.fonts import BOLD_FONT, SYMBOL_FONT
from printing.text_boxes import Align, write_text

OUTLINED_SUIT_SYMBOLS = {Suit.HEARTS: "♡", Suit.DIAMONDS: "♢"}
SUIT_COLOURS = {
    Suit.SPADES: (0.0, 0.0, 0.0),
    Suit.HEARTS: (0.75, 0.07, 0.07),
    Suit.DIAMONDS: (0.07, 0.27, 0.66),
    Suit.CLUBS: (0.03, 0.42, 0.14),
}
"""Red, green and blue of each suit, dark enough to stay readable on a grey copy."""
RANK_SEPARATOR = "  "
"""Separates the ranks of a hand, because with a narrow space 10 2 would look like 102."""


def write_suit(
    canvas: Canvas,
    suit: Suit,
    box: Box,
    *,
    size: float,
    align: Align = "left",
    has_four_colours: bool = False,
) -> None:
    """Write a suit symbol in its colour, or in black, where red suits are outlines."""
    canvas.saveState()
    if has_four_colours:
        canvas.setFillColorRGB(*SUIT_COLOURS[suit])
    symbol = suit.symbol if has_four_colours else OUTLINED_SUIT_SYMBOLS.get(suit, suit.symbol)
    write_text(canvas, symbol, box, font=SYMBOL_FONT, size=size, align=align)
    canvas.restoreState()


def write_card(
    canvas: Canvas, card: Card, box: Box, *, size: float, has_four_colours: bool = False
) -> None:
    """Write a card as its suit's sign and its rank, next to each other, centred in a box."""
    left, right = box.split_columns(1, 1)
    write_suit(
        canvas,
        card.suit,
        left,
        size=size * 1.1,
        align="centre",
        has_four_colours=has_four_colours,
    )
    write_text(canvas, card.rank.text, right, font=BOLD_FONT, size=size, align="centre")
