"""The exception for invalid event files."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnusableEventFile(WhistError, UnreadableJson):
    """An event file is invalid; `problems` lists each problem with its path."""

    code = "unusable_event_file"
