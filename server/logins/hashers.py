"""Password hashing with argon2id, with a limit on concurrent hashes to limit memory."""

from threading import BoundedSemaphore
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher

HASH_SEMAPHORE = BoundedSemaphore(2)
"""Limits each process to two concurrent hashes, which use 46 MiB each."""


class LimitedArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with m = 46 MiB, t = 1, p = 1 and a limit on concurrent hashes.

    OWASP's Password Storage Cheat Sheet lists these parameters.
    """

    time_cost = 1
    memory_cost = 46 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Wait until fewer than two hashes are computed, then hash the password."""
        with HASH_SEMAPHORE:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Wait until fewer than two hashes are computed, then verify the password."""
        with HASH_SEMAPHORE:
            return bool(super().verify(password, encoded))

    def harden_runtime(self, password: str, encoded: str) -> Any:
        """Do nothing: a hash with old parameters is recomputed at sign-in anyway."""
