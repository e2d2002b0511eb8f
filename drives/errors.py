"""What can be wrong with a drive, in words fit to show a person."""

from boards.whist.errors import WhistError


class UnplayableDrive(WhistError, ValueError):
    """Players, rounds or wishes from which no drive can be drawn."""

    code = "unplayable_drive"


class UnreadableDrive(WhistError, ValueError):
    """A file of a drive that cannot be taken as it is written; the text names the place."""

    code = "unreadable_drive"
