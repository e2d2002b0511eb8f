"""Counters of frequent events in the memory of this process, which the metrics collect.

Adding to one takes a microsecond. A counter shared by all processes writes to a file each time,
which is too slow for cached responses.
"""

import threading
from collections import Counter

CounterKey = tuple[str, str, str]
"""The name of a counter and two labels, which may be ""."""


class Counters:
    """The counts since the metrics were last collected."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[CounterKey] = Counter()

    def add(self, counter: str, label: str = "", second_label: str = "") -> None:
        """Count one event under a counter's name and up to two labels."""
        with self._lock:
            self._counts[counter, label, second_label] += 1

    def take_all(self) -> Counter[CounterKey]:
        """Return all counts and reset them to zero."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        return counts


COUNTERS = Counters()
ANSWERS, GAPS, LOGINS = "answers", "gaps", "logins"
