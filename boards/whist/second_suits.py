"""The deals for the second play in memory duplicate.

In memory duplicate each board is played twice, the second time with its suits exchanged.
"""

import hashlib
from collections.abc import Mapping
from itertools import permutations

from boards.whist.cards import CARDS_BY_CODE, Card, Suit
from boards.whist.deals import Deal
from boards.whist.notation import format_hands

SUIT_EXCHANGES: tuple[Mapping[Suit, Suit], ...] = tuple(
    dict(zip(Suit, other_suits, strict=True))
    for other_suits in permutations(Suit)
    if all(suit is not new_suit for suit, new_suit in zip(Suit, other_suits, strict=True))
)
"""The nine exchanges of suits in which every suit becomes a different one."""


def choose_suit_exchange(deal: Deal) -> Mapping[Suit, Suit]:
    """Return the new suit of each suit of a deal for the second play.

    The choice depends only on the four hands. The choice stays secret as long as the hands do.
    An event file without the set's secret gives the same suits.
    """
    message = b"whist-suits/1\0" + format_hands(deal).encode()
    digest = hashlib.sha256(message).digest()
    # The remainder of a 256-bit number divided by 9 has no relevant bias.
    return SUIT_EXCHANGES[int.from_bytes(digest) % len(SUIT_EXCHANGES)]


def build_second_play_deal(deal: Deal) -> Deal:
    """Return the deal of the second play, whose turn-up and trumps are exchanged too.

    Each seat has the same ranks and suit lengths as before. Best play therefore makes the same
    tricks.
    """
    suit_exchange = choose_suit_exchange(deal)
    return Deal(
        {
            seat: frozenset(_exchange_suit(card, suit_exchange) for card in hand)
            for seat, hand in deal.hands.items()
        },
        deal.dealer,
        _exchange_suit(deal.turn_up, suit_exchange) if deal.turn_up else None,
        suit_exchange[deal.declared_trumps] if deal.declared_trumps else None,
    )


def format_suit_exchange(suit_exchange: Mapping[Suit, Suit]) -> str:
    """Return an exchange of suits as text: ♠ → ♥, ♥ → ♠, ♦ → ♣, ♣ → ♦."""
    return ", ".join(f"{suit.symbol} → {suit_exchange[suit].symbol}" for suit in Suit)


def _exchange_suit(card: Card, suit_exchange: Mapping[Suit, Suit]) -> Card:
    return CARDS_BY_CODE[suit_exchange[card.suit].value + card.rank.letter]
