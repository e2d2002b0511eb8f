"""The standings page of 200 rows, unchanged and changed, against the server's hello.

Run by hand: `python -m bench.page`. Both servers are waitress with as many threads as `serve`
gives it, each in a process of its own, over one persistent connection. The hello is a WSGI
function of one line. Prints medians of single responses; each figure takes at most 10 seconds.
"""

import http.client
import statistics
import subprocess
import sys
import time

from bench.load import running
from bench.nights import night, own_folder, tell

SECTIONS, TABLES = 4, 25  # 200 pairs
ASKED, UNCOUNTED = 200, 5
MAX_SECONDS = 10
HTMX_HEADERS = {"HX-Request": "true"}  # as an open page requests a part of itself
OWN_COOKIE = {"Cookie": "own=1"}  # with a cookie the page is rendered for this request
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
        hello = subprocess.Popen([sys.executable, "-c", HELLO])
        try:
            with running(f"manage.py serve --without-demo --port {OUR_PORT}", port=OUR_PORT):
                measure(f"/events/{event.slug}/", version)
        finally:
            hello.terminate()
            hello.wait()


def measure(page: str, version: int) -> None:
    """Print the figures of an event's page."""
    bare = median_seconds(HELLO_PORT, "/", 200)
    print(f"standings of {2 * SECTIONS * TABLES} rows", flush=True)
    tell("hello", bare, bare)
    part = f"{page}standings/"
    for words, address, status, headers in (
        ("unchanged", f"{part}?seen={version}", 204, HTMX_HEADERS),
        ("changed, for the first request", part, 200, HTMX_HEADERS | OWN_COOKIE),
        ("changed, for all others", part, 200, HTMX_HEADERS),
        ("the whole page, rendered", page, 200, OWN_COOKIE),
        ("the whole page, for all others", page, 200, {}),
    ):
        tell(words, median_seconds(OUR_PORT, address, status, **headers), bare)


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
            raise SystemExit(f"{address} responded {status}, not {expected}.")
    return statistics.median(times[UNCOUNTED:])


def ask(connection: http.client.HTTPConnection, address: str, **headers: str) -> int:
    """Ask for a page, read it to its end, and return the status."""
    connection.request("GET", address, headers=headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


if __name__ == "__main__":
    main()
