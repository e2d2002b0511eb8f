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
    """An error that the user can correct; its text is a full sentence to show."""

    code = "whist_error"


class UnreadableCard(WhistError, ValueError):
    """A text that names no card."""

    code = "unreadable_card"


class InvalidDeal(WhistError, ValueError):
    """Hands that do not make up one pack, or a turn-up that is not the dealer's."""

    code = "invalid_deal"


class IllegalPlay(WhistError, ValueError):
    """A card that may not be played now."""

    code = "illegal_play"


class InvalidSecret(WhistError, ValueError):
    """A text or bytes that are not a secret of a board set."""

    code = "invalid_secret"


class UnusableBoards(WhistError):
    """Boards that are not accepted as written; `problems` has a sentence for each."""

    code = "unusable_boards"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)
