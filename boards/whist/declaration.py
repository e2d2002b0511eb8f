"""A table's declaration: a trump suit or no trump, and whether it is doubled."""

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
    """A declaration at the table, written as a code: H, N, NX (doubled), HXX (redoubled)."""

    suit: Suit | None
    """The trump suit; None for no trump."""
    times_doubled: int = 0

    @classmethod
    def parse(cls, code: str) -> Self:
        """Parse a code; raise ValueError for any other text."""
        strain, doubled = code[:1], code[1:]
        suit = None if strain == NO_TRUMP else Suit(strain)
        return cls(suit, _DOUBLING_SUFFIXES.index(doubled))

    def __str__(self) -> str:
        return self.code

    @property
    def strain(self) -> str:
        """The code of the trump suit or no trump, without doubling: S, H, D, C or N."""
        return self.suit.value if self.suit else NO_TRUMP

    @property
    def code(self) -> str:
        """The code of the declaration in files, forms and the API."""
        return self.strain + _DOUBLING_SUFFIXES[self.times_doubled]

    @property
    def symbol(self) -> str:
        """The declaration as shown on pages: ♥, NT, ♥ X."""
        strain = self.suit.symbol if self.suit else "NT"
        return f"{strain} {_DOUBLING_SUFFIXES[self.times_doubled]}".rstrip()

    @property
    def word(self) -> str:
        """The declaration in words: hearts; no trump, doubled."""
        strain = self.suit.word if self.suit else _("no trump")
        if not self.times_doubled:
            return strain
        doubled = _(_DOUBLING_WORDS[self.times_doubled])
        return _("%(trumps)s, %(doubled)s") % {"trumps": strain, "doubled": doubled}


SUIT_DECLARATIONS = tuple(Declaration(suit) for suit in Suit)
"""The declarations that the whist laws allow: a trump suit (Law IV §11)."""

ALL_DECLARATIONS = tuple(
    Declaration(suit, times)
    for times in range(len(_DOUBLING_SUFFIXES))
    for suit in (*Suit, None)
)
"""The declarations of duplicate bridge for points, which include no trump and doubling."""
