"""One root key, and a key of its own for each purpose, derived from it by HKDF (RFC 5869).

The root key is SECRET_KEY; SECRET_KEY_FALLBACKS are those before it, newest first. Django makes
its own keys for logins and forms of the same root, each by a name. What is written is made with
the first key; what was made with an earlier one is still known.
"""

import os
import secrets
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

KEPT, BEFORE = "secret_key", "secret_keys_before"
"""The files of a laptop: its key, and the keys before it, one a line and the newest first."""


def roots() -> tuple[str, ...]:
    """The root key, and those before it."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def derived(purpose: str) -> Iterator[bytes]:
    """The keys for a purpose: of the root key first, then of those before it."""
    for root in roots():
        yield _derived(root, purpose)


@cache
def _derived(root: str, purpose: str) -> bytes:
    info = b"overplay " + purpose.encode()
    return HKDF(SHA256(), 32, salt=None, info=info).derive(root.encode())


def new_root() -> str:
    """Make a root key."""
    return secrets.token_urlsafe(64)


def change(folder: Path) -> None:
    """Put a new key into a laptop's folder; the old one is kept as the newest before it.

    Killed half-way the old one is in both places, and nothing is lost.
    """
    kept, before = folder / KEPT, folder / BEFORE
    old = kept.read_text("ascii").strip()
    earlier = before.read_text("ascii").split() if before.exists() else []
    _write(before, "\n".join([old, *(each for each in earlier if each != old)]))
    _write(kept, new_root())


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
