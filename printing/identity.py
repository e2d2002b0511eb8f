"""Whose papers are being drawn: the picture that stands on their heads beside a club's name.

It is handed in once by whoever has a paper made, for every sheet that is drawn meanwhile.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_logo: ContextVar[bytes] = ContextVar("logo", default=b"")


@contextmanager
def papers_of(logo: bytes) -> Iterator[None]:
    """While it lasts papers bear this picture, a PNG; b"" is none."""
    before = _logo.set(logo)
    try:
        yield
    finally:
        _logo.reset(before)


def logo_now() -> bytes:
    """The picture of the club whose papers are being drawn; b"" is none."""
    return _logo.get()
