"""What can go wrong with a job: what passes by itself, and what somebody must look at."""

import errno
import random
import socket

from django.db import DatabaseError, InterfaceError, OperationalError

from server.models import Job

Trouble = Job.Trouble
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
AWAY = (ConnectionError, TimeoutError, socket.gaierror)
STEPS = (1, 2, 4, 8, 16, 32, 60)
"""Seconds between two tries."""
PASSING = {Trouble.DATABASE, Trouble.NETWORK, Trouble.DISK}
"""Tried again for ever: nobody needs to ask."""
MOST_TRIES = 3
MOST_DEATHS = 5


def trouble_of(error: BaseException) -> Job.Trouble:
    """Say what kind of trouble an error is."""
    if isinstance(error, OperationalError | InterfaceError):
        is_full = "disk is full" in str(error) or "readonly" in str(error)
        return Trouble.DISK if is_full or _is_no_room(error) else Trouble.DATABASE
    if isinstance(error, DatabaseError):
        return Trouble.DISK if _is_no_room(error) else Trouble.BROKEN
    if isinstance(error, OSError) and error.errno in FULL:
        return Trouble.DISK
    return Trouble.NETWORK if isinstance(error, AWAY) else Trouble.BROKEN


def _is_no_room(error: BaseException) -> bool:
    """Whether PostgreSQL's own disk is full (its class 53100)."""
    return getattr(error.__cause__, "sqlstate", None) == "53100"


def is_over(trouble: Job.Trouble, tries: int, deaths: int) -> bool:
    """Whether there is no use in trying again by itself."""
    if trouble in (Trouble.DIED, Trouble.TOO_LONG):
        return deaths >= MOST_DEATHS
    return trouble not in PASSING and tries >= MOST_TRIES


def pause(tries: int) -> float:
    """Seconds to the next try, a fifth more or less, so that not all come at once."""
    step = STEPS[min(max(tries, 1), len(STEPS)) - 1]
    return step * random.uniform(0.8, 1.2)
