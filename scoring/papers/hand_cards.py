"""Cards with one hand: curtain cards for the pockets of boards, and record cards for memory
duplicate.

A record card is five inches by three, suits in the order spades, hearts, diamonds, clubs. The
dealer's card names the dealer and the exact card turned.

Source: *The Standard Hoyle*, Duplicate Whist; rules Q3.
"""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from boards.whist import Suit
from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.headings import format_seat
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.pips import RANK_SEPARATOR, write_card, write_suit
from printing.text_boxes import write_text
from scoring.papers.conditions import is_memory_duplicate
from scoring.sheets import trays
from scoring.sheets.trays import HandCard

POINTS_PER_INCH = 72.0
CURTAIN_CARDS_PER_ROW, CURTAIN_CARDS_PER_COLUMN = 4, 5


def draw_curtain_cards_pdf(
    hand_cards: Sequence[HandCard], *, paper_size: paper.Size = "A4"
) -> bytes:
    """Print curtain cards, a board's four side by side, with cutting marks."""
    canvas = paper.start_canvas(
        paper_size, _("Curtain cards"), [hand_card.heading for hand_card in hand_cards]
    )
    page = paper.get_page_box(paper_size)
    draw_card = partial(_draw_hand_card, canvas)
    paper.draw_slips(
        canvas,
        page,
        hand_cards,
        draw_card,
        column_count=CURTAIN_CARDS_PER_ROW,
        row_count=CURTAIN_CARDS_PER_COLUMN,
    )
    return paper.finish_canvas(canvas)


def draw_record_cards_pdf(
    hand_cards: Sequence[HandCard], *, paper_size: paper.Size = "A4"
) -> bytes:
    """Print record cards of five by three inches, four to a landscape page."""
    canvas = paper.start_canvas(
        paper_size,
        _("Hand record cards"),
        [hand_card.heading for hand_card in hand_cards],
        is_landscape=True,
    )
    page = paper.get_page_box(paper_size, is_landscape=True)
    width, height = 10 * POINTS_PER_INCH, 6 * POINTS_PER_INCH
    cards_box = Box((page.width - width) / 2, (page.height - height) / 2, width, height)
    for start_index in range(0, len(hand_cards), 4):
        for hand_card, tile in zip(
            hand_cards[start_index:], cards_box.split_tiles(2, 2), strict=False
        ):
            canvas.setLineWidth(paper.HAIRLINE_POINTS)
            canvas.rect(tile.left, tile.bottom, tile.width, tile.height)
            _draw_hand_card(canvas, hand_card, tile)
        canvas.showPage()
    return paper.finish_canvas(canvas)


def _draw_hand_card(canvas: Canvas, hand_card: HandCard, tile: Box) -> None:
    inner_box = tile.inset(4 * MM)
    heading_box = inner_box.get_top_strip(7 * MM)
    board_text = _("Board %(number)d") % {"number": hand_card.board_number}
    left_box, right_box = heading_box.split_columns(3, 2)
    with tags.open_element(canvas, "H1"):
        write_text(canvas, board_text, left_box, font=BOLD_FONT, size=12)
        write_text(
            canvas,
            format_seat(hand_card.seat),
            right_box,
            font=BOLD_FONT,
            size=12,
            align="right",
        )
    body_box = inner_box.exclude_top(7 * MM)
    for heading_text, type_size in ((hand_card.player_name, 11), (hand_card.title, 9)):
        if heading_text:
            write_text(canvas, heading_text, body_box.get_top_strip(5 * MM), size=type_size)
            body_box = body_box.exclude_top(5 * MM)
    _draw_suits(canvas, hand_card, body_box.exclude_bottom(9 * MM))
    _draw_foot(canvas, hand_card, body_box.get_bottom_strip(9 * MM))


def _draw_suits(canvas: Canvas, hand_card: HandCard, box: Box) -> None:
    type_size = min(16.0, box.height / 4 * 0.75)
    for suit, line_box in zip(Suit, box.split_tiles(1, 4), strict=True):
        suit_box = Box(line_box.left, line_box.bottom, 7 * MM, line_box.height)
        cards_box = Box(
            suit_box.right, line_box.bottom, line_box.right - suit_box.right, line_box.height
        )
        ranks = RANK_SEPARATOR.join(
            card.rank.text for card in hand_card.cards if card.suit is suit
        )
        with tags.open_element(canvas, "P"):
            write_suit(canvas, suit, suit_box, size=type_size)
            write_text(canvas, ranks or "–", cards_box, size=type_size, min_size=5)


def _draw_foot(canvas: Canvas, hand_card: HandCard, box: Box) -> None:
    if hand_card.turn_up is None:
        dealer_text = _("%(seat)s deals") % {"seat": format_seat(hand_card.dealer)}
        if not hand_card.trumps:
            write_text(canvas, dealer_text, box, size=9)
            return
        write_text(canvas, dealer_text, box.get_top_strip(box.height / 2), size=9)
        write_text(
            canvas, hand_card.trumps, box.get_bottom_strip(box.height / 2), size=9, min_size=6
        )
        return
    words_box, card_box = box.split_columns(2, 1)
    text_box = Box(words_box.left, words_box.bottom, words_box.width - 2 * MM, words_box.height)
    write_text(canvas, _("Dealer. Turn-up"), text_box, font=BOLD_FONT, size=10)
    with tags.open_element(canvas, "P"):
        write_card(canvas, hand_card.turn_up, card_box, size=14)
    canvas.setLineWidth(paper.THIN_LINE_POINTS)
    canvas.rect(
        card_box.left, card_box.bottom + 0.5 * MM, card_box.width, card_box.height - 1 * MM
    )


CURTAIN_CARDS = PaperKind(
    name="curtain_cards",
    title=gettext_lazy("Curtain cards"),
    blurb=gettext_lazy("One card per hand, kept in its pocket to check or restore the cards."),
    group=PaperGroup.TRAYS,
    build_sheet=trays.build_curtain_cards,
    draw_pdf=draw_curtain_cards_pdf,
    shown_cards=ShownCards.TURN_UPS,
    outdating_changes=OutdatingChanges.SUITS,
    is_on_request=True,
)

HAND_RECORD_CARDS = PaperKind(
    name="memory_cards",
    title=gettext_lazy("Hand record cards"),
    blurb=gettext_lazy("One card per player and board, to keep until the second play."),
    group=PaperGroup.TRAYS,
    build_sheet=trays.build_memory_cards,
    draw_pdf=draw_record_cards_pdf,
    shown_cards=ShownCards.TURN_UPS,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES | OutdatingChanges.SUITS,
    is_on_request=True,
    is_offered=is_memory_duplicate,
)
