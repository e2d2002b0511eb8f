"""Encrypt and decrypt a backup file with a passphrase.

The key is derived with scrypt, and the file is encrypted in chunks with AES-GCM. Each nonce
contains the chunk's number and whether it is the last chunk. Decryption therefore fails if a
chunk was removed or moved.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

ENCRYPTED_FILE_MAGIC = b"overplay sealed 1\n"
SALT_BYTES, NONCE_PREFIX_BYTES, TAG_BYTES = 16, 7, 16
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
        return file.read(len(ENCRYPTED_FILE_MAGIC)) == ENCRYPTED_FILE_MAGIC


def encrypt_file(source_path: Path, target_path: Path, passphrase: str) -> None:
    """Encrypt a file with a passphrase. Only the owner of the new file can read it."""
    salt, nonce_prefix = os.urandom(SALT_BYTES), os.urandom(NONCE_PREFIX_BYTES)
    cipher = AESGCM(_derive_key(passphrase, salt))
    with (
        source_path.open("rb") as source_file,
        _create_private_file(target_path) as target_file,
    ):
        target_file.write(ENCRYPTED_FILE_MAGIC + salt + nonce_prefix)
        for chunk_number, (chunk, is_last) in enumerate(_iter_chunks(source_file, CHUNK_BYTES)):
            target_file.write(
                cipher.encrypt(
                    _build_nonce(nonce_prefix, chunk_number, is_last),
                    chunk,
                    ENCRYPTED_FILE_MAGIC,
                )
            )


def decrypt_file(source_path: Path, target_path: Path, passphrase: str) -> None:
    """Decrypt a file; raise WrongPassphrase and delete the target if that fails."""
    with (
        source_path.open("rb") as source_file,
        _create_private_file(target_path) as target_file,
    ):
        header = source_file.read(len(ENCRYPTED_FILE_MAGIC) + SALT_BYTES + NONCE_PREFIX_BYTES)
        salt, nonce_prefix = (
            header[len(ENCRYPTED_FILE_MAGIC) : -NONCE_PREFIX_BYTES],
            header[-NONCE_PREFIX_BYTES:],
        )
        try:
            cipher = AESGCM(_derive_key(passphrase, salt))
            for chunk_number, (chunk, is_last) in enumerate(
                _iter_chunks(source_file, CHUNK_BYTES + TAG_BYTES)
            ):
                target_file.write(
                    cipher.decrypt(
                        _build_nonce(nonce_prefix, chunk_number, is_last),
                        chunk,
                        ENCRYPTED_FILE_MAGIC,
                    )
                )
        except (InvalidTag, ValueError) as error:
            target_file.close()
            target_path.unlink()
            raise WrongPassphrase from error


def _derive_key(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=SCRYPT_COST, r=8, p=1).derive(passphrase.encode())


def _build_nonce(nonce_prefix: bytes, chunk_number: int, is_last: bool) -> bytes:
    return nonce_prefix + chunk_number.to_bytes(4, "big") + bytes([is_last])


def _iter_chunks(file: BinaryIO, chunk_size: int) -> Iterator[tuple[bytes, bool]]:
    """Yield the chunks of a file, each with a boolean that is True for the last one.

    An empty file has one empty chunk.
    """
    chunk = file.read(chunk_size)
    while True:
        next_chunk = file.read(chunk_size)
        yield chunk, not next_chunk
        if not next_chunk:
            return
        chunk = next_chunk


def _create_private_file(path: Path) -> BinaryIO:
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
