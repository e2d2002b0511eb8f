"""Functions that build a board's deal from the hands that helpers have typed."""

from boards.whist import Card, PartialDeal, Seat
from boards.whist.notation import read_hand
from hall.models import TypedHand
from tournaments.models import Session


def load_typed_deal(session: Session, board_number: int) -> PartialDeal:
    """Return the deal that the typed hands of one board make up so far."""
    typed_hands = list(session.typed_hands.filter(board=board_number))
    dealer = session.load_dealers([board_number])[board_number]
    return combine_hands(dealer, typed_hands, has_turn_up=session.event.has_turn_up)


def combine_hands(
    dealer: Seat, typed_hands: list[TypedHand], *, has_turn_up: bool
) -> PartialDeal:
    """Return the part of a deal that is known from a board's typed hands.

    With `has_turn_up`, the trump suit is that of the dealer's turn-up.
    """
    return PartialDeal(
        dealer=dealer,
        hands={
            Seat(typed_hand.seat): read_hand(typed_hand.cards, Seat(typed_hand.seat))
            for typed_hand in typed_hands
        },
        turn_ups={
            Seat(typed_hand.seat): Card.parse(typed_hand.turn_up)
            for typed_hand in typed_hands
            if typed_hand.turn_up
        },
        has_turn_up=has_turn_up,
    )
