"""One answer for all who ask the same in the same moment, before Django is asked at all.

A thousand open pages ask for the standings again and again, and nearly all of them ask for the
same thing. A view marks its answer as the same for everybody and says for how long: a tenth
of a second, or one. Each process asks it no more often; who comes between gets what it said.
An answer that names the numbers it was drawn at (`server.shown`) is given on for as long as
this process would have heard of a change, and has not.
"""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from server.bodies import BySize, half
from server.listening import NUMBERS, At, read

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

FOR_ALL = "X-Overplay-For-All"
"""Marks an answer for everybody with its seconds of life; it does not leave the house."""

AT = "X-Overplay-Drawn-At"
"""Names the numbers that it was drawn at, and does not leave the house either."""
LONGEST = 300.0
"""Seconds that it is given on for all that: to ask Django once more costs some milliseconds for
each event, and three thousand of them once a minute took a third of two processors."""

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

Headers = list[tuple[str, str]]


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

    A request with a cookie or a body is always passed on.
    """

    def __init__(self, application: "WSGIApplication") -> None:
        self.application = application
        self.answers: BySize[Shared] = BySize(half)

    def __call__(self, environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        """Answer from memory, or ask."""
        if environ["REQUEST_METHOD"] != "GET" or "HTTP_COOKIE" in environ:
            return self._ask(environ, start)
        packed = "gzip" in environ.get("HTTP_ACCEPT_ENCODING", "")
        key = (packed, *(environ.get(name) for name in ASKED_BY))
        known = self.answers.get(key)
        now = time.monotonic()
        if known is not None and known.serves(now):
            start(known.status, known.headers)
            return [known.body]
        if known is None:
            return self._ask(environ, start, key, now)
        known.is_renewed = True
        try:
            return self._ask(environ, start, key, now)
        finally:
            known.is_renewed = False

    def _ask(
        self,
        environ: "WSGIEnvironment",
        start: "StartResponse",
        key: tuple[Any, ...] | None = None,
        now: float = 0.0,
    ) -> Iterable[bytes]:
        """Ask, take the mark off, and with a key remember what bore it."""
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
        self.answers.set(key, found, found.size)
        return [body]
