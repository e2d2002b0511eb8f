"""What can be wrong in words fit to show a person.

WhistError
├── UnreadableCard        text that names no card
├── InvalidDeal           hands that do not make up one pack
├── IllegalPlay           a card that may not be played now
├── InvalidSecret         text or bytes that are not a secret of a board set
└── (other packages add theirs: UnplayableMovement, EnteredMeanwhile, ...)
"""


class WhistError(Exception):
    """Anything that a person can put right; its text is a full sentence to show."""

    code = "whist_error"


class UnreadableCard(WhistError, ValueError):
    """Text that names no card."""

    code = "unreadable_card"


class InvalidDeal(WhistError, ValueError):
    """Hands that do not make up one pack, or a turn-up that is not the dealer's."""

    code = "invalid_deal"


class IllegalPlay(WhistError, ValueError):
    """A card that may not be played at this moment."""

    code = "illegal_play"


class InvalidSecret(WhistError, ValueError):
    """Text or bytes that are not a secret of a board set."""

    code = "invalid_secret"
