"""Errors of drives; their texts can be shown to users."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnplayableDrive(WhistError, ValueError):
    """Players, rounds or wishes for which no drive can be drawn."""

    code = "unplayable_drive"


class UnreadableDrive(WhistError, UnreadableJson):
    """Invalid content of a drive's file; the text names the place."""

    code = "unreadable_drive"

    def __str__(self) -> str:
        """Return the first problem, since commands and forms show one line."""
        return self.problems[0]


class DriveRefused(WhistError, ValueError):
    """Refusal of an action that the state of a drive does not allow; the text says why."""

    code = "drive_refused"


class ScoreRefused(WhistError, ValueError):
    """Refusal of an impossible score or total; the text begins with its place."""

    code = "score_refused"
