"""What can be wrong with a rubber night, in words fit to show a person.

WhistError
├── UnplayableHand      a hand that cannot be as it is written; its text names no place
└── UnreadableRubber    the same with its place in front: "hand 4: tricks 7 and 7 make 14"
"""

import json

from boards.whist.errors import WhistError

LONGEST_SHOWN = 40


class UnplayableHand(WhistError, ValueError):
    """A hand that cannot have been as it is written, or a term that nobody can play by."""

    code = "unplayable_hand"


class UnreadableRubber(WhistError, ValueError):
    """A rubber, a night or a cut that cannot be read; its text begins with the place."""

    code = "unreadable_rubber"

    @classmethod
    def at(cls, place: str, problem: object) -> "UnreadableRubber":
        """Say where something is wrong."""
        return cls(f"{place}: {problem}")


def shown(value: object) -> str:
    """Write a value of a file on one line, and not at length."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"
    text = "".join(sign if sign.isprintable() else "?" for sign in text)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
