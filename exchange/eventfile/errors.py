"""The error for invalid event files."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnusableEventFile(WhistError, UnreadableJson):
    """The error for an invalid event file; `problems` lists each problem with its path."""

    code = "unusable_event_file"
