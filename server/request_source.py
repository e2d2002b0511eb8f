"""The source of a request or command (pages, API, phone …), which the history shows."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_way = ContextVar("way", default="pages")


def current_request_source() -> str:
    """Return the current source: "pages" unless another is set."""
    return _way.get()


@contextmanager
def request_source(name: str) -> Iterator[None]:
    """Set the source of the acts inside the block."""
    token = _way.set(name)
    try:
        yield
    finally:
        _way.reset(token)
