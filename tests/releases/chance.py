"""Time and chance told beforehand, so that the same night is made twice."""

import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from django.utils import timezone

STEP = timedelta(seconds=7)
"""How much later it is each time that somebody looks at the clock."""


@dataclass
class Clock:
    """A clock that goes on when it is looked at."""

    moment: datetime

    def look(self) -> datetime:
        """Tell the time."""
        self.moment += STEP
        return self.moment

    def wait(self, **time: float) -> None:
        """Let time pass, given as to `timedelta`."""
        self.moment += timedelta(**time)


@contextmanager
def told(moment: datetime, seed: str = "") -> Iterator[Clock]:
    """Let the clock begin at a moment, and secrets follow from a seed where one is given."""
    clock = Clock(moment.astimezone(UTC))
    drawn = random.Random(seed)
    with patch.object(timezone, "now", clock.look):
        if not seed:
            yield clock
            return
        with (
            patch.object(secrets, "token_bytes", drawn.randbytes),
            patch.object(secrets, "token_hex", lambda size: drawn.randbytes(size).hex()),
        ):
            yield clock
