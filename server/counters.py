"""Counts of what happens too often to be told one by one: summed up here, taken by the figures.

A counter that all processes share is written to a file with each count, and the answers from
memory would each pay for that; a sum in this process took a millionth of a second.
"""

import threading
from collections import Counter

What = tuple[str, str, str]
"""Which figure, and up to two words that tell its kinds apart."""


class Tallies:
    """How often each thing has happened since they were taken last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[What] = Counter()

    def add(self, figure: str, kind: str = "", ending: str = "") -> None:
        """Count one more."""
        with self._lock:
            self._counts[figure, kind, ending] += 1

    def taken(self) -> Counter[What]:
        """Give what was counted, and begin anew."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        return counts


TALLIES = Tallies()
ANSWERS, GAPS, LOGINS = "answers", "gaps", "logins"
