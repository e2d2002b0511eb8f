"""The standings page of 200 rows, unchanged and changed, against the server's hello.

Run by hand: `python -m bench.page`. Both servers are waitress with as many threads as `serve`
gives it, each in a process of its own, over one persistent connection. The hello is a WSGI
function of one line. Prints medians of single responses; each figure takes at most 10 seconds.
"""

import http.client
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench.nights import night, own_folder, tell

SECTIONS, TABLES = 4, 25  # 200 pairs
ASKED, UNCOUNTED = 200, 5
MAX_SECONDS = 10
HTMX_HEADERS = {"HX-Request": "true"}  # as an open page requests a part of itself
ALONE = {"Cookie": "own=1"}  # whoever bears one has the page drawn for him alone
HELLO_PORT, OUR_PORT = 8168, 8169
HELLO = f"""
import waitress
def hello(environ, start):
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]
waitress.serve(hello, host="127.0.0.1", port={HELLO_PORT}, threads=4, _quiet=True)
"""


def main() -> None:
    """Print the figures."""
    with own_folder():
        from exchange.eventfile.importing import import_event
        from scoring.models import Ranking

        document = night(SECTIONS, TABLES, left_out=1)
        event = import_event(document=document, by=None)
        version = Ranking.objects.get(event=event).version
        page = f"/events/{event.slug}/"
        serve = [
            sys.executable,
            "manage.py",
            "serve",
            "--without-demo",
            "--port",
            str(OUR_PORT),
        ]
        with serving([sys.executable, "-c", HELLO], HELLO_PORT), serving(serve, OUR_PORT):
            bare = median_seconds(HELLO_PORT, "/", 200)
            print(f"standings of {2 * SECTIONS * TABLES} rows")
            tell("hello", bare, bare)
            unchanged = median_seconds(
                OUR_PORT, f"{page}standings/?seen={version}", 204, **HTMX_HEADERS
            )
            tell("unchanged", unchanged, bare)
            fragment = f"{page}standings/"
            first = median_seconds(OUR_PORT, fragment, 200, **HTMX_HEADERS, **ALONE)
            tell("changed, for the first who asks", first, bare)
            tell(
                "changed, for everyone else",
                median_seconds(OUR_PORT, fragment, 200, **HTMX_HEADERS),
                bare,
            )
            tell("the whole page, drawn", median_seconds(OUR_PORT, page, 200, **ALONE), bare)
            tell(
                "the whole page, for all who arrive", median_seconds(OUR_PORT, page, 200), bare
            )


@contextmanager
def serving(command: list[str], port: int) -> Iterator[None]:
    """Run a server until the measurement is over."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ)
    try:
        for _ in range(300):
            try:
                ask(http.client.HTTPConnection("127.0.0.1", port), "/")
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def median_seconds(port: int, address: str, expected: int, **headers: str) -> float:
    """Return the median of many response times in seconds; the first few are not counted."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    times: list[float] = []
    ends = time.monotonic() + MAX_SECONDS
    while len(times) < UNCOUNTED + ASKED and (time.monotonic() < ends or len(times) < 10):
        start = time.perf_counter()
        status = ask(connection, address, **headers)
        times.append(time.perf_counter() - start)
        if status != expected:
            raise SystemExit(f"{address} median_seconds {status}, not {expected}.")
    return statistics.median(times[UNCOUNTED:])


def ask(connection: http.client.HTTPConnection, address: str, **headers: str) -> int:
    """Ask for a page, read it to its end, and return the status."""
    connection.request("GET", address, headers=headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


if __name__ == "__main__":
    main()
