"""Derive a key for each purpose from one root key with HKDF (RFC 5869).

The root key is SECRET_KEY. SECRET_KEY_FALLBACKS are old root keys, newest first. New values are
made with the key that is derived from SECRET_KEY; values made with old keys can still be read.
"""

import os
import secrets
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

KEY_FILE_NAME, OLD_KEYS_FILE_NAME = "secret_key", "secret_keys_before"
"""The files with a laptop's root key, and with the old root keys (one a line, newest first)."""


def list_root_keys() -> tuple[str, ...]:
    """Return the root key, followed by the previous ones."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def derive_keys(purpose: str) -> Iterator[bytes]:
    """Yield the keys for a purpose, derived from the root key and the previous ones."""
    for root_key in list_root_keys():
        yield _derive_key(root_key, purpose)


@cache
def _derive_key(root_key: str, purpose: str) -> bytes:
    purpose_bytes = b"overplay " + purpose.encode()
    return HKDF(SHA256(), 32, salt=None, info=purpose_bytes).derive(root_key.encode())


def generate_root_key() -> str:
    """Generate a random root key."""
    return secrets.token_urlsafe(64)


def rotate_root_key(folder: Path) -> None:
    """Replace the root key in a laptop's data folder by a new one."""
    replace_root_key(folder, generate_root_key())


def replace_root_key(
    folder: Path, root_key: str, additional_old_keys: Sequence[str] = ()
) -> None:
    """Replace the root key in a laptop's data folder.

    The present root key becomes the newest old key, followed by `additional_old_keys` and the
    stored old keys. If the function is interrupted, no key is lost.
    """
    key_file, old_keys_file = folder / KEY_FILE_NAME, folder / OLD_KEYS_FILE_NAME
    old_keys = [
        *_read_keys(key_file),
        *additional_old_keys,
        *_read_keys(old_keys_file),
    ]
    remaining_old_keys = [key for key in dict.fromkeys(old_keys) if key != root_key]
    if remaining_old_keys:
        _write_private_file(old_keys_file, "\n".join(remaining_old_keys))
    _write_private_file(key_file, root_key)


def _read_keys(path: Path) -> list[str]:
    return path.read_text("ascii").split() if path.exists() else []


def _write_private_file(path: Path, file_text: str) -> None:
    temporary_path = path.with_name(f"{path.name}.new")
    temporary_path.unlink(missing_ok=True)
    try:
        with os.fdopen(
            os.open(temporary_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w"
        ) as file:
            file.write(file_text)
            file.flush()
            os.fsync(file.fileno())
        temporary_path.replace(path)
    finally:
        temporary_path.unlink(missing_ok=True)
