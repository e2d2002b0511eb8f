"""Where all processes have what one of them has drawn: in Redis, or in a folder of the machine.

What lies there is shown to everybody as it is, so it is never pickled and holds only bytes. All
of it may be gone at any time: whoever does not find a body draws it.
"""

import os
import struct
import threading
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any

from django.conf import settings

from server.packing import FORMS, Body

SHARED_FOR = 3600  # seconds
AT_MOST = 0.3  # seconds that Redis may take to answer
AWAY = 5.0  # seconds for which what did not answer, or a full disk, is not asked again
DRAWING = 5.0  # seconds after which a drawer is taken for dead
HEAD = struct.Struct("!HBI")  # the status, the form's place, and the length of the packed body


class SharedBodies(ABC):
    """The same bodies for all processes, at a place that may be away or empty at any time."""

    def __init__(self) -> None:
        self.away_until = 0.0

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
        """Write a body for an hour."""
        head = HEAD.pack(body.status, FORMS.index(body.form), len(body.packed))
        self.write(key, head + body.packed, SHARED_FOR)

    @property
    def is_away(self) -> bool:
        """Whether it did not answer a moment ago."""
        return time.monotonic() < self.away_until

    def go_away(self) -> None:
        """Do not ask it for a while."""
        self.away_until = time.monotonic() + AWAY

    @abstractmethod
    def read(self, key: str) -> bytes:
        """Read what was written; nothing where there is nothing, or nobody answers."""

    @abstractmethod
    def write(self, key: str, content: bytes, seconds: int) -> None:
        """Write bytes for so long."""

    @abstractmethod
    def begin(self, key: str) -> bool:
        """Whether this process is to draw it; another may be at it."""

    @abstractmethod
    def end(self, key: str) -> None:
        """Let others draw it again."""


class InRedis(SharedBodies):
    """In a Redis, for the processes of all machines."""

    def __init__(self) -> None:
        super().__init__()
        self._line: Any = None

    @property
    def url(self) -> str:
        """Where the Redis is; empty for none."""
        return str(settings.REDIS_URL)

    def read(self, key: str) -> bytes:
        """Read what was written; nothing where there is nothing, or nobody answers."""
        return bytes(self._ask("get", key) or b"")

    def write(self, key: str, content: bytes, seconds: int) -> None:
        """Write bytes for so long."""
        self._ask("set", key, content, ex=seconds)

    def begin(self, key: str) -> bool:
        """Whether this process is to draw it; another may be at it."""
        if not self.url or self.is_away:
            return True
        taken = self._ask("set", f"{key}/drawing", b"1", nx=True, px=int(DRAWING * 1000))
        return taken is not None or self.is_away

    def end(self, key: str) -> None:
        """Let others draw it again."""
        self._ask("delete", f"{key}/drawing")

    def _ask(self, act: str, *args: Any, **options: Any) -> Any:
        """Ask Redis; None where it is not used or does not answer, and then not for a while."""
        if not self.url or self.is_away:
            return None
        import redis

        try:
            if self._line is None:
                self._line = redis.Redis.from_url(
                    self.url, socket_timeout=AT_MOST, socket_connect_timeout=AT_MOST
                )
            return getattr(self._line, act)(*args, **options)
        except (redis.RedisError, OSError):
            self.go_away()
            return None


class InFolder(SharedBodies):
    """In files, for the processes of one machine and for those that are started after them.

    Each hour has a folder of its own, is read for one hour more, and then goes whole: nothing
    has to be looked through. A process writes no more in an hour than it keeps in its memory.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._hour, self._written = 0, 0

    def read(self, key: str) -> bytes:
        """Read what was written in this hour or in the one before."""
        name, hour = _named(key), _hour()
        for each in (hour, hour - 1):
            with suppress(OSError):
                return (_folder(each) / name).read_bytes()
        return b""

    def write(self, key: str, content: bytes, seconds: int) -> None:
        """Write bytes for an hour or two: whoever reads meets all of them or none."""
        hour = _hour()
        if self.is_away or not self._has_room(hour, len(content)):
            return
        file = _folder(hour) / _named(key)
        part = file.with_name(f"{file.name}.{os.getpid()}-{threading.get_ident()}")
        try:
            _open(hour)
            part.write_bytes(content)
            part.replace(file)
        except OSError:
            self.go_away()
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def begin(self, key: str) -> bool:
        """Whether this process is to draw it: it is if nobody is, or has been for too long."""
        mark = _mark(key)
        try:
            _open(_hour())
            mark.open("x").close()
        except FileExistsError:
            return self._take_over(mark)
        except OSError:
            self.go_away()
        return True

    def end(self, key: str) -> None:
        """Let others draw it again."""
        with suppress(OSError):
            _mark(key).unlink(missing_ok=True)

    def _take_over(self, mark: Path) -> bool:
        try:
            # A mark of the future is of before a clock was put back: nobody draws any more.
            if abs(time.time() - mark.stat().st_mtime) < DRAWING:
                return False
            mark.touch()
        except OSError:  # it has just been ended
            return True
        return True

    def _has_room(self, hour: int, size: int) -> bool:
        with self._lock:
            if self._hour != hour:
                self._hour, self._written = hour, 0
            self._written += size
            return self._written <= int(settings.CACHE_BYTES)


def _hour() -> int:
    return int(time.time() // SHARED_FOR)


def _named(key: str) -> str:
    """Name a file, however long the key is and whatever is in it."""
    return sha256(key.encode()).hexdigest()


def _mark(key: str) -> Path:
    """The file that is there while a body is drawn."""
    return _folder(_hour()) / f"{_named(key)}.drawing"


def _folder(hour: int) -> Path:
    return Path(settings.BODIES_DIR) / str(hour)


def _open(hour: int) -> None:
    """Make the folder of an hour, and take away those that are not read any more."""
    folder = _folder(hour)
    if folder.is_dir():
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in folder.parent.iterdir():
        if each.name not in (str(hour), str(hour - 1)):
            rmtree(each, ignore_errors=True)
