"""Invalidates caches in all processes, with PostgreSQL's LISTEN and NOTIFY.

A thread of each page process listens on a separate connection. It starts to listen before it
reads all versions, so that no change is missed. While it is disconnected, and on SQLite, the
versions are read from the database.
"""

import logging
import threading
from collections.abc import Mapping
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from server.counters import COUNTERS, GAPS

log = logging.getLogger(__name__)

CHANNEL = "overplay"
POLL_SECONDS = 5.0  # the interval at which the thread checks whether it should stop
RETRY_SECONDS = 1.0
# A connection to a server that disappeared without closing it fails after 11 seconds.
KEEPALIVE_OPTIONS = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "connect_timeout": 5,
}
DJANGO_ONLY_OPTIONS = (
    "cursor_factory",
    "context",
    "prepare_threshold",
    "isolation_level",
    "pool",
)


class KnownVersions:
    """The newest version numbers that this process received.

    They are complete while the listener is connected.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.has_listener = False
        self.is_connected = False

    def record(self, about: str, number: int) -> None:
        """Store a version; ignore one that is older than the stored one."""
        if number > self.numbers.get(about, 0):
            self.numbers[about] = number

    def has_nothing_newer(self, versions: Mapping[str, int]) -> bool:
        """Return whether no newer version of any of these objects is known."""
        known_numbers = self.numbers
        return all(known_numbers.get(about, 0) <= number for about, number in versions.items())


KNOWN_VERSIONS = KnownVersions()


class Listener:
    """A loop that receives version numbers from PostgreSQL and reconnects after failures."""

    def __init__(self, known_versions: KnownVersions = KNOWN_VERSIONS) -> None:
        self.known = known_versions
        self.stopping = threading.Event()

    def run(self) -> None:
        """Listen until the event `stopping` is set."""
        self.known.has_listener = True
        while not self.stopping.is_set():
            try:
                self._listen()
            except (
                Exception
            ) as error:  # psycopg's error: the database is unavailable or restarting
                log.debug("The listener lost its connection: %s", type(error).__name__)
            self.known.is_connected = False
            COUNTERS.add(GAPS)
            self.stopping.wait(RETRY_SECONDS)

    def _listen(self) -> None:
        import psycopg

        with psycopg.connect(**_build_connection_parameters(), autocommit=True) as line:
            line.execute(f"LISTEN {CHANNEL}")
            for about, number in line.execute("SELECT about, number FROM server_publicversion"):
                self.known.record(about, number)
            self._receive(line, 0)
            self.known.is_connected = True
            while not self.stopping.is_set():
                self._receive(line, POLL_SECONDS)

    def _receive(self, line: Any, seconds: float) -> None:
        for notification in line.notifies(timeout=seconds):
            about, _blank, number = notification.payload.rpartition(" ")
            self.known.record(about, int(number))


def start_listener() -> None:
    """Start a listener thread in this process, if the database is PostgreSQL."""
    if connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
        threading.Thread(target=Listener().run, name="listener", daemon=True).start()


def _build_connection_parameters() -> dict[str, Any]:
    """Return the parameters of a direct connection: LISTEN does not work through a pooler."""
    alias = "direct" if "direct" in connections.settings else DEFAULT_DB_ALIAS
    parameters = connections[alias].get_connection_params()
    return {
        key: value for key, value in parameters.items() if key not in DJANGO_ONLY_OPTIONS
    } | KEEPALIVE_OPTIONS
