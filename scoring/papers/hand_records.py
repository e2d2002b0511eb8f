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
from printing.fonts import BOLD, SANS, measure_width
from printing.headings import format_date_and_session, format_seat
from printing.kinds import KindChoice, OutdatedBy, PaperGroup, PaperKind, ShownCards
from printing.pips import RANK_SEPARATOR, write_card, write_suit
from printing.text_boxes import write_text
from scoring.sheets import records
from scoring.sheets.values import Traveller

_SLIP_MARGIN = 6 * MM
_HEADING_HEIGHT = 11 * MM
_FOOT_HEIGHT = 10 * MM
_TYPE_SIZE = 10.0
_SEAT_STRIP_WIDTH = 4.2 * MM  # of the table's edge, for a seat's letter


def draw_pdf(
    sheets: Sequence[Traveller], *, size: paper.Size = "A4", in_four_colours: bool = False
) -> bytes:
    """Print the hands of some boards with best play and the number of times of each result.

    A board that was dealt again and whose new hands are unknown has a sentence instead.
    """
    canvas = paper.start_canvas(size, _("Hand records"), [sheet.heading for sheet in sheets])
    page = paper.get_page_box(size)
    draw_record = partial(_draw_record, canvas, in_four_colours)
    paper.draw_slips(canvas, page, sheets, draw_record, across=2, down=3)
    return paper.finish_canvas(canvas)


draw_in_four_colours = partial(draw_pdf, in_four_colours=True)


def format_result_counts(sheet: Traveller) -> str:
    """Return how often N-S took each number of tricks: N-S made 7 (2), 8 (3)."""
    counts_by_tricks = Counter(
        line.ns_tricks for line in sheet.lines if line.ns_tricks is not None
    )
    if not counts_by_tricks:
        return ""
    result_text = ", ".join(
        f"{tricks} ({counts_by_tricks[tricks]})" for tricks in sorted(counts_by_tricks)
    )
    return _("N-S tricks, and how often: %(made)s") % {"made": result_text}


def format_best_play(sheet: Traveller) -> str:
    """Return the tricks of best play, or those with each suit that may be declared."""
    if sheet.best_tricks is not None:
        best = {"ns": sheet.best_tricks, "ew": 13 - sheet.best_tricks}
        return _("Best play: N-S %(ns)d, E-W %(ew)d") % best
    tricks_by_suit = ", ".join(f"{suit.symbol} {tricks}" for suit, tricks in sheet.best_by_suit)
    return _("Best play, N-S tricks by trumps: %(each)s") % {"each": tricks_by_suit}


def _format_second_suits(sheet: Traveller) -> str:
    """Return how the suits of a second play correspond to those of the first."""
    if not sheet.second_suits:
        return ""
    return _("Second play: %(suits)s") % {"suits": sheet.second_suits_text}


def _draw_record(canvas: Canvas, in_four_colours: bool, sheet: Traveller, tile: Box) -> None:
    inner = tile.inset(_SLIP_MARGIN)
    _draw_heading(canvas, sheet, inner.top_strip(_HEADING_HEIGHT - 1.5 * MM))
    body = inner.without_top(_HEADING_HEIGHT)
    if sheet.deal is None:
        message = _("This board was redealt. The new hands aren't known.")
        write_text(canvas, message, body.without_bottom(_FOOT_HEIGHT), size=11, align="centre")
    else:
        _draw_hands(canvas, in_four_colours, sheet.deal, body.without_bottom(_FOOT_HEIGHT))
    foot = inner.bottom_strip(_FOOT_HEIGHT)
    if sheet.any_best_tricks is not None:
        write_text(
            canvas,
            format_best_play(sheet),
            foot.top_strip(_FOOT_HEIGHT / 2),
            font=BOLD,
            size=9,
            floor=6,
        )
    elif sheet.deal is not None and not sheet.is_in_points:
        write_text(
            canvas,
            solver.get_missing_text(),
            foot.top_strip(_FOOT_HEIGHT / 2),
            size=8.5,
            floor=6,
        )
    second = _format_second_suits(sheet) if sheet.deal is not None else ""
    footer_text = " · ".join(text for text in (format_result_counts(sheet), second) if text)
    write_text(canvas, footer_text, foot.bottom_strip(_FOOT_HEIGHT / 2), size=8.5, floor=6)


def _draw_heading(canvas: Canvas, sheet: Traveller, box: Box) -> None:
    left, right = box.split_columns(2, 3)
    board = _("Board %(number)d") % {"number": sheet.board}
    with tags.open_element(canvas, "H1"):
        write_text(canvas, board, left, font=BOLD, size=16)
    heading = sheet.heading
    write_text(
        canvas, heading.event, right.top_strip(box.height / 2), size=8, align="right", floor=6
    )
    write_text(
        canvas,
        format_date_and_session(heading),
        right.bottom_strip(box.height / 2),
        size=8,
        align="right",
        floor=5,
    )
    canvas.setLineWidth(paper.THIN)
    canvas.line(box.left, box.bottom, box.right, box.bottom)


def _draw_hands(canvas: Canvas, in_four_colours: bool, deal: Deal, box: Box) -> None:
    left, middle, right = box.split_columns(1, 1, 1)
    hand = box.height / 3
    places = {
        Seat.NORTH: middle.top_strip(hand),
        Seat.SOUTH: middle.bottom_strip(hand),
        Seat.WEST: left.without_top(hand).without_bottom(hand),
        Seat.EAST: right.without_top(hand).without_bottom(hand),
    }
    compass = middle.without_top(hand).without_bottom(hand)
    square, letters = _compute_table_boxes(compass)
    with tags.open_element(canvas, "Table"):
        for seat in Seat:
            with tags.open_element(canvas, "TR"):
                with tags.open_element(canvas, "TH", tags.ROW_SCOPE):
                    letter = format_seat(seat)[:1]
                    write_text(canvas, letter, letters[seat], font=BOLD, size=9, align="centre")
                _draw_hand(canvas, in_four_colours, deal, seat, places[seat].inset(1 * MM))
    _draw_table(canvas, in_four_colours, deal, square, letters[deal.dealer])
    dealer = _("Dealer %(seat)s") % {"seat": format_seat(deal.dealer)}
    corner = right.top_strip(hand).inset(1 * MM)
    write_text(canvas, dealer, corner.top_strip(5 * MM), font=BOLD, size=9, align="right")
    lead = _("%(seat)s leads") % {"seat": format_seat(deal.leader)}
    write_text(
        canvas, lead, corner.without_top(5 * MM).top_strip(5 * MM), size=9, align="right"
    )


def _compute_table_boxes(box: Box) -> tuple[Box, dict[Seat, Box]]:
    """Return the table in the middle of the hands, and the places of its four letters."""
    side = min(box.width, box.height) - 2 * MM
    square = Box(box.left + (box.width - side) / 2, box.middle - side / 2, side, side)
    between, strip = square.inset(_SEAT_STRIP_WIDTH), _SEAT_STRIP_WIDTH
    return square, {
        Seat.NORTH: Box(between.left, between.top, between.width, strip),
        Seat.SOUTH: Box(between.left, square.bottom, between.width, strip),
        Seat.WEST: Box(square.left, between.bottom, strip, between.height),
        Seat.EAST: Box(between.right, between.bottom, strip, between.height),
    }


def _draw_table(
    canvas: Canvas, in_four_colours: bool, deal: Deal, square: Box, dealer: Box
) -> None:
    """Draw the table with the dealer's letter framed, and the turn-up or the trump suit."""
    canvas.setLineWidth(paper.THIN)
    canvas.rect(square.left, square.bottom, square.width, square.height)
    middle, side = dealer.left + dealer.width / 2, _SEAT_STRIP_WIDTH - 1.6
    canvas.setLineWidth(paper.THICK)
    canvas.rect(middle - side / 2, dealer.middle - side / 2, side, side)
    between = square.inset(_SEAT_STRIP_WIDTH)
    if deal.turn_up is not None:
        text = _("Turn-up: %(card)s") % {"card": deal.turn_up}
        with tags.open_element(canvas, "P", tags.format_alternative_text(text)):
            write_card(canvas, deal.turn_up, between, size=12, in_four_colours=in_four_colours)
    elif deal.declared is not None:
        text = _("Trumps: %(suit)s") % {"suit": deal.declared.word}
        with tags.open_element(canvas, "P", tags.format_alternative_text(text)):
            write_suit(canvas, deal.declared, between, size=14, in_four_colours=in_four_colours)


def _draw_hand(canvas: Canvas, in_four_colours: bool, deal: Deal, seat: Seat, box: Box) -> None:
    hand = sorted(deal.hands[seat])
    for suit, line in zip(Suit, box.split_tiles(1, 4), strict=True):
        suit_box = Box(line.left, line.bottom, 4 * MM, line.height)
        cards = [card for card in hand if card.suit is suit]
        cards_box = Box(suit_box.right, line.bottom, line.right - suit_box.right, line.height)
        marked = deal.turn_up if seat is deal.dealer else None
        with tags.open_element(canvas, "TD"):
            write_suit(canvas, suit, suit_box, size=_TYPE_SIZE, in_four_colours=in_four_colours)
            _draw_suit(canvas, cards, marked, cards_box)


def _draw_suit(canvas: Canvas, cards: Sequence[Card], marked: Card | None, box: Box) -> None:
    text = RANK_SEPARATOR.join(card.rank.text for card in cards) or "–"
    size = min(_TYPE_SIZE, box.width / measure_width(text, SANS))
    write_text(canvas, text, box, size=size, floor=0)
    if marked is None or marked not in cards:
        return
    before = "".join(card.rank.text + RANK_SEPARATOR for card in cards[: cards.index(marked)])
    left = box.left + measure_width(before, SANS) * size - 1
    canvas.setLineWidth(paper.THIN)
    width = measure_width(marked.rank.text, SANS) * size + 2
    canvas.rect(left, box.middle - size * 0.52, width, size * 1.04)


PAPER = PaperKind(
    name="hand_records",
    title=gettext_lazy("Hand records"),
    blurb=gettext_lazy("All hands, six to a page, after the session."),
    group=PaperGroup.RESULTS,
    build_sheet=records.load_travellers_with_hands,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.AFTER_THE_CLOSE,
    outdated_by=OutdatedBy.NOTHING,
    on_request=True,
    choice=KindChoice(
        "suits",
        gettext_lazy("Suits"),
        (
            ("two", gettext_lazy("black"), "hand_records"),
            ("four", gettext_lazy("four colours"), "hand_records_four"),
        ),
    ),
)

IN_FOUR_COLOURS = replace(
    PAPER,
    name="hand_records_four",
    title=gettext_lazy("Hand records in four colours"),
    draw_pdf=draw_in_four_colours,
    choice=None,
)
