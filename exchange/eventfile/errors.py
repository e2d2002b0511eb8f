"""What is wrong with an event file, all of it at once."""

from collections.abc import Iterable, Sequence
from typing import Self

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError

MOST_PROBLEMS = 500


class UnusableEventFile(WhistError, ValueError):
    """An event file that is refused whole; `problems` names each one by its path."""

    code = "unusable_event_file"

    def __init__(self, problems: Sequence[str]) -> None:
        kept = tuple(problems[:MOST_PROBLEMS])
        if len(problems) > len(kept):
            kept = (*kept, _("There are more problems. Correct these first."))
        super().__init__("\n".join(kept))
        self.problems = kept


class Problems(list[str]):
    """The problems of a file; one too many raises UnusableEventFile with those found so far.

    A file of nothing but problems would otherwise take seconds.
    """

    def append(self, problem: str) -> None:
        super().append(problem)
        self._check()

    def extend(self, problems: Iterable[str]) -> None:
        super().extend(problems)
        self._check()

    def __iadd__(self, problems: Iterable[str]) -> Self:  # type: ignore[override, misc]
        self.extend(problems)
        return self

    def _check(self) -> None:
        if len(self) > MOST_PROBLEMS:
            raise UnusableEventFile(self)
