"""Errors of the scoring engine; their texts can be shown to users.

WhistError
├── UnplayableHand      an impossible hand; its text names no place
└── UnreadableRubber    the same with its place first: "hand 4: tricks 7 and 7 make 14"
"""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnplayableHand(WhistError, ValueError):
    """An impossible hand, or a term with an invalid value."""

    code = "unplayable_hand"


class UnreadableRubber(WhistError, UnreadableJson):
    """A rubber, a night or a cut that cannot be read; the text begins with the place."""

    code = "unreadable_rubber"

    def __str__(self) -> str:
        """Return the first problem, since commands and forms show one line."""
        return self.problems[0]

    @classmethod
    def at_place(cls, place: str, problem: object) -> "UnreadableRubber":
        """Create the error with its place."""
        return cls(f"{place}: {problem}")
