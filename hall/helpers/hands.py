"""The hands of a board typed by helpers, combined into a deal."""

from boards.whist import Card, PartialDeal, Seat
from boards.whist.notation import read_hand
from hall.models import TypedHand
from tournaments.models import Session


def load_typed_deal(session: Session, board: int) -> PartialDeal:
    """Return the deal that the typed hands of one board make up so far."""
    rows = list(session.typed_hands.filter(board=board))
    dealer = session.dealers_of([board])[board]
    return combine_hands(dealer, rows, is_turned=session.event.turns_a_card)


def combine_hands(dealer: Seat, rows: list[TypedHand], *, is_turned: bool) -> PartialDeal:
    """Return a partial deal from a board's typed hands and turn-ups."""
    return PartialDeal(
        dealer=dealer,
        hands={Seat(row.seat): read_hand(row.cards, Seat(row.seat)) for row in rows},
        turn_ups={Seat(row.seat): Card.parse(row.turn_up) for row in rows if row.turn_up},
        is_turned=is_turned,
    )
