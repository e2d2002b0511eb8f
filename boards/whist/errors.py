"""Errors whose messages are shown to the user."""

from collections.abc import Sequence


class WhistError(Exception):
    """The base class of errors whose message is shown to the user, who can correct them."""

    code = "whist_error"


class UnreadableCard(WhistError, ValueError):
    """A text is not a card."""

    code = "unreadable_card"


class InvalidDeal(WhistError, ValueError):
    """Hands do not make up a pack, or the dealer's hand lacks the turn-up."""

    code = "invalid_deal"


class IllegalPlay(WhistError, ValueError):
    """A card may not be played at this point."""

    code = "illegal_play"


class InvalidSecret(WhistError, ValueError):
    """A text or bytes are not the secret of a board set."""

    code = "invalid_secret"


class UnusableBoards(WhistError):
    """Boards are invalid; `problems` has a sentence for each problem."""

    code = "unusable_boards"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)
