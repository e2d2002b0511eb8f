"""What is wrong with an event file, all of it at once."""

from collections.abc import Sequence

from django.utils.translation import ngettext

from boards.whist.errors import WhistError

MOST_PROBLEMS = 500


class UnusableEventFile(WhistError, ValueError):
    """An event file that is refused whole; `problems` names each one by its path."""

    code = "unusable_event_file"

    def __init__(self, problems: Sequence[str]) -> None:
        kept = tuple(problems[:MOST_PROBLEMS])
        more = len(problems) - len(kept)
        if more:
            words = ngettext(
                "There is %(count)s more problem of the kinds above.",
                "There are %(count)s more problems of the kinds above.",
                more,
            )
            kept = (*kept, words % {"count": more})
        super().__init__("\n".join(kept))
        self.problems = kept
