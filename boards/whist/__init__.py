"""The game of whist as plain values without a database: cards, seats, deals and play."""

from boards.whist.cards import CARDS_BY_CODE, PACK, Card, Rank, Suit
from boards.whist.deals import Deal, deal_pack, format_problems, list_deal_problems
from boards.whist.declaration import ALL_DECLARATIONS, SUIT_DECLARATIONS, Declaration
from boards.whist.errors import (
    IllegalPlay,
    InvalidDeal,
    InvalidSecret,
    UnreadableCard,
    UnusableBoards,
    WhistError,
)
from boards.whist.partial_deal import PartialDeal
from boards.whist.play import Play, Trick
from boards.whist.seats import Seat, Side
