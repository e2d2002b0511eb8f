"""Exceptions of the scoring engine; their messages can be shown to users.

WhistError
├── UnplayableHand      an impossible hand, e.g. "tricks 7 and 7 make 14"
└── UnreadableRubber    with the path in the file, e.g. "hand 4: tricks 7 and 7 make 14"
"""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnplayableHand(WhistError, ValueError):
    """Raised for an impossible hand, or for a scoring term with an invalid value."""

    code = "unplayable_hand"


class UnreadableRubber(WhistError, UnreadableJson):
    """Raised for an invalid rubber, night or cut; the message begins with its path."""

    code = "unreadable_rubber"

    def __str__(self) -> str:
        """Return only the first problem, because commands and forms show one line."""
        return self.problems[0]

    @classmethod
    def create_at_path(cls, path: str, problem: object) -> "UnreadableRubber":
        """Create the exception for a problem at a path such as "hand 4"."""
        return cls(f"{path}: {problem}")
