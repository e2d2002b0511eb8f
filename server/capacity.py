"""The number of connections that a laptop's server can have open at the same time."""

import select
import sys
from contextlib import suppress

MAX_CONNECTIONS = 2000
OWN_FILE_COUNT = 100  # open files that the program needs in addition to phones' connections
SELECT_LIMIT = 500
"""The connection limit on Windows, where Python has no `poll` and `select` takes 512 sockets.
"""

CAN_POLL = hasattr(select, "poll")


def raise_connection_limit() -> int:
    """Raise the limit of open connections as far as the system allows, and return it.

    Beyond the limit, a phone waits until the server closes an idle connection, after two
    minutes.
    """
    if sys.platform == "win32" or not CAN_POLL:
        return SELECT_LIMIT
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target_limit = (
        MAX_CONNECTIONS + OWN_FILE_COUNT
        if hard == resource.RLIM_INFINITY
        else min(MAX_CONNECTIONS + OWN_FILE_COUNT, hard)
    )
    if soft != resource.RLIM_INFINITY and soft < target_limit:
        with suppress(OSError, ValueError):  # some systems allow less than they report
            resource.setrlimit(resource.RLIMIT_NOFILE, (target_limit, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (
        MAX_CONNECTIONS
        if soft == resource.RLIM_INFINITY
        else max(OWN_FILE_COUNT, min(MAX_CONNECTIONS, soft - OWN_FILE_COUNT))
    )
