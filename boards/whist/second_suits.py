"""The second play of memory duplicate: the same hands with exchanged suits."""

import hashlib
from collections.abc import Mapping
from itertools import permutations

from boards.whist.cards import CARDS_BY_CODE, Card, Suit
from boards.whist.deals import Deal
from boards.whist.notation import format_hands

SUIT_EXCHANGES: tuple[Mapping[Suit, Suit], ...] = tuple(
    dict(zip(Suit, other_suits, strict=True))
    for other_suits in permutations(Suit)
    if all(own is not other for own, other in zip(Suit, other_suits, strict=True))
)
"""The nine exchanges of suits in which every suit becomes a different one."""


def choose_second_suits(deal: Deal) -> Mapping[Suit, Suit]:
    """Return the new suit of each suit of a deal for the second play.

    The choice depends only on the four hands: it stays secret as long as they do, and an event
    file without the secret gives the same suits.
    """
    message = b"whist-suits/1\0" + format_hands(deal).encode()
    digest = hashlib.sha256(message).digest()
    # The remainder of a 256-bit number divided by 9 has no relevant bias.
    return SUIT_EXCHANGES[int.from_bytes(digest) % len(SUIT_EXCHANGES)]


def build_second_deal(deal: Deal) -> Deal:
    """Return the deal of the second play, whose turn-up and trumps are exchanged too.

    Each seat has the same ranks and suit lengths as before. Best play therefore makes the same
    tricks.
    """
    suits = choose_second_suits(deal)
    return Deal(
        {
            seat: frozenset(_exchange_suit(card, suits) for card in hand)
            for seat, hand in deal.hands.items()
        },
        deal.dealer,
        _exchange_suit(deal.turn_up, suits) if deal.turn_up else None,
        suits[deal.declared] if deal.declared else None,
    )


def format_suits(suits: Mapping[Suit, Suit]) -> str:
    """Return an exchange of suits as text: ♠ → ♥, ♥ → ♠, ♦ → ♣, ♣ → ♦."""
    return ", ".join(f"{suit.symbol} → {suits[suit].symbol}" for suit in Suit)


def _exchange_suit(card: Card, suits: Mapping[Suit, Suit]) -> Card:
    return CARDS_BY_CODE[suits[card.suit].value + card.rank.letter]
