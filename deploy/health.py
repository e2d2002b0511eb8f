"""Check the pages in a container: `python deploy/health.py [live | ready]`.

`live` requires a running process, `ready` also its database, folder and worker. The exit status
is 1 if the check fails. The script imports only the standard library, so it starts quickly.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException

TIMEOUT_SECONDS = 8


def main() -> None:
    """Request the health page; print its content if it is not 200."""
    path = f"/health/{sys.argv[1] if len(sys.argv) > 1 else 'live'}"
    port = int(os.environ.get("PORT") or 8000)
    try:
        connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        connection.request("GET", path)
        response = connection.getresponse()
        if response.status != 200:
            raise SystemExit(f"{response.status} {path} {response.read(2000).decode()}")
    except (OSError, HTTPException) as error:
        raise SystemExit(f"{path}: {error}") from error


if __name__ == "__main__":
    main()
