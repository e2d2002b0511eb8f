"""Password hashing: argon2id, with a limit to the memory used at the same time."""

from threading import BoundedSemaphore
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher

MAX_PARALLEL_HASHES = BoundedSemaphore(2)
"""Hashes computed at the same time in one process; each takes 46 MiB."""


class Argon2(Argon2PasswordHasher):
    """Argon2id with m = 46 MiB, t = 1, p = 1; further callers wait for a free slot.

    [OWASP, Password Storage Cheat Sheet: the first of its equal settings]
    """

    time_cost = 1
    memory_cost = 46 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Compute a hash, when a slot is free."""
        with MAX_PARALLEL_HASHES:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Compare with a hash, when a slot is free."""
        with MAX_PARALLEL_HASHES:
            return bool(super().verify(password, encoded))

    def harden_runtime(self, password: str, encoded: str) -> Any:
        """Do nothing: the cost is in the settings, and a foreign hash is computed again."""
