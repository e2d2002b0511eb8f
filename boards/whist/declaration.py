"""A table's declaration of a trump suit or no trump, and whether it is doubled."""

from dataclasses import dataclass
from typing import Self

from django.utils.translation import gettext as _

from boards.whist.cards import Suit
from server.translation import gettext_noop

NO_TRUMP = "N"
_DOUBLING_SUFFIXES = ("", "X", "XX")
_DOUBLING_WORDS = ("", gettext_noop("doubled"), gettext_noop("redoubled"))


@dataclass(frozen=True, slots=True)
class Declaration:
    """A table's declaration, with a code such as H, N, NX (doubled) or HXX (redoubled)."""

    suit: Suit | None
    """The trump suit; None for no trump."""
    times_doubled: int = 0

    @classmethod
    def parse(cls, code: str) -> Self:
        """Return the declaration for a code; raise ValueError for other texts."""
        strain, doubling_suffix = code[:1], code[1:]
        suit = None if strain == NO_TRUMP else Suit(strain)
        return cls(suit, _DOUBLING_SUFFIXES.index(doubling_suffix))

    def __str__(self) -> str:
        return self.code

    @property
    def strain(self) -> str:
        """The code of the trump suit (S, H, D or C) or no trump (N), without doubling."""
        return self.suit.value if self.suit else NO_TRUMP

    @property
    def code(self) -> str:
        """The code of the declaration in files, forms and the API."""
        return self.strain + _DOUBLING_SUFFIXES[self.times_doubled]

    @property
    def symbol(self) -> str:
        """The declaration as pages show it, such as ♥, NT or ♥ X."""
        strain = self.suit.symbol if self.suit else "NT"
        return f"{strain} {_DOUBLING_SUFFIXES[self.times_doubled]}".rstrip()

    @property
    def word(self) -> str:
        """The declaration in words, such as "hearts" or "no trump, doubled"."""
        strain = self.suit.word if self.suit else _("no trump")
        if not self.times_doubled:
            return strain
        doubling_word = _(_DOUBLING_WORDS[self.times_doubled])
        return _("%(trumps)s, %(doubled)s") % {"trumps": strain, "doubled": doubling_word}


SUIT_DECLARATIONS = tuple(Declaration(suit) for suit in Suit)
"""The declarations that the laws of whist allow, one for each suit (Law IV §11)."""

ALL_DECLARATIONS = tuple(
    Declaration(suit, times_doubled)
    for times_doubled in range(len(_DOUBLING_SUFFIXES))
    for suit in (*Suit, None)
)
"""The declarations in events scored in points, which include no trump and doubling."""
