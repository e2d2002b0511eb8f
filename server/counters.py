"""In-process counters of frequent events, collected by the metrics.

A counter shared by all processes writes to a file on each count, which is too slow for cached
responses; adding to a sum in this process takes a microsecond.
"""

import threading
from collections import Counter

CounterKey = tuple[str, str, str]
"""The counter, and up to two labels."""


class Counters:
    """The counts since they were last collected."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[CounterKey] = Counter()

    def add(self, figure: str, kind: str = "", ending: str = "") -> None:
        """Count one event."""
        with self._lock:
            self._counts[figure, kind, ending] += 1

    def taken(self) -> Counter[CounterKey]:
        """Return the counts and reset them."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        return counts


COUNTERS = Counters()
ANSWERS, GAPS, LOGINS = "answers", "gaps", "logins"
