"""Derives a key for each purpose from one root key with HKDF (RFC 5869).

The root key is SECRET_KEY. SECRET_KEY_FALLBACKS are earlier root keys, newest first. Django
derives its keys for sessions and forms from the same root keys. Only the first key is used for
new values, but values made with an earlier one can still be read.
"""

import os
import secrets
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

KEY_FILE, OLD_KEYS_FILE = "secret_key", "secret_keys_before"
"""Files of a laptop: the root key, and the earlier ones, one per line and newest first."""


def list_root_keys() -> tuple[str, ...]:
    """Return the root key, followed by the previous ones."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def derive_keys(purpose: str) -> Iterator[bytes]:
    """Yield the keys for a purpose, derived from the root key and the previous ones."""
    for root in list_root_keys():
        yield _derive_key(root, purpose)


@cache
def _derive_key(root: str, purpose: str) -> bytes:
    info = b"overplay " + purpose.encode()
    return HKDF(SHA256(), 32, salt=None, info=info).derive(root.encode())


def generate_root_key() -> str:
    """Generate a random root key."""
    return secrets.token_urlsafe(64)


def change_root_key(folder: Path) -> None:
    """Replace the root key in a laptop's data folder.

    The old one becomes the newest earlier key. If this is interrupted, the old key is in both
    files and nothing is lost.
    """
    key_file, old_keys_file = folder / KEY_FILE, folder / OLD_KEYS_FILE
    old = key_file.read_text("ascii").strip()
    earlier = old_keys_file.read_text("ascii").split() if old_keys_file.exists() else []
    _write_private(old_keys_file, "\n".join([old, *(key for key in earlier if key != old)]))
    _write_private(key_file, generate_root_key())


def _write_private(path: Path, text: str) -> None:
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
