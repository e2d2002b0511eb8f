"""Whose papers are being drawn: the picture on their heads, and the name of narrow ones.

It is handed in once by whoever has a paper made, for every sheet that is drawn meanwhile.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Identity:
    """What a club's papers bear besides its whole name."""

    logo: bytes = b""
    """A PNG; b"" is none."""
    short_name: str = ""
    """Stands where the whole name would be small print; "" where the club has none."""


_NOBODY = Identity()
_identity: ContextVar[Identity] = ContextVar("identity", default=_NOBODY)


@contextmanager
def papers_of(logo: bytes, short_name: str = "") -> Iterator[None]:
    """While it lasts papers bear this picture, and this name where they are narrow."""
    before = _identity.set(Identity(logo, short_name))
    try:
        yield
    finally:
        _identity.reset(before)


def logo_now() -> bytes:
    """The picture of the club whose papers are being drawn; b"" is none."""
    return _identity.get().logo


def short_name_now() -> str:
    """The short name of the club whose papers are being drawn; "" is none."""
    return _identity.get().short_name
