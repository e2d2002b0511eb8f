"""The error for an event file with problems."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnusableEventFile(WhistError, UnreadableJson):
    """Raised if an event file is refused; `problems` has each problem with its path."""

    code = "unusable_event_file"
