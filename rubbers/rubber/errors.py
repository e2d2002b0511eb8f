"""Errors of the scoring engine; their texts can be shown to users.

WhistError
├── UnplayableHand      an impossible hand: "tricks 7 and 7 make 14"
└── UnreadableRubber    the same with its place in the file: "hand 4: tricks 7 and 7 make 14"
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
    def create_at_place(cls, place: str, problem: object) -> "UnreadableRubber":
        """Create the error for a problem at a place, such as "hand 4"."""
        return cls(f"{place}: {problem}")
