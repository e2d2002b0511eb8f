"""The second play in other suits: the same hands with the suits exchanged.

No one recognises a hand of the first play, and best play makes the same tricks.

Source: R. F. Foster, *Complete Hoyle*, duplicate whist, system for the Utica Trophy.
"""

import hashlib
from collections.abc import Mapping
from itertools import permutations

from boards.whist.cards import CARDS_BY_CODE, Card, Suit
from boards.whist.deals import Deal
from boards.whist.notation import format_hands

SUIT_EXCHANGES: tuple[Mapping[Suit, Suit], ...] = tuple(
    dict(zip(Suit, others, strict=True))
    for others in permutations(Suit)
    if all(own is not other for own, other in zip(Suit, others, strict=True))
)
"""The nine ways to exchange the suits so that no suit stays the same."""


def choose_second_suits(deal: Deal) -> Mapping[Suit, Suit]:
    """Choose the new suit of each suit of a deal for the second play.

    The choice depends only on the four hands. They follow from the deal's secret and are hidden
    as long as the secret is. An event file without the secret yields the same suits.
    """
    message = b"whist-suits/1\0" + format_hands(deal).encode()
    digest = hashlib.sha256(message).digest()
    # 2^256 is so far above 9 that the remainder favours no exchange noticeably.
    return SUIT_EXCHANGES[int.from_bytes(digest) % len(SUIT_EXCHANGES)]


def build_second_deal(deal: Deal) -> Deal:
    """Return the deal of the second play, with turn-up and trumps exchanged too.

    Each seat's ranks and suit lengths stay the same, so best play makes the same tricks.
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
    """Format an exchange of suits for display: ♠ → ♥, ♥ → ♠, ♦ → ♣, ♣ → ♦."""
    return ", ".join(f"{suit.symbol} → {suits[suit].symbol}" for suit in Suit)


def _exchange_suit(card: Card, suits: Mapping[Suit, Suit]) -> Card:
    return CARDS_BY_CODE[suits[card.suit].value + card.rank.letter]
