"""Errors whose text can be shown to the user.

WhistError
├── UnreadableCard        text that names no card
├── InvalidDeal           hands that do not make up one pack
├── IllegalPlay           a card that may not be played now
├── InvalidSecret         text or bytes that are not a secret of a board set
├── UnusableBoards        boards that are not accepted as written
└── (other packages add theirs: UnplayableMovement, EnteredMeanwhile, ...)
"""

from collections.abc import Sequence


class WhistError(Exception):
    """Base class of errors that the user can correct; the text is a full sentence to show."""

    code = "whist_error"


class UnreadableCard(WhistError, ValueError):
    """Raised for a text that is not a card."""

    code = "unreadable_card"


class InvalidDeal(WhistError, ValueError):
    """Raised for hands that do not make up one pack, or a turn-up not of the dealer's hand."""

    code = "invalid_deal"


class IllegalPlay(WhistError, ValueError):
    """Raised for a card that may not be played now."""

    code = "illegal_play"


class InvalidSecret(WhistError, ValueError):
    """Raised for a text or bytes that are not a secret of a board set."""

    code = "invalid_secret"


class UnusableBoards(WhistError):
    """Raised for boards that cannot be accepted; `problems` has a sentence for each problem."""

    code = "unusable_boards"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)
