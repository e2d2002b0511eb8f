"""One answer for all who ask the same in the same moment, before Django is asked at all.

A thousand open pages ask for the standings again and again, and nearly all of them ask for the
same thing. A view marks its answer as the same for everybody and says for how long: a tenth
of a second, or one. Each process asks it no more often; who comes between gets what it said.
An answer that names the numbers it was drawn at (`server.shown`) is given on for as long as
this process would have heard of a change, and has not. Such answers lie in Redis too, or
without it in the machine's folder, for the other processes and for one that has just been
started: with three thousand events followed each of them would else ask Django for all.

Open pages ask again in a second, so they give way: where several of their questions are being
answered anew already, one more is told that there is nothing new yet. An entry then waits for
two of them at most, however many events are asked for the first time in the same moment.
"""

import json
import re
import threading
import time
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from server.bodies import SHARED, BySize, build, half
from server.listening import NUMBERS, At, read, written
from server.newest import Table
from server.packing import asked_for
from server.shared_bodies import InFolder, SharedBodies
from server.tallies import ANSWERS, TALLIES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

FOR_ALL = "X-Overplay-For-All"
"""Marks an answer for everybody with its seconds of life; it does not leave the house."""

AT = "X-Overplay-Drawn-At"
"""Names the numbers that it was drawn at, and does not leave the house either."""
LONGEST = 300.0
"""Seconds that it is given on for all that: to ask Django once more costs some milliseconds for
each event, and three thousand of them once a minute took a third of two processors."""

AT_ONCE = 1
"""Questions of open pages that a process has answered anew in the same moment."""
FOLLOWS = re.compile(r"(?:^|&)seen=\d")
"""What the address of an open page's question has in it: the number of what it shows."""
NOTHING_NEW = ("204 No Content", [("Cache-Control", "no-store")])

RENEWED = 0.4  # seconds that an answer is given on while one who asked has it drawn anew
ASKED_BY = (
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_HOST",
    "wsgi.url_scheme",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_HX_REQUEST",
    "HTTP_ACCEPT_LANGUAGE",
)
"""All of a request that an answer for everybody may depend on, packing aside."""

ON_DISK = InFolder()
"""Beside that of the bodies: answers are written again and again, and would use up its room."""

Headers = list[tuple[str, str]]
Key = tuple[Any, ...]


class Shared:
    """An answer as it was given, and when it was asked for."""

    def __init__(
        self, asked_at: float, mark: "Mark", status: str, headers: Headers, body: bytes
    ) -> None:
        self.asked_at = asked_at
        self.mark = mark
        self.status = status
        self.headers = headers
        self.body = body
        self.is_renewed = False

    @classmethod
    def read(cls, written: bytes, now: float) -> "Shared | None":
        """Read what another process has written, by this one's clock; None if it is no answer.

        Its numbers must be the very ones this process knows: after a database was put back an
        answer of before names larger ones, and shows what is no longer there.
        """
        head, _line, body = written.partition(b"\n")
        try:
            asked_at, status, headers, life, at, length = json.loads(head)
            mark = Mark(life, read(at))
            found = cls(
                now - max(time.time() - asked_at, 0),
                mark,
                status,
                [(name, value) for name, value in headers],
                body,
            )
        except (ValueError, TypeError):
            return None
        known = NUMBERS.known
        is_same = all(known.get(about, 0) == no for about, no in mark.at)
        return found if len(body) == length and is_same and found.serves(now) else None

    def written(self, now: float) -> bytes:
        """Write it so that nothing but text and bytes is read again."""
        asked_at = time.time() - (now - self.asked_at)
        at = written(dict(self.mark.at))
        head = [asked_at, self.status, self.headers, self.mark.life, at, len(self.body)]
        return json.dumps(head).encode() + b"\n" + self.body

    def serves(self, now: float) -> bool:
        """Whether it is young enough to be given to one more, or nothing has changed since."""
        age = now - self.asked_at
        if age < self.mark.life + (RENEWED if self.is_renewed else 0.0):
            return True
        return bool(self.mark.at) and age < LONGEST and NUMBERS.holds(self.mark.at)

    @property
    def size(self) -> int:
        """What it takes, in bytes."""
        return len(self.body) + sum(len(name) + len(value) for name, value in self.headers)


class Mark(NamedTuple):
    """How long an answer is the same for everybody: seconds, and the numbers it holds for."""

    life: float
    at: At

    @classmethod
    def of(cls, headers: Headers) -> "Mark | None":
        """Read it from the heads of an answer; None for one that is not for everybody."""
        said = dict(headers)
        if FOR_ALL not in said:
            return None
        return cls(float(said[FOR_ALL]), read(said.get(AT, "")))


class Sharing:
    """A WSGI application that asks another one, but not twice at once for the same.

    A request with a cookie or a body is always passed on. With a table of what is newest an
    open page that lacks nothing is told so in the words that such a one was told first.
    """

    def __init__(self, application: "WSGIApplication", newest: Table | None = None) -> None:
        self.application = application
        self.newest = newest
        self.nothing_new: tuple[str, Headers] | None = None
        self.answers: BySize[Shared] = BySize(half)
        self.turns = threading.BoundedSemaphore(AT_ONCE)

    def __call__(self, environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        """Answer from memory, or ask."""
        if environ["REQUEST_METHOD"] != "GET" or "HTTP_COOKIE" in environ:
            return self._ask(environ, start)
        form = asked_for(environ.get("HTTP_ACCEPT_ENCODING", ""))
        key = (form, *(environ.get(name) for name in ASKED_BY))
        known = self.answers.get(key)
        now, how = time.monotonic(), "kept"
        if known is None and self.nothing_new and self.newest and self.newest.has(environ):
            TALLIES.add(ANSWERS, "newest", "204")
            start(*self.nothing_new)
            return []
        if known is None or (known.mark.at and not known.serves(now)):
            found = self._of_another(key, now)
            known, how = (known, how) if found is None else (found, "shared")
        if known is not None and known.serves(now):
            TALLIES.add(ANSWERS, how, known.status[:3])
            start(known.status, known.headers)
            return [known.body]
        if not FOLLOWS.search(environ["QUERY_STRING"]):
            return self._ask_anew(environ, start, key, known)
        if not self.turns.acquire(blocking=False):  # others are asking
            TALLIES.add(ANSWERS, "put off", "204")
            start(*NOTHING_NEW)
            return []
        try:
            return self._ask_anew(environ, start, key, known)
        finally:
            self.turns.release()

    def _ask_anew(
        self,
        environ: "WSGIEnvironment",
        start: "StartResponse",
        key: Key,
        known: Shared | None,
    ) -> Iterable[bytes]:
        """Ask; who asks the same meanwhile is given for a moment what was known."""
        if known is None:
            return self._ask(environ, start, key)
        known.is_renewed = True
        try:
            return self._ask(environ, start, key)
        finally:
            known.is_renewed = False

    def _of_another(self, key: Key, now: float) -> Shared | None:
        """Give what another process was answered, where this one would hear of a change."""
        if not NUMBERS.hears():
            return None
        found = Shared.read(_pool().read(_named(key)), now)
        if found is not None:
            self.answers.set(key, found, found.size)
        return found

    def _ask(
        self,
        environ: "WSGIEnvironment",
        start: "StartResponse",
        key: Key | None = None,
    ) -> Iterable[bytes]:
        """Ask, take the mark off, and with a key remember what bore it."""
        now = time.monotonic()
        marked: list[tuple[Mark, str, Headers]] = []

        def starting(status: str, headers: Headers, *error: Any) -> Any:
            plain = [each for each in headers if each[0] not in (FOR_ALL, AT)]
            if mark := Mark.of(headers):
                marked.append((mark, status, plain))
            return start(status, plain, *error)

        answer = self.application(environ, starting)
        if not marked or key is None:
            return answer
        try:
            body = b"".join(answer)
        finally:
            getattr(answer, "close", lambda: None)()
        found = Shared(now, *marked[0], body)
        TALLIES.add(ANSWERS, "asked", found.status[:3])
        if found.mark.at and not body and FOLLOWS.search(environ["QUERY_STRING"]):
            self.nothing_new = (found.status, found.headers)
        self.answers.set(key, found, found.size)
        if found.mark.at and NUMBERS.hears():
            _pool().write(_named(key), found.written(time.monotonic()), int(LONGEST))
        return [body]


def _pool() -> SharedBodies:
    return SHARED if SHARED.url else ON_DISK


def _named(key: Key) -> str:
    """Name a request where all processes look, however long its address is."""
    return f"overplay/{build()}/answer/{sha256(json.dumps(key).encode()).hexdigest()}"
