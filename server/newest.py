"""What open pages ask when they have the newest already: known for all of the day's at once.

Evenings begin everywhere at the same time. Asked one by one, for the first time, whether there
is anything new costs Django some milliseconds for each; three thousand of them held up whoever
entered a result. One reading tells it of all, until a number that it names has grown.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from django.db import DatabaseError, close_old_connections

from server.listening import NUMBERS, At, Listener

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

log = logging.getLogger(__name__)

AGAIN = 30.0  # seconds between two readings
PATIENCE = 2.0  # seconds that a process which starts waits until it hears of changes
ENOUGH = 50  # times as many are known as were asked in vain: then all are read again


class Newest(NamedTuple):
    """The question of a page that lacks nothing, and the numbers for which that holds."""

    path: str
    query: str
    at: At


Read = Callable[[], Iterable[Newest]]


class Table:
    """All such questions as they were read last; read again when too many are asked in vain.

    One whose numbers have grown is answered by Django, once, and is not missed: to read all of
    three thousand takes a processor for some tenths of a second.
    """

    def __init__(self, read: Read) -> None:
        self.read = read
        self.rows: dict[str, Newest] = {}
        self.missed: set[str] = set()
        self.next_at = 0.0
        self.lock = threading.Lock()

    def read_first(self, listener: Listener | None) -> None:
        """Read all before anybody asks, as soon as this process hears of changes.

        Else the first question of each event goes to Django in the first second of a process,
        and stands before who enters a result. A database that is away is not waited for.
        """
        if listener is not None and listener.has_tried.wait(PATIENCE) and NUMBERS.hears():
            self._read_again()

    def has(self, environ: "WSGIEnvironment") -> bool:
        """Whether who asks this has the newest; False where that is not known."""
        if "HTTP_HX_REQUEST" not in environ or not NUMBERS.hears():
            return False
        path = environ["PATH_INFO"]
        if path not in self.rows:
            self._miss(path)
        row = self.rows.get(path)
        is_asked = row is not None and row.query == environ["QUERY_STRING"]
        return is_asked and row is not None and NUMBERS.holds(row.at)

    def _miss(self, path: str) -> None:
        """Read all again where this is one too many."""
        self.missed.add(path)
        is_too_many = len(self.missed) * ENOUGH > len(self.rows)
        if is_too_many and time.monotonic() >= self.next_at:
            self._read_again()

    def _read_again(self) -> None:
        """Read all, unless another thread is at it; a database that is away says so later."""
        if not self.lock.acquire(blocking=False):
            return
        try:
            self.next_at = time.monotonic() + AGAIN
            close_old_connections()
            self.rows = {row.path: row for row in self.read()}
            self.missed.clear()
        except DatabaseError as error:
            log.debug("What is newest was not read: %s", type(error).__name__)
        finally:
            close_old_connections()
            self.lock.release()
