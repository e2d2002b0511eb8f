"""Cache invalidation in all processes, with PostgreSQL's LISTEN and NOTIFY.

A thread of each page process listens on a separate connection. It starts to listen before it
reads all versions, so that it misses no change. While it is disconnected, and on SQLite, pages
read the versions from the database.
"""

import logging
import threading
from collections.abc import Mapping
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from server.counters import COUNTERS, LISTENER_GAP_COUNTER

log = logging.getLogger(__name__)

NOTIFY_CHANNEL = "overplay"
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
"""Connection parameters of Django that are not passed to psycopg's `connect`."""


class KnownVersions:
    """The newest version numbers that this process has received.

    `newest_versions_by_subject` is a dict from an object's key, e.g. "event:tuesday-17", to its
    version number. No version is missing while the listener is connected.
    """

    def __init__(self) -> None:
        self.newest_versions_by_subject: dict[str, int] = {}
        self.has_listener = False
        self.is_connected = False

    def record(self, subject: str, version: int) -> None:
        """Store a version; ignore one that is older than the stored one."""
        if version > self.newest_versions_by_subject.get(subject, 0):
            self.newest_versions_by_subject[subject] = version

    def are_all_current(self, versions_by_subject: Mapping[str, int]) -> bool:
        """Return whether no newer version is known of any object in `versions_by_subject`."""
        newest_versions_by_subject = self.newest_versions_by_subject
        return all(
            newest_versions_by_subject.get(subject, 0) <= version
            for subject, version in versions_by_subject.items()
        )


KNOWN_VERSIONS = KnownVersions()


class Listener:
    """A loop that receives version numbers from PostgreSQL and reconnects after failures."""

    def __init__(self, known_versions: KnownVersions = KNOWN_VERSIONS) -> None:
        self.known_versions = known_versions
        self.stop_event = threading.Event()

    def run(self) -> None:
        """Listen until the event `stop_event` is set."""
        self.known_versions.has_listener = True
        while not self.stop_event.is_set():
            try:
                self._listen()
            # psycopg cannot be imported on SQLite, so its errors are not listed here
            except Exception as error:
                log.debug("The listener lost its connection: %s", type(error).__name__)
            self.known_versions.is_connected = False
            COUNTERS.add(LISTENER_GAP_COUNTER)
            self.stop_event.wait(RETRY_SECONDS)

    def _listen(self) -> None:
        import psycopg

        with psycopg.connect(**_build_connection_parameters(), autocommit=True) as connection:
            connection.execute(f"LISTEN {NOTIFY_CHANNEL}")
            for subject, version in connection.execute(
                "SELECT about, number FROM server_publicversion"
            ):
                self.known_versions.record(subject, version)
            self._receive_notifications(connection, 0)
            self.known_versions.is_connected = True
            while not self.stop_event.is_set():
                self._receive_notifications(connection, POLL_SECONDS)

    def _receive_notifications(self, connection: Any, timeout_seconds: float) -> None:
        for notification in connection.notifies(timeout=timeout_seconds):
            subject, _blank, version = notification.payload.rpartition(" ")
            self.known_versions.record(subject, int(version))


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
