"""What can be wrong with a drive, in words fit to show a person."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnplayableDrive(WhistError, ValueError):
    """Players, rounds or wishes from which no drive can be drawn."""

    code = "unplayable_drive"


class UnreadableDrive(WhistError, UnreadableJson):
    """A file of a drive that cannot be read as it is written; the text names the place."""

    code = "unreadable_drive"

    def __str__(self) -> str:
        """The first problem: commands and forms show one line."""
        return self.problems[0]


class DriveRefused(WhistError, ValueError):
    """Something that a drive as it stands does not allow; the text says why."""

    code = "drive_refused"


class ScoreRefused(WhistError, ValueError):
    """A score or a total that cannot be; the text begins with its place."""

    code = "score_refused"
