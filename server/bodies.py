"""Bodies of answers for everybody, kept by their size: in this process, and shared in Redis.

A body is kept packed. What was asked for longest ago goes first, and nothing is thrown away at
once: three thousand events that are followed need a few kilobytes each. A body is drawn once,
and packed in a second form (`server.packing`) only when somebody asks for that; here both
count, and in Redis lies the one that was asked for first.
"""

import struct
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

from server.packing import Body, Form, in_form
from server.tallies import BODIES, TALLIES
from server.version import VERSION

OVERHEAD = 500  # bytes that a kept thing takes beside its body
SHARED_FOR = 3600  # seconds in Redis
AT_MOST = 0.3  # seconds that Redis may take to answer
AWAY = 5.0  # seconds for which a Redis that did not answer is not asked again
WAIT = 0.2  # seconds to wait for another process that draws the same
LOOK = 0.02  # seconds between two looks whether it has
DRAWING = 5_000  # thousandths of a second after which a drawer is taken for dead
HEAD = struct.Struct("!HBI")  # the status, the form's place, and the length of the packed body
FORMS = tuple(Form)

Kept = TypeVar("Kept")


class BySize(Generic[Kept]):
    """Things by their keys, up to so many bytes; the one used longest ago goes first."""

    def __init__(self, most: Callable[[], int]) -> None:
        self.most = most
        self.held = 0
        self.things: OrderedDict[Hashable, tuple[int, Kept]] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: Hashable) -> Kept | None:
        """Give a thing, and remember that it was wanted."""
        with self.lock:
            found = self.things.get(key)
            if found is None:
                return None
            self.things.move_to_end(key)
            return found[1]

    def set(self, key: Hashable, kept: Kept, size: int) -> None:
        """Keep a thing of so many bytes."""
        size += OVERHEAD
        with self.lock:
            if (old := self.things.pop(key, None)) is not None:
                self.held -= old[0]
            self.things[key] = (size, kept)
            self.held += size
            while self.held > self.most() and self.things:
                _key, (gone, _kept) = self.things.popitem(last=False)
                self.held -= gone

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            self.things.clear()
            self.held = 0


class SharedBodies:
    """The same bodies for all processes, in a Redis that may be away or empty at any time."""

    def __init__(self) -> None:
        self.away_until = 0.0
        self._line: Any = None

    @property
    def url(self) -> str:
        """Where the Redis is; empty for none."""
        return str(settings.REDIS_URL)

    def get(self, key: str) -> Body | None:
        """Read a body; None where there is none, or nobody answers."""
        found = self.read(key)
        if len(found) < HEAD.size:
            return None
        status, form, length = HEAD.unpack_from(found)
        packed = found[HEAD.size :]
        if len(packed) != length or form >= len(FORMS):
            return None
        return Body(status, packed, FORMS[form])

    def set(self, key: str, body: Body) -> None:
        """Write a body for an hour; never pickled, so that what is read is only bytes."""
        head = HEAD.pack(body.status, FORMS.index(body.form), len(body.packed))
        self.write(key, head + body.packed, SHARED_FOR)

    def read(self, key: str) -> bytes:
        """Read what was written; nothing where there is nothing, or nobody answers."""
        return bytes(self._ask("get", key) or b"")

    def write(self, key: str, content: bytes, seconds: int) -> None:
        """Write bytes for so long."""
        self._ask("set", key, content, ex=seconds)

    def begin(self, key: str) -> bool:
        """Whether this process is to draw it; another may be at it."""
        if not self.url or time.monotonic() < self.away_until:
            return True
        taken = self._ask("set", f"{key}/drawing", b"1", nx=True, px=DRAWING)
        return taken is not None or time.monotonic() < self.away_until

    def end(self, key: str) -> None:
        """Let others draw it again."""
        self._ask("delete", f"{key}/drawing")

    def _ask(self, act: str, *args: Any, **options: Any) -> Any:
        """Ask Redis; None where it is not used or does not answer, and then not for a while."""
        if not self.url or time.monotonic() < self.away_until:
            return None
        import redis

        try:
            if self._line is None:
                self._line = redis.Redis.from_url(
                    self.url, socket_timeout=AT_MOST, socket_connect_timeout=AT_MOST
                )
            return getattr(self._line, act)(*args, **options)
        except (redis.RedisError, OSError):
            self.away_until = time.monotonic() + AWAY
            return None


def half() -> int:
    """Half of what a process may keep: the other half is for whole answers."""
    return int(settings.CACHE_BYTES) // 2


HERE: BySize[Body] = BySize(half)
SHARED = SharedBodies()
_drawing: dict[str, threading.Lock] = {}
_table = threading.Lock()


def body(key: str, form: Form | None, draw: Callable[[], Body]) -> Body:
    """Give the body of this key; drawn once, by one thread of one process, while others wait.

    The key must name everything that the body depends on, the program and the form aside; with
    no form any will do. Who has waited a fifth of a second draws for itself.
    """
    if (found := _here(key, form)) is not None:
        TALLIES.add(BODIES, "kept")
        return found
    with _table:
        lock = _drawing.setdefault(key, threading.Lock())
    has_turn = lock.acquire(timeout=WAIT)
    try:
        if (found := _here(key, form)) is None:
            drawn = _here(key, None) or _shared(f"overplay/{build()}/body/{key}", draw)
            found = in_form(drawn, form)
            if found is not drawn:
                TALLIES.add(BODIES, "packed again")
            HERE.set((key, found.form), found, len(found.packed))
        return found
    finally:
        if has_turn:
            with _table:
                _drawing.pop(key, None)
            lock.release()


def _here(key: str, form: Form | None) -> Body | None:
    """Give what this process has of a key in a form, or in any."""
    forms = FORMS if form is None else (form,)
    return next(filter(None, (HERE.get((key, each)) for each in forms)), None)


@cache
def build() -> str:
    """Name this program and its style: what another one drew names other files."""
    return f"{VERSION}-{getattr(staticfiles_storage, 'manifest_hash', '')}"


def _shared(key: str, draw: Callable[[], Body]) -> Body:
    """Fetch a body from Redis, or draw it and put it there, unless another is at it."""
    end = time.monotonic() + WAIT
    while (found := SHARED.get(key)) is None:
        if SHARED.begin(key):
            try:
                TALLIES.add(BODIES, "drawn")
                found = draw()
                SHARED.set(key, found)
            finally:
                SHARED.end(key)
            return found
        if time.monotonic() > end:
            TALLIES.add(BODIES, "drawn")
            return draw()
        time.sleep(LOOK)
    TALLIES.add(BODIES, "shared")
    return found
