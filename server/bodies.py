"""Bodies of answers for everybody, kept by their size: in this process, and shared by all.

A body is kept packed. What was asked for longest ago goes first, and nothing is thrown away at
once: three thousand events that are followed need a few kilobytes each. A body is drawn once,
and packed in a second form (`server.packing`) only when somebody asks for that; here both
count, and where all processes look (`server.shared_bodies`) lies what was asked for first.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cache
from typing import Generic, TypeVar

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

from server.packing import FORMS, Body, Form, in_form
from server.shared_bodies import InFolder, InRedis, SharedBodies
from server.tallies import BODIES, TALLIES
from server.version import VERSION

OVERHEAD = 500  # bytes that a kept thing takes beside its body
WAIT = 0.2  # seconds to wait for another process that draws the same
LOOK = 0.02  # seconds between two looks whether it has

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


def half() -> int:
    """Half of what a process may keep: the other half is for whole answers."""
    return int(settings.CACHE_BYTES) // 2


HERE: BySize[Body] = BySize(half)
SHARED = InRedis()
ON_DISK = InFolder()
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


def pool() -> SharedBodies:
    """Where all processes look: in Redis, or without one in a folder of this machine."""
    return SHARED if SHARED.url else ON_DISK


def _shared(key: str, draw: Callable[[], Body]) -> Body:
    """Fetch a body from where all look, or draw it for all, unless another is at it."""
    shared, end = pool(), time.monotonic() + WAIT
    while (found := shared.get(key)) is None:
        if shared.begin(key):
            try:
                TALLIES.add(BODIES, "drawn")
                found = draw()
                shared.set(key, found)
            finally:
                shared.end(key)
            return found
        if time.monotonic() > end:
            TALLIES.add(BODIES, "drawn")
            return draw()
        time.sleep(LOOK)
    TALLIES.add(BODIES, "shared")
    return found
