"""Encrypts a backup file with a passphrase.

The key is derived from the passphrase with scrypt. The file is encrypted in chunks with AES-
GCM. Each nonce contains the chunk's number and whether it is the last chunk, so that decryption
fails if a chunk was removed or moved.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

MAGIC = b"overplay sealed 1\n"
SALT_BYTES, PREFIX_BYTES, TAG_BYTES = 16, 7, 16
"""Bytes of the salt, of the random part of a nonce, and of a chunk's authentication tag."""
CHUNK_BYTES = 1024 * 1024
SCRYPT_COST = 2**15
"""The cost of one guess at a passphrase: 32 MiB of memory."""


class DecryptionError(Exception):
    """The file cannot be decrypted."""


class WrongPassphrase(DecryptionError):
    """The passphrase is wrong, or the file was altered."""


def is_encrypted(path: Path) -> bool:
    """Return whether a file begins with the header of an encrypted backup."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def encrypt_file(source: Path, target: Path, passphrase: str) -> None:
    """Encrypt a file with a passphrase; only its owner can read the new target."""
    salt, prefix = os.urandom(SALT_BYTES), os.urandom(PREFIX_BYTES)
    cipher = AESGCM(_derive_key(passphrase, salt))
    with source.open("rb") as source_file, _open_private(target) as target_file:
        target_file.write(MAGIC + salt + prefix)
        for number, (chunk, is_last) in enumerate(_iter_chunks(source_file, CHUNK_BYTES)):
            target_file.write(
                cipher.encrypt(_build_nonce(prefix, number, is_last), chunk, MAGIC)
            )


def decrypt_file(source: Path, target: Path, passphrase: str) -> None:
    """Decrypt a file; raise WrongPassphrase and delete the target if that fails."""
    with source.open("rb") as source_file, _open_private(target) as target_file:
        header = source_file.read(len(MAGIC) + SALT_BYTES + PREFIX_BYTES)
        salt, prefix = header[len(MAGIC) : -PREFIX_BYTES], header[-PREFIX_BYTES:]
        try:
            cipher = AESGCM(_derive_key(passphrase, salt))
            for number, (chunk, is_last) in enumerate(
                _iter_chunks(source_file, CHUNK_BYTES + TAG_BYTES)
            ):
                target_file.write(
                    cipher.decrypt(_build_nonce(prefix, number, is_last), chunk, MAGIC)
                )
        except (InvalidTag, ValueError) as error:
            target_file.close()
            target.unlink()
            raise WrongPassphrase from error


def _derive_key(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=SCRYPT_COST, r=8, p=1).derive(passphrase.encode())


def _build_nonce(prefix: bytes, number: int, is_last: bool) -> bytes:
    return prefix + number.to_bytes(4, "big") + bytes([is_last])


def _iter_chunks(file: BinaryIO, size: int) -> Iterator[tuple[bytes, bool]]:
    """Yield a file in chunks, each with whether it is the last.

    An empty file is one empty chunk.
    """
    chunk = file.read(size)
    while True:
        next_chunk = file.read(size)
        yield chunk, not next_chunk
        if not next_chunk:
            return
        chunk = next_chunk


def _open_private(path: Path) -> BinaryIO:
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
