"""The number of connections that a laptop can have open."""

import select
import sys
from contextlib import suppress

MAX_CONNECTIONS = 2000
OWN_FILES = 100  # files that the program needs in addition to the phones' connections
BY_SELECT = 500
"""Python on Windows can `select` among 512 sockets only."""

CAN_POLL = hasattr(select, "poll")


def raise_connection_limit() -> int:
    """Return the limit of open connections, after raising it as far as the system allows.

    A phone that finds none free waits until an idle one is closed, after two minutes.
    """
    if sys.platform == "win32" or not CAN_POLL:
        return BY_SELECT
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = (
        MAX_CONNECTIONS + OWN_FILES
        if hard == resource.RLIM_INFINITY
        else min(MAX_CONNECTIONS + OWN_FILES, hard)
    )
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # some systems allow less than they report
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (
        MAX_CONNECTIONS
        if soft == resource.RLIM_INFINITY
        else max(OWN_FILES, min(MAX_CONNECTIONS, soft - OWN_FILES))
    )
