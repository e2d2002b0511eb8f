"""Errors of drives; their texts can be shown to users."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnplayableDrive(WhistError, ValueError):
    """Raised if no drive can be drawn for the players, rounds or preferences."""

    code = "unplayable_drive"


class UnreadableDrive(WhistError, UnreadableJson):
    """Raised if the content of a drive's file is invalid. The text names the place in the file,
    such as the round.
    """

    code = "unreadable_drive"

    def __str__(self) -> str:
        """Return the first problem, since commands and forms show one line."""
        return self.problems[0]


class DriveRefused(WhistError, ValueError):
    """Raised if the state of a drive does not allow an action; the text gives the reason."""

    code = "drive_refused"


class ScoreRefused(WhistError, ValueError):
    """Raised if a score or total is impossible; the text begins with its place."""

    code = "score_refused"


class ReasonNeeded(ScoreRefused):
    """Raised if a correction after the end of a round has no reason."""

    code = "reason_needed"


class HandRefused(ScoreRefused):
    """Raised if a hand with a contract is invalid.

    `place` is the place in the hand, such as "by", and `detail` the problem.
    """

    code = "hand_refused"

    def __init__(self, place_text: str, place: str, detail: str) -> None:
        super().__init__(": ".join(part for part in (place_text, place, detail) if part))
        self.place = place
        self.detail = detail
