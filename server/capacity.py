"""The number of connections that a laptop's server can have open at the same time."""

import select
import sys
from contextlib import suppress

MAX_CONNECTIONS = 2000
RESERVED_FILE_COUNT = 100  # open files that the program needs in addition to connections
MAX_SELECT_CONNECTIONS = 500
"""The connection limit on Windows, where Python has no `poll` and `select` takes 512 sockets.
"""

CAN_POLL = hasattr(select, "poll")


def raise_connection_limit() -> int:
    """Raise the limit of open connections as far as the system allows, and return it.

    If more phones connect, they wait until the server closes an idle connection, which takes up
    to two minutes.
    """
    if sys.platform == "win32" or not CAN_POLL:
        return MAX_SELECT_CONNECTIONS
    import resource

    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    target_limit = (
        MAX_CONNECTIONS + RESERVED_FILE_COUNT
        if hard_limit == resource.RLIM_INFINITY
        else min(MAX_CONNECTIONS + RESERVED_FILE_COUNT, hard_limit)
    )
    if soft_limit != resource.RLIM_INFINITY and soft_limit < target_limit:
        with suppress(OSError, ValueError):  # some systems allow less than they report
            resource.setrlimit(resource.RLIMIT_NOFILE, (target_limit, hard_limit))
        soft_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (
        MAX_CONNECTIONS
        if soft_limit == resource.RLIM_INFINITY
        else max(RESERVED_FILE_COUNT, min(MAX_CONNECTIONS, soft_limit - RESERVED_FILE_COUNT))
    )
