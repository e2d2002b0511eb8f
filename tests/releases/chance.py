"""A fixed clock and fixed random numbers, so that the same night is created twice."""

import os
import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from django.utils import timezone

CLOCK_STEP = timedelta(seconds=7)
"""How far the clock advances each time that it is read."""


@dataclass
class Clock:
    """A clock that advances when it is read."""

    moment: datetime

    def advance_and_read(self) -> datetime:
        """Advance the clock and return the time."""
        self.moment += CLOCK_STEP
        return self.moment

    def wait(self, **time: float) -> None:
        """Let time pass, given as to `timedelta`."""
        self.moment += timedelta(**time)


@contextmanager
def fix_clock_and_secrets(moment: datetime, seed: str = "") -> Iterator[Clock]:
    """Start the clock at a moment, and derive secrets from a seed if one is given."""
    clock = Clock(moment.astimezone(UTC))
    drawn_random, drawn_uids = random.Random(seed), random.Random(f"{seed} uid")
    with patch.object(timezone, "now", clock.advance_and_read):
        if not seed:
            yield clock
            return
        with (
            patch.object(secrets, "token_bytes", drawn_random.randbytes),
            # A fresh stream, so that additional uids do not change the secrets.
            patch.object(os, "urandom", drawn_uids.randbytes),  # by uuid.uuid4
            patch.object(secrets, "token_hex", lambda size: drawn_random.randbytes(size).hex()),
        ):
            yield clock
