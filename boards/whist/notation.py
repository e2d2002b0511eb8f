"""The one-line text form of four hands, as in PBN: N:KT8.A96.A95.7542 Q5.KJ52. ..."""

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _

from boards.whist.cards import CARDS_BY_CODE, PACK, Card, Suit
from boards.whist.deals import (
    Deal,
    format_card_count_problem,
    format_problems,
    list_deal_problems,
    list_repeated_cards,
)
from boards.whist.errors import InvalidDeal
from boards.whist.seats import Seat


def format_hands(deal: Deal, first_seat: Seat = Seat.NORTH) -> str:
    """Return a deal's hands as one line of text, clockwise from the seat `first_seat`.

    Each hand is in the form spades.hearts.diamonds.clubs.
    """
    return f"{first_seat}:" + " ".join(
        format_hand(deal.hands[seat]) for seat in _list_seats_from(first_seat)
    )


def format_hand(hand: Iterable[Card]) -> str:
    """Return one hand as text, such as KT8.A96.A95.7542.

    The cards of each suit are in descending order, and a void is empty.
    """
    cards = sorted(hand)
    return ".".join(
        "".join(card.rank.letter for card in cards if card.suit is suit) for suit in Suit
    )


def read_deal(
    hands_text: str, dealer: Seat, turn_up: Card | None, declared_trumps: Suit | None = None
) -> Deal:
    """Return a checked deal; raise InvalidDeal with all problems of the deal.

    `turn_up` is None for a deal with declared trumps (Law IV §11).
    """
    hands = read_hands(hands_text)
    problems = list_deal_problems(hands, dealer, turn_up)
    if problems:
        raise InvalidDeal(format_problems(problems))
    card_sets_by_seat = {seat: frozenset(hand) for seat, hand in hands.items()}
    return Deal(card_sets_by_seat, dealer, turn_up, declared_trumps)


def read_hands(hands_text: str) -> dict[Seat, list[Card]]:
    """Return four hands without checking their cards; raise InvalidDeal if they are unreadable.

    The text may begin with any seat. Lower case, 10 for T, and suit letters or symbols are
    accepted. A hand written as `-` gets the remaining cards.
    """
    normalised_text = hands_text.upper().translate(_LETTERS_BY_SUIT_SYMBOL).replace("10", "T")
    deal_match = _DEAL_LINE_PATTERN.fullmatch(normalised_text.strip())
    hand_texts = deal_match["hands"].split() if deal_match else []
    if not deal_match or len(hand_texts) != 4:
        raise InvalidDeal(
            _(
                "The deal can’t be read. Enter the first seat and four hands separated by "
                "spaces, such as N:KT8.A96.A95.7542 ..."
            )
        )
    seats = _list_seats_from(Seat(deal_match["first"]))
    hands = {
        seat: _read_hand(seat, hand_text)
        for seat, hand_text in zip(seats, hand_texts, strict=True)
    }
    if hand_texts.count("-") == 1:
        dealt_cards = {card for cards in hands.values() for card in cards}
        hands[seats[hand_texts.index("-")]] = [card for card in PACK if card not in dealt_cards]
    return {seat: hands[seat] for seat in Seat}


def read_hand(hand_text: str, seat: Seat) -> frozenset[Card]:
    """Return a hand of thirteen different cards; raise InvalidDeal with the reason."""
    normalised_text = hand_text.upper().translate(_LETTERS_BY_SUIT_SYMBOL).replace("10", "T")
    cards = _read_hand(seat, "".join(normalised_text.split()) or "...")
    problems = list_repeated_cards({seat: cards})
    if len(cards) != 13:
        problems.insert(0, format_card_count_problem(seat, len(cards)))
    if problems:
        raise InvalidDeal(format_problems(problems))
    return frozenset(cards)


_DEAL_LINE_PATTERN = re.compile(r"(?P<first>[NESW])\w*\s*:(?P<hands>.*)", re.DOTALL)
_HAND_PATTERN = re.compile(r"S?([^.SHDC]*)\.H?([^.SHDC]*)\.D?([^.SHDC]*)\.C?([^.SHDC]*)")
_LETTERS_BY_SUIT_SYMBOL = {
    ord(sign): letter for sign, letter in zip("♠♥♦♣♤♡♢♧", "SHDCSHDC", strict=True)
}
_LETTERS_BY_SUIT_SYMBOL[ord("\N{VARIATION SELECTOR-16}")] = ""


def _list_seats_from(first_seat: Seat) -> list[Seat]:
    return [
        first_seat,
        first_seat.left_neighbour,
        first_seat.partner,
        first_seat.right_neighbour,
    ]


def _read_hand(seat: Seat, hand_text: str) -> list[Card]:
    hand_match = _HAND_PATTERN.fullmatch(hand_text)
    if hand_text == "-":
        return []
    if not hand_match:
        raise InvalidDeal(
            _(
                "%(seat)s’s hand “%(text)s” can’t be read. Enter spades, hearts, diamonds "
                "and clubs separated by dots, such as KT8.A96.A95.7542."
            )
            % {"seat": seat.word, "text": hand_text[:30]}
        )
    codes = [
        suit + letter
        for suit, ranks in zip(Suit, hand_match.groups(), strict=True)
        for letter in ranks
    ]
    unknown_ranks = [code[1] for code in codes if code not in CARDS_BY_CODE]
    if unknown_ranks:
        raise InvalidDeal(
            _(
                "%(seat)s’s hand “%(text)s” has “%(sign)s”, which isn’t a rank. Ranks are "
                "A K Q J T 9 8 7 6 5 4 3 2."
            )
            % {"seat": seat.word, "text": hand_text[:30], "sign": unknown_ranks[0]}
        )
    return [CARDS_BY_CODE[code] for code in codes]
