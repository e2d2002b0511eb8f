"""How passwords are kept: argon2id, with bounds on the memory that signing in may take."""

from threading import BoundedSemaphore
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher

AT_ONCE = BoundedSemaphore(2)
"""Hashes that one process makes at the same time; each takes its 46 MiB while it lasts."""


class Argon2(Argon2PasswordHasher):
    """Argon2id with m = 46 MiB, t = 1, p = 1; whoever comes third waits.

    [OWASP, Password Storage Cheat Sheet: the first of its equal settings]
    """

    time_cost = 1
    memory_cost = 46 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Make a hash, in its turn."""
        with AT_ONCE:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Compare with a hash, in its turn."""
        with AT_ONCE:
            return bool(super().verify(password, encoded))

    def harden_runtime(self, password: str, encoded: str) -> Any:
        """Nothing: its cost is in its settings, and a hash by others is made anew."""
