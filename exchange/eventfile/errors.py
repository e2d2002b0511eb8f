"""What is wrong with an event file, all of it at once."""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnusableEventFile(WhistError, UnreadableJson):
    """An event file that is refused whole; `problems` names each one by its path."""

    code = "unusable_event_file"
