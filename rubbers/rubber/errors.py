"""What can be wrong with a rubber night, in words fit to show a person.

WhistError
├── UnplayableHand      a hand that cannot be as it is written; its text names no place
└── UnreadableRubber    the same with its place in front: "hand 4: tricks 7 and 7 make 14"
"""

from boards.whist.errors import WhistError
from server.json_reader.problems import UnreadableJson


class UnplayableHand(WhistError, ValueError):
    """A hand that cannot have been as it is written, or a term that nobody can play by."""

    code = "unplayable_hand"


class UnreadableRubber(WhistError, UnreadableJson):
    """A rubber, a night or a cut that cannot be read; its text begins with the place."""

    code = "unreadable_rubber"

    def __str__(self) -> str:
        """The first problem: commands and forms show one line."""
        return self.problems[0]

    @classmethod
    def at(cls, place: str, problem: object) -> "UnreadableRubber":
        """Say where something is wrong."""
        return cls(f"{place}: {problem}")
