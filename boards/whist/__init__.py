"""The game of whist: cards, seats, deals and play, as plain values without a database."""

from boards.whist.cards import CARDS, PACK, Card, Rank, Suit
from boards.whist.deals import Deal, deal_out, problems, sentence
from boards.whist.declared import ALL_DECLARED, SUITS_DECLARED, Declared
from boards.whist.errors import (
    IllegalPlay,
    InvalidDeal,
    InvalidSecret,
    UnreadableCard,
    UnusableBoards,
    WhistError,
)
from boards.whist.gathering import Gathered
from boards.whist.play import Play, Trick
from boards.whist.seats import Seat, Side
