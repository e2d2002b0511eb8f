"""Encryption of a file with a passphrase.

The key is derived from the passphrase by scrypt; the file is encrypted with AES-GCM in chunks.
Each chunk is authenticated with its number and whether it is the last, so no chunk can be left
out, moved or cut off unnoticed.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

MAGIC = b"overplay sealed 1\n"
SALT, PREFIX, TAG = 16, 7, 16
"""Bytes of the salt, of the first part of a piece's number, and of its seal."""
CHUNK_BYTES = 1024 * 1024
SCRYPT_COST = 2**15
"""The cost of one guess at a passphrase: 32 MiB of memory."""


class Sealed(Exception):
    """The file cannot be decrypted."""


class WrongPassphrase(Sealed):
    """The passphrase is wrong, or the file was altered."""


def is_sealed(path: Path) -> bool:
    """Return whether a file begins with the header of an encrypted one."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def seal(source: Path, target: Path, passphrase: str) -> None:
    """Encrypt a file with a passphrase; the target is new and readable by its owner only."""
    salt, prefix = os.urandom(SALT), os.urandom(PREFIX)
    lock = AESGCM(_key(passphrase, salt))
    with source.open("rb") as plain, _private(target) as out:
        out.write(MAGIC + salt + prefix)
        for number, (piece, is_last) in enumerate(_pieces(plain, CHUNK_BYTES)):
            out.write(lock.encrypt(_nonce(prefix, number, is_last), piece, MAGIC))


def unseal(source: Path, target: Path, passphrase: str) -> None:
    """Decrypt a file; raise WrongPassphrase, and leave no target then."""
    with source.open("rb") as sealed, _private(target) as out:
        head = sealed.read(len(MAGIC) + SALT + PREFIX)
        salt, prefix = head[len(MAGIC) : -PREFIX], head[-PREFIX:]
        try:
            lock = AESGCM(_key(passphrase, salt))
            for number, (piece, is_last) in enumerate(_pieces(sealed, CHUNK_BYTES + TAG)):
                out.write(lock.decrypt(_nonce(prefix, number, is_last), piece, MAGIC))
        except (InvalidTag, ValueError) as error:
            out.close()
            target.unlink()
            raise WrongPassphrase from error


def _key(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=SCRYPT_COST, r=8, p=1).derive(passphrase.encode())


def _nonce(prefix: bytes, number: int, is_last: bool) -> bytes:
    return prefix + number.to_bytes(4, "big") + bytes([is_last])


def _pieces(file: BinaryIO, size: int) -> Iterator[tuple[bytes, bool]]:
    """Yield a file in chunks, each with whether it is the last; an empty file is one chunk."""
    piece = file.read(size)
    while True:
        following = file.read(size)
        yield piece, not following
        if not following:
            return
        piece = following


def _private(path: Path) -> BinaryIO:
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
