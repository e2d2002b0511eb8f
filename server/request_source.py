"""By what way a request or a command comes: the history of a club tells it of every act."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_way = ContextVar("way", default="pages")


def current_way() -> str:
    """The way by which what is done now has come: "pages" unless another is named."""
    return _way.get()


@contextmanager
def way(name: str) -> Iterator[None]:
    """Remember by what way the acts inside come: the pages, unless another is named."""
    token = _way.set(name)
    try:
        yield
    finally:
        _way.reset(token)
