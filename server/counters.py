"""Counters of frequent events in the memory of this process, which `server.metrics` collects.

A counter of prometheus_client writes to a file at each increment, which is too slow for cached
responses. Incrementing a counter here takes a microsecond.
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

    def add(self, counter_name: str, label: str = "", second_label: str = "") -> None:
        """Count one event under a counter's name and up to two labels."""
        with self._lock:
            self._counts[counter_name, label, second_label] += 1

    def pop_counts(self) -> Counter[CounterKey]:
        """Return all counts and reset them to zero."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        return counts


COUNTERS = Counters()
PAGE_RESPONSE_COUNTER, LISTENER_GAP_COUNTER, LOGIN_COUNTER = "answers", "gaps", "logins"
"""The names of the counters."""
