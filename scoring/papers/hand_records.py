"""Hand records: the deals of a session, six to a page, to be read after play.

The dealer's letter is framed, and so is the turn-up in the dealer's hand.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from boards import solver
from boards.whist import Card, Deal, Seat, Suit
from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, SANS_FONT, measure_width
from printing.headings import format_date_and_session, format_seat
from printing.kinds import KindChoice, OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.pips import RANK_SEPARATOR, write_card, write_suit
from printing.text_boxes import write_text
from scoring.sheets import records
from scoring.sheets.values import Traveller

_SLIP_MARGIN = 6 * MM
_HEADING_HEIGHT = 11 * MM
_FOOT_HEIGHT = 10 * MM
_TYPE_SIZE = 10.0
_SEAT_STRIP_WIDTH = 4.2 * MM  # the edge of the table, with the letter of a seat


def draw_pdf(
    travellers: Sequence[Traveller],
    *,
    paper_size: paper.Size = "A4",
    has_four_colours: bool = False,
) -> bytes:
    """Print the hands of some boards with best play, and how often each result was made.

    If a board was redealt and the new hands are unknown, a sentence is printed instead.
    """
    canvas = paper.start_canvas(
        paper_size, _("Hand records"), [traveller.heading for traveller in travellers]
    )
    page = paper.get_page_box(paper_size)
    draw_record = partial(_draw_record, canvas, has_four_colours)
    paper.draw_slips(canvas, page, travellers, draw_record, column_count=2, row_count=3)
    return paper.finish_canvas(canvas)


draw_four_colour_pdf = partial(draw_pdf, has_four_colours=True)


def format_result_counts(traveller: Traveller) -> str:
    """Return how often N-S took each number of tricks: N-S made 7 (2), 8 (3)."""
    counts_by_tricks = Counter(
        line.ns_tricks for line in traveller.lines if line.ns_tricks is not None
    )
    if not counts_by_tricks:
        return ""
    result_text = ", ".join(
        f"{tricks} ({counts_by_tricks[tricks]})" for tricks in sorted(counts_by_tricks)
    )
    return _("N-S tricks, and how often: %(made)s") % {"made": result_text}


def format_best_play(traveller: Traveller) -> str:
    """Return best play as text: "Best play: N-S 8, E-W 5".

    If tables declare trumps, the text has the N-S tricks for each suit instead.
    """
    if traveller.best_ns_tricks is not None:
        placeholders = {"ns": traveller.best_ns_tricks, "ew": 13 - traveller.best_ns_tricks}
        return _("Best play: N-S %(ns)d, E-W %(ew)d") % placeholders
    tricks_by_suit_text = ", ".join(
        f"{suit.symbol} {tricks}" for suit, tricks in traveller.best_by_suit
    )
    return _("Best play, N-S tricks by trumps: %(each)s") % {"each": tricks_by_suit_text}


def _format_second_suits(traveller: Traveller) -> str:
    """Return which suit becomes which in the second play: "Second play: ♠ → ♥, ..."; or ""."""
    if not traveller.second_suits:
        return ""
    return _("Second play: %(suits)s") % {"suits": traveller.second_suits_text}


def _draw_record(
    canvas: Canvas, has_four_colours: bool, traveller: Traveller, tile: Box
) -> None:
    inner_box = tile.inset(_SLIP_MARGIN)
    _draw_heading(canvas, traveller, inner_box.get_top_strip(_HEADING_HEIGHT - 1.5 * MM))
    body_box = inner_box.exclude_top(_HEADING_HEIGHT)
    if traveller.deal is None:
        message = _("This board was redealt. The new hands aren’t known.")
        write_text(
            canvas, message, body_box.exclude_bottom(_FOOT_HEIGHT), size=11, align="centre"
        )
    else:
        _draw_hands(
            canvas, has_four_colours, traveller.deal, body_box.exclude_bottom(_FOOT_HEIGHT)
        )
    foot_box = inner_box.get_bottom_strip(_FOOT_HEIGHT)
    if traveller.shown_best_tricks is not None:
        write_text(
            canvas,
            format_best_play(traveller),
            foot_box.get_top_strip(_FOOT_HEIGHT / 2),
            font=BOLD_FONT,
            size=9,
            min_size=6,
        )
    elif traveller.deal is not None and not traveller.is_in_points:
        write_text(
            canvas,
            solver.get_missing_solver_message(),
            foot_box.get_top_strip(_FOOT_HEIGHT / 2),
            size=8.5,
            min_size=6,
        )
    second_suits_text = _format_second_suits(traveller) if traveller.deal is not None else ""
    footer_text = " · ".join(
        text for text in (format_result_counts(traveller), second_suits_text) if text
    )
    write_text(
        canvas, footer_text, foot_box.get_bottom_strip(_FOOT_HEIGHT / 2), size=8.5, min_size=6
    )


def _draw_heading(canvas: Canvas, traveller: Traveller, box: Box) -> None:
    left_box, right_box = box.split_columns(2, 3)
    board_text = _("Board %(number)d") % {"number": traveller.board}
    with tags.open_element(canvas, "H1"):
        write_text(canvas, board_text, left_box, font=BOLD_FONT, size=16)
    heading = traveller.heading
    write_text(
        canvas,
        heading.event_name,
        right_box.get_top_strip(box.height / 2),
        size=8,
        align="right",
        min_size=6,
    )
    write_text(
        canvas,
        format_date_and_session(heading),
        right_box.get_bottom_strip(box.height / 2),
        size=8,
        align="right",
        min_size=5,
    )
    canvas.setLineWidth(paper.THIN_LINE_POINTS)
    canvas.line(box.left, box.bottom, box.right, box.bottom)


def _draw_hands(canvas: Canvas, has_four_colours: bool, deal: Deal, box: Box) -> None:
    left_box, middle_box, right_box = box.split_columns(1, 1, 1)
    hand_height = box.height / 3
    hand_box_by_seat = {
        Seat.NORTH: middle_box.get_top_strip(hand_height),
        Seat.SOUTH: middle_box.get_bottom_strip(hand_height),
        Seat.WEST: left_box.exclude_top(hand_height).exclude_bottom(hand_height),
        Seat.EAST: right_box.exclude_top(hand_height).exclude_bottom(hand_height),
    }
    table_area = middle_box.exclude_top(hand_height).exclude_bottom(hand_height)
    table_square, letter_box_by_seat = _compute_table_boxes(table_area)
    with tags.open_element(canvas, "Table"):
        for seat in Seat:
            with tags.open_element(canvas, "TR"):
                with tags.open_element(canvas, "TH", tags.ROW_SCOPE):
                    seat_letter = format_seat(seat)[:1]
                    write_text(
                        canvas,
                        seat_letter,
                        letter_box_by_seat[seat],
                        font=BOLD_FONT,
                        size=9,
                        align="centre",
                    )
                _draw_hand(
                    canvas, has_four_colours, deal, seat, hand_box_by_seat[seat].inset(1 * MM)
                )
    _draw_table(canvas, has_four_colours, deal, table_square, letter_box_by_seat[deal.dealer])
    dealer_text = _("Dealer %(seat)s") % {"seat": format_seat(deal.dealer)}
    corner_box = right_box.get_top_strip(hand_height).inset(1 * MM)
    write_text(
        canvas,
        dealer_text,
        corner_box.get_top_strip(5 * MM),
        font=BOLD_FONT,
        size=9,
        align="right",
    )
    lead_text = _("%(seat)s leads") % {"seat": format_seat(deal.leader)}
    write_text(
        canvas,
        lead_text,
        corner_box.exclude_top(5 * MM).get_top_strip(5 * MM),
        size=9,
        align="right",
    )


def _compute_table_boxes(box: Box) -> tuple[Box, dict[Seat, Box]]:
    """Return the square of the table between the hands, and the box of each seat's letter."""
    side_length = min(box.width, box.height) - 2 * MM
    table_square = Box(
        box.left + (box.width - side_length) / 2,
        box.middle_y - side_length / 2,
        side_length,
        side_length,
    )
    inner_square, strip_width = table_square.inset(_SEAT_STRIP_WIDTH), _SEAT_STRIP_WIDTH
    return table_square, {
        Seat.NORTH: Box(inner_square.left, inner_square.top, inner_square.width, strip_width),
        Seat.SOUTH: Box(
            inner_square.left, table_square.bottom, inner_square.width, strip_width
        ),
        Seat.WEST: Box(
            table_square.left, inner_square.bottom, strip_width, inner_square.height
        ),
        Seat.EAST: Box(
            inner_square.right, inner_square.bottom, strip_width, inner_square.height
        ),
    }


def _draw_table(
    canvas: Canvas, has_four_colours: bool, deal: Deal, table_square: Box, dealer_box: Box
) -> None:
    """Draw the table with the dealer's letter framed, and the turn-up or the trump suit."""
    canvas.setLineWidth(paper.THIN_LINE_POINTS)
    canvas.rect(table_square.left, table_square.bottom, table_square.width, table_square.height)
    dealer_x, frame_size = dealer_box.left + dealer_box.width / 2, _SEAT_STRIP_WIDTH - 1.6
    canvas.setLineWidth(paper.THICK_LINE_POINTS)
    canvas.rect(
        dealer_x - frame_size / 2, dealer_box.middle_y - frame_size / 2, frame_size, frame_size
    )
    inner_square = table_square.inset(_SEAT_STRIP_WIDTH)
    if deal.turn_up is not None:
        alternative_text = _("Turn-up: %(card)s") % {"card": deal.turn_up}
        with tags.open_element(canvas, "P", tags.format_alternative_text(alternative_text)):
            write_card(
                canvas, deal.turn_up, inner_square, size=12, has_four_colours=has_four_colours
            )
    elif deal.declared_trumps is not None:
        alternative_text = _("Trumps: %(suit)s") % {"suit": deal.declared_trumps.word}
        with tags.open_element(canvas, "P", tags.format_alternative_text(alternative_text)):
            write_suit(
                canvas,
                deal.declared_trumps,
                inner_square,
                size=14,
                has_four_colours=has_four_colours,
            )


def _draw_hand(
    canvas: Canvas, has_four_colours: bool, deal: Deal, seat: Seat, box: Box
) -> None:
    sorted_hand = sorted(deal.hands[seat])
    for suit, line_box in zip(Suit, box.split_tiles(1, 4), strict=True):
        suit_box = Box(line_box.left, line_box.bottom, 4 * MM, line_box.height)
        cards = [card for card in sorted_hand if card.suit is suit]
        cards_box = Box(
            suit_box.right, line_box.bottom, line_box.right - suit_box.right, line_box.height
        )
        marked_card = deal.turn_up if seat is deal.dealer else None
        with tags.open_element(canvas, "TD"):
            write_suit(
                canvas, suit, suit_box, size=_TYPE_SIZE, has_four_colours=has_four_colours
            )
            _draw_suit(canvas, cards, marked_card, cards_box)


def _draw_suit(
    canvas: Canvas, cards: Sequence[Card], marked_card: Card | None, box: Box
) -> None:
    ranks_text = RANK_SEPARATOR.join(card.rank.text for card in cards) or "–"
    type_size = min(_TYPE_SIZE, box.width / measure_width(ranks_text, SANS_FONT))
    write_text(canvas, ranks_text, box, size=type_size, min_size=0)
    if marked_card is None or marked_card not in cards:
        return
    text_before_card = "".join(
        card.rank.text + RANK_SEPARATOR for card in cards[: cards.index(marked_card)]
    )
    marked_card_left = box.left + measure_width(text_before_card, SANS_FONT) * type_size - 1
    canvas.setLineWidth(paper.THIN_LINE_POINTS)
    width = measure_width(marked_card.rank.text, SANS_FONT) * type_size + 2
    canvas.rect(marked_card_left, box.middle_y - type_size * 0.52, width, type_size * 1.04)


PAPER_KIND = PaperKind(
    name="hand_records",
    title=gettext_lazy("Hand records"),
    blurb=gettext_lazy("All hands, six to a page, after the session."),
    group=PaperGroup.RESULTS,
    build_sheet=records.load_travellers_with_hands,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.ALL_HANDS,
    outdating_changes=OutdatingChanges.NOTHING,
    is_on_request=True,
    choice=KindChoice(
        "suits",
        gettext_lazy("Suits"),
        (
            ("two", gettext_lazy("black"), "hand_records"),
            ("four", gettext_lazy("four colours"), "hand_records_four"),
        ),
    ),
)

FOUR_COLOUR_PAPER = replace(
    PAPER_KIND,
    name="hand_records_four",
    title=gettext_lazy("Hand records in four colours"),
    draw_pdf=draw_four_colour_pdf,
    choice=None,
)
