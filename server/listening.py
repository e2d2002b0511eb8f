"""How each process hears which numbers have grown: PostgreSQL tells, at the end of each act.

One line of its own hears what is told; it listens first and reads all numbers then, so nothing
told between is missed, and the larger number always holds. While no line is open nothing is
taken for known, and answers live as briefly as they did without numbers. SQLite tells nobody:
there the one process of a laptop asks.
"""

import logging
import threading
import time
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from server.tallies import GAPS, TALLIES

log = logging.getLogger(__name__)

At = tuple[tuple[str, int], ...]
"""The numbers that an answer was drawn at, by the things that it shows."""

CHANNEL = "overplay"
BEAT = 5.0  # seconds of silence after which a line asks to be told something
SILENT = 10.0  # seconds of silence after which it is taken for broken
AGAIN = 1.0  # seconds before a broken line is opened anew
KEEPALIVE = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "connect_timeout": 5,
}
NOT_OURS = ("cursor_factory", "context", "prepare_threshold", "isolation_level", "pool")


def written(numbers: dict[str, int]) -> str:
    """Write numbers for the head of an answer: "event:tuesday-17=4 club:ours=2"."""
    return " ".join(f"{about}={no}" for about, no in numbers.items())


def read(text: str) -> At:
    """Read what `written` has made; a thing's name has no blank and no "=" in it."""
    pairs = (each.rpartition("=") for each in text.split())
    return tuple((about, int(no)) for about, _sign, no in pairs)


class Numbers:
    """What this process knows of the numbers, and whether it would hear of a change."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.heard_at: float | None = None
        self.is_told = False  # whether this process listens at all

    def hears(self) -> bool:
        """Whether a change would have been told."""
        return self.heard_at is not None and time.monotonic() - self.heard_at < SILENT

    def learn(self, about: str, no: int) -> None:
        """Take a number that was told; an older one that comes late changes nothing."""
        if no > self.known.get(about, 0):
            self.known[about] = no

    def holds(self, numbers: At) -> bool:
        """Whether nothing that these numbers name has changed since; False if unsure."""
        known = self.known
        return self.hears() and all(known.get(about, 0) <= no for about, no in numbers)


NUMBERS = Numbers()


class Listener:
    """Keeps a line to PostgreSQL open, and what is told on it in the table of this process."""

    def __init__(self, numbers: Numbers = NUMBERS) -> None:
        self.numbers = numbers
        self.is_over = threading.Event()
        self.has_tried = threading.Event()  # once: it hears, or the database is away

    def run(self) -> None:
        """Listen until told to stop; a line that breaks is opened again."""
        while not self.is_over.is_set():
            try:
                self.listen()
            except Exception as error:  # the database is away, or starts again
                log.debug("The line that listens is down: %s", type(error).__name__)
            self.numbers.heard_at = None
            self.has_tried.set()
            TALLIES.add(GAPS)
            self.is_over.wait(AGAIN)

    def listen(self) -> None:
        """Hear one line until it breaks or falls silent."""
        import psycopg

        with psycopg.connect(**_parameters(), autocommit=True) as line:
            line.execute(f"LISTEN {CHANNEL}")
            for about, no in line.execute("SELECT about, no FROM server_shown"):
                self.numbers.learn(about, no)
            self._hear(line)
            while not self.is_over.is_set():
                said = list(line.notifies(timeout=BEAT, stop_after=1))
                if said:
                    self._hear(line, said[0].payload)
                elif not self.numbers.hears():
                    return
                else:
                    line.execute("SELECT pg_notify(%s, '')", [CHANNEL])

    def _hear(self, line: Any, payload: str = "") -> None:
        about, _blank, no = payload.rpartition(" ")
        if about and no.isdigit():
            self.numbers.learn(about, int(no))
        self.numbers.heard_at = time.monotonic()
        self.has_tried.set()


def listen() -> Listener | None:
    """Begin to listen in a thread of this process; None where the database tells nobody."""
    if connections[DEFAULT_DB_ALIAS].vendor != "postgresql":
        return None
    listener = Listener()
    listener.numbers.is_told = True
    threading.Thread(target=listener.run, name="numbers", daemon=True).start()
    return listener


def _parameters() -> dict[str, Any]:
    """How to reach the database: as the pages do, on a line of its own, past any pooler."""
    alias = "direct" if "direct" in connections.settings else DEFAULT_DB_ALIAS
    found = connections[alias].get_connection_params()
    return {key: value for key, value in found.items() if key not in NOT_OURS} | KEEPALIVE
