"""How many phones one laptop can keep a line open to."""

import select
import sys
from contextlib import suppress

MOST = 2000
OWN = 100  # files that the program needs beside the lines of the phones
BY_SELECT = 500
"""Windows can wait for no more lines at once: its Python can only select among 512."""

CAN_POLL = hasattr(select, "poll")


def lines() -> int:
    """Return how many lines may be open, after asking the system for as many as it allows.

    A phone that finds no line free waits until another one's is given up, two minutes later.
    """
    if sys.platform == "win32" or not CAN_POLL:
        return BY_SELECT
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + OWN if hard == resource.RLIM_INFINITY else min(MOST + OWN, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if soft == resource.RLIM_INFINITY else max(OWN, min(MOST, soft - OWN))
