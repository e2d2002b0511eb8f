"""The source of a change, e.g. pages, API or phone, which the history shows."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_request_source = ContextVar("request_source", default="pages")


def get_request_source() -> str:
    """Return the source of the current request; the default is "pages"."""
    return _request_source.get()


@contextmanager
def set_request_source(source: str) -> Iterator[None]:
    """Set the source of all changes made inside a `with` block."""
    token = _request_source.set(source)
    try:
        yield
    finally:
        _request_source.reset(token)
