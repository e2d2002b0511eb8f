"""The error for an event file with problems, which has all of them."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnusableEventFile(WhistError, UnreadableJson):
    """A refused event file; `problems` has each problem with its path."""

    code = "unusable_event_file"
