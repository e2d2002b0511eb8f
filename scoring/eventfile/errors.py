"""What is wrong with an event file, all of it at once."""

from collections.abc import Sequence

from boards.whist.errors import WhistError

MOST_PROBLEMS = 500


class UnusableEventFile(WhistError, ValueError):
    """An event file that is refused whole; `problems` names each one by its path."""

    code = "unusable_event_file"

    def __init__(self, problems: Sequence[str]) -> None:
        kept = tuple(problems[:MOST_PROBLEMS])
        more = len(problems) - len(kept)
        if more:
            kept = (*kept, f"There are {more} more problems of the kinds above.")
        super().__init__("\n".join(kept))
        self.problems = kept
