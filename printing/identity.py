"""Context variables with the logo and short name of the club whose papers are drawn.

The code that makes a paper sets them, and every sheet drawn in that context uses them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClubIdentity:
    """A club's details on papers, in addition to its full name."""

    logo: bytes = b""
    """The logo as a PNG file; b"" for none."""
    short_name: str = ""
    """Replaces the full name where the full name would be too small; "" for none."""


_NO_IDENTITY = ClubIdentity()
_identity: ContextVar[ClubIdentity] = ContextVar("identity", default=_NO_IDENTITY)


@contextmanager
def use_club_identity(logo: bytes, short_name: str = "") -> Iterator[None]:
    """Set the logo and the short name of the papers that are drawn inside the `with` block."""
    reset_token = _identity.set(ClubIdentity(logo, short_name))
    try:
        yield
    finally:
        _identity.reset(reset_token)


def get_current_logo() -> bytes:
    """Return the logo of the club whose papers are being drawn; b"" for none."""
    return _identity.get().logo


def get_current_short_name() -> str:
    """Return the short name of the club whose papers are being drawn; "" for none."""
    return _identity.get().short_name
