"""Password hashing with argon2id, with a limit of the memory used at the same time."""

from threading import BoundedSemaphore
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher

HASH_SEMAPHORE = BoundedSemaphore(2)
"""Limits the hashes computed at the same time in one process to two of 46 MiB each."""


class LimitedArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with m = 46 MiB, t = 1, p = 1; further callers wait for a free slot.

    The parameters are the first of the equal settings in OWASP's Password Storage Cheat Sheet.
    """

    time_cost = 1
    memory_cost = 46 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Compute a hash when a slot is free."""
        with HASH_SEMAPHORE:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Compare a password with a hash when a slot is free."""
        with HASH_SEMAPHORE:
            return bool(super().verify(password, encoded))

    def harden_runtime(self, password: str, encoded: str) -> Any:
        """Do nothing: a hash with other parameters is computed again anyway."""
