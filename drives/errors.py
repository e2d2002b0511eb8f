"""Exceptions of drives; their messages can be shown to users."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnplayableDrive(WhistError, ValueError):
    """Raised if a drive with these players, rounds or preferences is impossible."""

    code = "unplayable_drive"


class UnreadableDrive(WhistError, UnreadableJson):
    """Raised if a drive file is invalid; each message begins with the path of the value."""

    code = "unreadable_drive"

    def __str__(self) -> str:
        """Return only the first problem, because commands and forms show one line."""
        return self.problems[0]


class DriveActionNotAllowed(WhistError, ValueError):
    """Raised if a drive does not allow an action; the message gives the reason."""

    code = "drive_refused"


class InvalidScore(WhistError, ValueError):
    """Raised if a score or total is invalid.

    The message begins with the table or the card to which the score belongs.
    """

    code = "score_refused"


class ReasonNeeded(InvalidScore):
    """Raised if a user corrects a hand of an earlier round without giving a reason."""

    code = "reason_needed"


class InvalidHand(InvalidScore):
    """Raised if a hand with a contract is invalid.

    `invalid_key` is a key of the hand, e.g. "by". `detail` is the problem. The
    message also contains `hand_label`, which names the round, the table and the hand.
    """

    code = "hand_refused"

    def __init__(self, hand_label: str, invalid_key: str, detail: str) -> None:
        super().__init__(
            ": ".join(
                message_part
                for message_part in (hand_label, invalid_key, detail)
                if message_part
            )
        )
        self.invalid_key = invalid_key
        self.detail = detail
