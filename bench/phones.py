"""The phones of a hall: tables that enter results, and followers of the standings.

Each phone is one keep-alive connection with a minimal HTTP client. A thousand of them use
little of the processor that they share with the server.
"""

import asyncio
import gzip
import json
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

TIMEOUT_SECONDS = 15
TABLE_POLL_SECONDS = 5  # seconds between two polls of a table's phone, as in table.js
MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS, RANDOM_PAUSE_SECONDS = 0.9, 8.0, 0.3
PAUSE_RESPONSE_TIMES = 5  # a follower pauses for this many response times, as in live.js
VERSION_PATTERN = re.compile(rb"seen=(\d+)")
LENGTH_PATTERN = re.compile(rb"content-length: *(\d+)")
HTMX_HEADER, JSON_HEADER = "HX-Request: true", "Accept: application/json"

BoardToEnter = dict[str, Any]
"""A board that a table must enter: its sitting and number."""


class Connection:
    """A keep-alive connection to a server on this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.lock = asyncio.Lock()  # a phone sends its requests one after the other

    async def request(
        self, path: str, header: str, form: dict[str, Any] | None = None
    ) -> tuple[int, bytes]:
        """Send a request and return status and body; reconnect if the connection was closed.

        Raises OSError, of which TimeoutError is a subclass.
        """
        for attempt in (1, 2):
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS), self.lock:
                    return await self._exchange(self._send_request(path, header, form))
            except TimeoutError:
                self.close()
                raise
            except (ConnectionError, EOFError) as error:
                self.close()
                if attempt == 2:
                    raise ConnectionError("closed before the response") from error
        raise AssertionError

    def close(self) -> None:
        """Close the connection."""
        if self.streams:
            self.streams[1].close()
            self.streams = None

    def _send_request(self, path: str, header: str, form: dict[str, Any] | None) -> bytes:
        body = urlencode(form or {}).encode()
        lines = [
            f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Accept-Encoding: gzip",
            header,
        ]
        if form is not None:
            lines.append("Content-Type: application/x-www-form-urlencoded")
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def _exchange(self, request: bytes) -> tuple[int, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        header = (await reader.readuntil(b"\r\n\r\n")).lower()
        status, body = int(header[9:12]), b""
        if length_match := LENGTH_PATTERN.search(header):
            body = await reader.readexactly(int(length_match[1]))
        elif status not in (204, 304):
            while chunk_size := int(await reader.readline(), 16):
                body += (await reader.readexactly(chunk_size + 2))[:-2]
            await reader.readline()
        if b"connection: close" in header:
            self.close()
        return status, body


@dataclass
class PhoneTimes:
    """The response times of all phones in seconds, and the errors."""

    entries: list[float] = field(default_factory=list)
    confirmations: list[float] = field(default_factory=list)
    table_polls: list[float] = field(default_factory=list)
    follower_polls: list[float] = field(default_factory=list)
    standings_delays: list[float] = field(default_factory=list)
    changed_count: int = 0  # responses with new standings
    errors: list[str] = field(default_factory=list)

    def show(self) -> dict[str, dict[str, float]]:
        """Print a table of the response times in milliseconds, and return it."""
        rows = {
            "an entry waits": compute_percentiles(self.entries),
            "a yes waits": compute_percentiles(self.confirmations),
            "a table's look waits": compute_percentiles(self.table_polls),
            "a follower's request waits": compute_percentiles(self.follower_polls),
            "until standings count an entry": compute_percentiles(self.standings_delays),
        }
        print(f"  {'milliseconds':<34}      n      p50      p95      p99      max")
        for text, row in rows.items():
            numbers = "".join(
                f"{row[percentile]:9.0f}" for percentile in ("p50", "p95", "p99", "max")
            )
            print(f"  {text:<34} {row['n']:6.0f}{numbers}")
        print(f"  new standings {self.changed_count}, errors {len(self.errors)}", flush=True)
        for error in sorted(set(self.errors))[:3]:
            print(f"    {error}")
        return rows


class Table:
    """A table's phone, which requests its page as JSON."""

    def __init__(self, port: int, path: str, phone_times: PhoneTimes) -> None:
        self.connection, self.path, self.seen = Connection(port), path, phone_times
        self.plays: list[BoardToEnter] = []
        self.page: dict[str, Any] = {}

    async def load_boards(self) -> None:
        """Request the page, and list the boards that are not entered yet."""
        await self._request_page(self.seen.table_polls)
        self.plays = [
            {"sitting": round_["sitting"], "board": board["board"]}
            for round_ in self.page["rounds"]
            for board in round_["boards"]
            if not board["mark"] and not board["ruled"]
        ]

    async def enter(self, board: BoardToEnter, mark: str) -> None:
        """Enter the result of a board."""
        idempotency_key = f"{random.getrandbits(64):x}"
        form = board | {"act": "enter", "value": mark, "seen": "", "key": idempotency_key}
        await self._request_page(self.seen.entries, form)

    async def confirm(self, entered_board: BoardToEnter, mark: str) -> None:
        """Confirm the result of a board for the other side."""
        tickets = [
            board.get("ticket", "")  # version 1.0 had none
            for round_ in self.page["rounds"]
            for board in round_["boards"]
            if round_["sitting"] == entered_board["sitting"]
            and board["board"] == entered_board["board"]
        ]
        form = entered_board | {"act": "confirm", "seen": mark, "ticket": (*tickets, "")[0]}
        await self._request_page(self.seen.confirmations, form)

    async def _request_page(
        self, times: list[float], form: dict[str, Any] | None = None
    ) -> None:
        started_at = time.monotonic()
        status, body = await self.connection.request(self.path, JSON_HEADER, form)
        times.append(time.monotonic() - started_at)
        if status != 200:
            raise ValueError(f"{status} {body[:150]!r}")
        self.page = json.loads(body)["page"]


async def play_boards(table: Table, seconds_per_board: float, deadline: float) -> None:
    """Enter and confirm a table's boards one after the other, at an even pace."""
    try:
        async with asyncio.timeout(deadline - time.monotonic()):
            await asyncio.sleep(random.random() * seconds_per_board)
            await table.load_boards()
            while table.plays:
                await _play_board(table, seconds_per_board)
    except (OSError, KeyError, ValueError) as error:
        if time.monotonic() < deadline:
            table.seen.errors.append(f"table: {error!r}")
    table.connection.close()


async def _play_board(table: Table, seconds: float) -> None:
    board, mark = table.plays[0], str(random.choice((4, 5, 6, 6, 7, 7, 8, 9)))
    await table.enter(board, mark)
    await asyncio.sleep(seconds * random.uniform(0.2, 0.3))
    await table.confirm(board, mark)
    idle_seconds = seconds * random.uniform(0.6, 0.9)
    for _poll in range(max(1, int(idle_seconds / TABLE_POLL_SECONDS))):
        await asyncio.sleep(min(idle_seconds, TABLE_POLL_SECONDS))
        await table.load_boards()


async def follow_standings(
    port: int, path: str, phone_times: PhoneTimes, deadline: float, version: str = "0"
) -> None:
    """Poll a page of standings, as a player's phone does."""
    connection = Connection(port)
    await asyncio.sleep(random.random() * MIN_PAUSE_SECONDS)
    while time.monotonic() < deadline:
        started_at = time.monotonic()
        try:
            status, body = await connection.request(f"{path}?seen={version}", HTMX_HEADER)
        except OSError as error:
            phone_times.errors.append(f"follower: {error!r}")
            await asyncio.sleep(2)
            continue
        duration = time.monotonic() - started_at
        phone_times.follower_polls.append(duration)
        if status == 200:
            version_before, version = version, find_version(body)
            phone_times.changed_count += version_before != version
        elif status != 204:
            phone_times.errors.append(f"follower: {status}")
        pause_seconds = min(
            MAX_PAUSE_SECONDS, max(MIN_PAUSE_SECONDS, PAUSE_RESPONSE_TIMES * duration)
        )
        await asyncio.sleep(pause_seconds + random.random() * RANDOM_PAUSE_SECONDS)
    connection.close()


class StandingsReader:
    """A reader of the current version of an event's standings in the database.

    Followers cannot measure it, since their standings only change when no result is revealed.
    """

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1)

    async def wait(self, slug: str, started_at: float) -> float:
        """Wait until the standings include all current entries; return the seconds."""
        run_in_thread = asyncio.get_running_loop().run_in_executor
        entered_revision = await run_in_thread(self.thread, self._load_entered_revision, slug)
        while (elapsed_seconds := time.monotonic() - started_at) < TIMEOUT_SECONDS:
            if (
                await run_in_thread(self.thread, self._load_ranked_revision, slug)
                >= entered_revision
            ):
                break
            await asyncio.sleep(0.1)
        return elapsed_seconds

    def close(self) -> None:
        """Close the connection to the database."""
        from django.db import connections

        self.thread.submit(connections.close_all).result()
        self.thread.shutdown()

    def _load_entered_revision(self, slug: str) -> int:
        from tournaments.models import Session

        revisions = Session.objects.filter(event__slug=slug).values_list("revision", flat=True)
        return sum(revisions)

    def _load_ranked_revision(self, slug: str) -> int:
        from scoring.models import Ranking

        return Ranking.objects.values_list("revision", flat=True).get(event__slug=slug)


def find_version(body: bytes) -> str:
    """Return the version of the standings in a response."""
    match = VERSION_PATTERN.search(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
    return match[1].decode() if match else "0"


def compute_percentiles(times: list[float]) -> dict[str, float]:
    """Return the number of response times, and their percentiles in milliseconds."""
    ordered_times = sorted(times) or [0.0]
    fractions = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    milliseconds_by_name = {
        name: 1000
        * ordered_times[min(len(ordered_times) - 1, int(len(ordered_times) * fraction))]
        for name, fraction in fractions.items()
    }
    return {"n": len(times)} | milliseconds_by_name | {"max": 1000 * ordered_times[-1]}
