"""Suits, ranks, cards and the pack, and the texts for a card."""

import re
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from django.utils.translation import gettext as _

from boards.whist.errors import UnreadableCard
from server.translation import gettext_noop


class Suit(StrEnum):
    """One of the four suits, in the order in which a hand is written."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def symbol(self) -> str:
        """The suit's sign, ♠ ♥ ♦ or ♣."""
        return "♠♥♦♣"["SHDC".index(self)]

    @property
    def word(self) -> str:
        """The name of the suit, such as spades."""
        return _(_SUIT_NAMES["SHDC".index(self)])


class Rank(IntEnum):
    """One of the thirteen ranks; the ace is highest in play (rules B1)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """The rank as one character, for files: A K Q J T 9 ... 2."""
        return _RANK_LETTERS[self - 2]

    @property
    def text(self) -> str:
        """The rank as printed for people: A K Q J 10 9 ... 2."""
        return "10" if self is Rank.TEN else self.letter


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the pack.

    Cards sort in the order of a written hand: spades, hearts, diamonds, clubs, each from the
    ace down. `pack_index` counts from 0 (ace of spades) to 51 (two of clubs) in that order.
    """

    suit: Suit
    rank: Rank
    pack_index: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pack_index", "SHDC".index(self.suit) * 13 + 14 - self.rank)

    @classmethod
    def parse(cls, card_text: str) -> "Card":
        """Return the card for a text such as H6, 6H, 6♥ or ♥6.

        The ten is T or 10, and case does not matter. Raises UnreadableCard for any other text.
        """
        card_match = _CARD_PATTERN.fullmatch(card_text.strip().upper())
        if not card_match:
            raise UnreadableCard(
                _("“%(text)s” isn’t a card. Enter suit and rank, such as H6 or ST.")
                % {"text": card_text.strip()[:20]}
            )
        suit = card_match["suit"] or card_match["suit_last"]
        return CARDS_BY_CODE[
            _SUIT_LETTERS_BY_SYMBOL[suit] + card_match["rank"].replace("10", "T")
        ]

    @property
    def code(self) -> str:
        """The card as two ASCII characters, suit first, e.g. H6 or ST."""
        return self.suit.value + self.rank.letter

    @property
    def word(self) -> str:
        """The name of the card, such as six of hearts."""
        return _(_CARD_NAMES[self.rank - 2]) % {"suit": self.suit.word}

    def __str__(self) -> str:
        return self.rank.text + self.suit.symbol

    def __hash__(self) -> int:
        return self.pack_index

    def __lt__(self, other: "Card") -> bool:
        return self.pack_index < other.pack_index


_RANK_LETTERS = "23456789TJQKA"
_SUIT_NAMES = (
    gettext_noop("spades"),
    gettext_noop("hearts"),
    gettext_noop("diamonds"),
    gettext_noop("clubs"),
)
_CARD_NAMES = (
    gettext_noop("two of %(suit)s"),
    gettext_noop("three of %(suit)s"),
    gettext_noop("four of %(suit)s"),
    gettext_noop("five of %(suit)s"),
    gettext_noop("six of %(suit)s"),
    gettext_noop("seven of %(suit)s"),
    gettext_noop("eight of %(suit)s"),
    gettext_noop("nine of %(suit)s"),
    gettext_noop("ten of %(suit)s"),
    gettext_noop("jack of %(suit)s"),
    gettext_noop("queen of %(suit)s"),
    gettext_noop("king of %(suit)s"),
    gettext_noop("ace of %(suit)s"),
)
_SUIT_LETTERS_BY_SYMBOL = {
    "S": "S",
    "H": "H",
    "D": "D",
    "C": "C",
    "♠": "S",
    "♥": "H",
    "♦": "D",
    "♣": "C",
}
_SUIT_LETTERS_BY_SYMBOL |= {"♤": "S", "♡": "H", "♢": "D", "♧": "C"}
_CARD_PATTERN = re.compile(
    "(?P<suit>[SHDC♠♥♦♣♤♡♢♧])?\N{VARIATION SELECTOR-16}?(?P<rank>10|[2-9TJQKA])"
    "(?P<suit_last>(?(suit)|[SHDC♠♥♦♣♤♡♢♧]))\N{VARIATION SELECTOR-16}?"
)

PACK = tuple(Card(suit, rank) for suit in Suit for rank in sorted(Rank, reverse=True))
"""The fifty-two cards in the order in which a hand is written (rules B1)."""

CARDS_BY_CODE = {card.code: card for card in PACK}
"""The cards of the pack by their code, such as H6."""
