"""Template tags for cards and deals, such as `{{ card|render_card }}` and `{% deal %}`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards import solver
from boards.whist import Card, Deal, Declaration, Rank, Seat, Suit

register = template.Library()

SUIT_NAMES = {
    Suit.SPADES: gettext_lazy("spades"),
    Suit.HEARTS: gettext_lazy("hearts"),
    Suit.DIAMONDS: gettext_lazy("diamonds"),
    Suit.CLUBS: gettext_lazy("clubs"),
}
SUIT_ICONS = {
    Suit.SPADES: "spades",
    Suit.HEARTS: "hearts",
    Suit.DIAMONDS: "diamonds",
    Suit.CLUBS: "clubs",
}
"""The icon of each suit; suit characters look different on each device."""
COURT_CARD_NAMES = {
    Rank.ACE: gettext_lazy("ace"),
    Rank.KING: gettext_lazy("king"),
    Rank.QUEEN: gettext_lazy("queen"),
    Rank.JACK: gettext_lazy("jack"),
}
SEAT_NAMES = {
    Seat.NORTH: gettext_lazy("North"),
    Seat.EAST: gettext_lazy("East"),
    Seat.SOUTH: gettext_lazy("South"),
    Seat.WEST: gettext_lazy("West"),
}
SEAT_CSS_CLASSES = {
    Seat.NORTH: "deal__north",
    Seat.EAST: "deal__east",
    Seat.SOUTH: "deal__south",
    Seat.WEST: "deal__west",
}


@dataclass(frozen=True, slots=True)
class SuitRow:
    """One suit of a hand for the template.

    `cards` has the rank of each card and whether the card is the turn-up.
    """

    suit: Suit
    name: str
    cards: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand for the template, with the CSS class for its position in the compass."""

    seat: str
    css_class: str
    is_dealer: bool
    rows: tuple[SuitRow, ...]


@register.filter
def render_card(card: Card | Suit) -> SafeString:
    """Return the HTML of a card or suit, with its name for screen readers."""
    if isinstance(card, Suit):
        rank, suit, name = "", card, str(SUIT_NAMES[card])
    else:
        rank, suit = card.rank.text, card.suit
        name = _("%(rank)s of %(suit)s") % {
            "rank": COURT_CARD_NAMES.get(card.rank, card.rank.text),
            "suit": SUIT_NAMES[card.suit],
        }
    return format_html(
        '<span class="card suit-{}"><span aria-hidden="true">{}<svg class="card__suit">'
        '<use href="{}#{}"/></svg></span><span class="visually-hidden">{}</span></span>',
        suit.lower(),
        rank,
        static("img/icons.svg"),
        SUIT_ICONS[suit],
        name,
    )


@register.filter
def render_declaration(declaration: Declaration) -> SafeString:
    """Return the HTML of a table's declaration: a suit or NT, with X if doubled."""
    if declaration.suit is not None and not declaration.times_doubled:
        return render_card(declaration.suit)
    return format_html(
        '<span class="card suit-{}"><span aria-hidden="true">{}</span>'
        '<span class="visually-hidden">{}</span></span>',
        declaration.strain.lower(),
        declaration.symbol,
        declaration.word,
    )


@register.filter
def format_trumps_sentence(suit: Suit) -> str:
    """Return the sentence that names the trump suit."""
    return _("%(suit)s are trumps") % {"suit": SUIT_NAMES[suit]}


@register.simple_tag
def render_missing_solver_note(best: int | None = None) -> SafeString | str:
    """Return a note that no solver is installed, or "" if there is one or `best` is known."""
    missing_solver_message = "" if best is not None else solver.get_missing_solver_message()
    return (
        format_html('<p class="quiet">{}</p>', missing_solver_message)
        if missing_solver_message
        else ""
    )


@register.inclusion_tag("components/hand.html")
def hand(cards: Iterable[Card], turn_up: Card | None = None) -> dict[str, object]:
    """Show one hand as four rows of suits, spades first, with the turn-up marked."""
    return {"rows": _build_suit_rows(cards, turn_up)}


@register.inclusion_tag("components/deal.html")
def deal(
    deal: Deal,
    number: int | None = None,
    best: int | None = None,
    tricks_by_suit: Sequence[tuple[Suit, int]] = (),
) -> dict[str, object]:
    """Show a deal as a compass, with the dealer and the turn-up marked.

    `best` is the number of N/S's tricks with best play, or None if unknown. If trumps are
    declared, `tricks_by_suit` has N/S's tricks with each suit as trumps.
    """
    hand_views = [
        HandView(
            seat=str(SEAT_NAMES[seat]),
            css_class=SEAT_CSS_CLASSES[seat],
            is_dealer=seat is deal.dealer,
            rows=_build_suit_rows(
                deal.hands[seat], deal.turn_up if seat is deal.dealer else None
            ),
        )
        for seat in Seat
    ]
    return {
        "hands": hand_views,
        "number": number,
        "dealer": SEAT_NAMES[deal.dealer],
        "turn_up": deal.turn_up,
        "declared": deal.declared_trumps,
        "best": best,
        "tricks_by_suit": tricks_by_suit,
    }


def _build_suit_rows(cards: Iterable[Card], turn_up: Card | None) -> tuple[SuitRow, ...]:
    sorted_cards = sorted(cards)
    return tuple(
        SuitRow(
            suit=suit,
            name=str(SUIT_NAMES[suit]),
            cards=tuple(
                (card.rank.text, card == turn_up) for card in sorted_cards if card.suit is suit
            ),
        )
        for suit in Suit
    )
