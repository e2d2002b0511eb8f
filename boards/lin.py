"""Numbered deals → LIN, the text that Bridge Base Online's viewer shows; written only.

No specification is published. The seats come South, West, North, East; the dealer is 1 South,
2 West, 3 North, 4 East; the bidding says one of the trump suit by the dealer, and one without
trumps where they are declared table by table.
"""

from collections.abc import Mapping

from boards.whist import Card, Deal, Seat, Suit

ORDER = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)


def write(boards: Mapping[int, Deal]) -> str:
    """Write one line a board."""
    return "".join(_line(number, deal) for number, deal in sorted(boards.items()))


def _line(number: int, deal: Deal) -> str:
    dealer = ORDER.index(deal.dealer) + 1
    hands = ",".join(_hand(deal.hands[seat]) for seat in ORDER)
    told = f"Turn-up {deal.turn_up.code}" if deal.turn_up else "Trumps declared"
    return (
        f"qx|o{number}|pn|South,West,North,East|st||md|{dealer}{hands}|rh||ah|Board {number}|"
        f"sv|o|mb|1{deal.trumps or 'N'}|an|{told}|mb|p|mb|p|mb|p|pg||\n"
    )


def _hand(hand: frozenset[Card]) -> str:
    cards = sorted(hand, key=lambda card: ("SHDC".index(card.suit), card.rank))
    return "".join(
        suit + "".join(card.rank.letter for card in cards if card.suit is suit) for suit in Suit
    )
