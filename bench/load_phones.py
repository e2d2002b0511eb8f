"""The phones of a hall, in one cheap process: tables that enter and followers of the standings.

`bench.load` starts it with its orders as JSON on its standard input, and reads what it saw as
JSON from its standard output. Plain sockets that stay open, as a browser's do. What a phone
shows is read once for each different answer, so that a thousand phones cost little.
"""

import asyncio
import gzip
import json
import random
import re
import sys
import time
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

from bench.load_lines import PATIENCE, Line, request

SEEN = re.compile(rb"seen=(\d+)")
MISSING = re.compile(rb"(\d+)\s+results?\s+still\s+to\s+come")
LOOK = 5  # seconds between two looks of a table's phone, as table.js has it


class Over(Exception):
    """The tables have stopped."""


@dataclass
class Seen:
    """What all phones saw together."""

    began: float
    ends: float
    polls: list[float] = field(default_factory=list)  # seconds until an answer
    fresh: int = 0  # answers with new standings
    weight: int = 0  # bytes of bodies that followers got
    entries: list[float] = field(default_factory=list)
    confirms: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sent: int = 0  # results that have been sent
    answered: list[tuple[float, int]] = field(default_factory=list)  # when, of how many sent
    shown: list[list[tuple[float, int]]] = field(default_factory=list)  # by follower
    bodies: dict[bytes, tuple[bytes, int]] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether the tables have stopped."""
        return time.monotonic() >= self.ends

    async def sleep(self, seconds: float) -> None:
        """Wait; a table that plays no longer when it wakes goes home."""
        await asyncio.sleep(max(0.0, min(seconds, self.ends - time.monotonic())))
        if self.is_over:
            raise Over

    def note_entry(self) -> None:
        """Note that an entry has been answered."""
        if self.began <= time.monotonic() < self.ends:
            self.answered.append((time.monotonic(), self.sent))

    def read(self, body: bytes) -> tuple[bytes, int]:
        """Return the version that a page shows, and how many results it still waits for."""
        if body not in self.bodies:
            text = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
            version, missing = SEEN.search(text), MISSING.search(text)
            found = version[1] if version else b"0", int(missing[1]) if missing else 0
            self.bodies[body] = found
        return self.bodies[body]


async def follow(seen: Seen, orders: dict[str, Any]) -> None:
    """Keep a page of standings up to date until the tables have stopped and all is seen."""
    line, port = Line(orders["port"]), orders["port"]
    shown: list[tuple[float, int]] = []
    seen.shown.append(shown)
    version = b"0"
    await asyncio.sleep(random.random() * orders["wait"][0])
    while time.monotonic() < seen.ends + 5 and not (seen.is_over and _is_up(seen, shown)):
        path = f"{orders['standings']}?seen={version.decode()}"
        asked = time.monotonic()
        try:
            status, body = await line.ask(request(path, port, "HX-Request: true"))
        except (OSError, TimeoutError) as error:
            seen.errors.append(f"follower: {error!r}")
            await asyncio.sleep(2)
            continue
        now = time.monotonic()
        if status == 200:
            version, missing = seen.read(body)
            shown.append((now, missing))
            seen.fresh += 1
            seen.weight += len(body)
        elif status != 204:
            seen.errors.append(f"follower: {status}")
        if seen.began <= asked < seen.ends:
            seen.polls.append(now - asked)
        least, spread_by, slower, most = orders["wait"]
        pause = min(most, max(least, slower * (now - asked))) + random.random() * spread_by
        await asyncio.sleep(pause)


async def play(seen: Seen, orders: dict[str, Any], path: str) -> None:
    """Enter a table's boards one after the other and say yes to each, at the hall's pace."""
    ask, pause = Table(seen, orders["port"], path).ask, orders["seconds_a_board"]
    await asyncio.sleep(1 + random.random() * pause)
    try:
        page = await ask(seen.looks)
        while todo := _next(page):
            form = {"sitting": todo[0], "board": todo[1]}
            mark = str(random.choice((4, 5, 6, 6, 7, 7, 8, 9)))
            key = f"{random.getrandbits(64):x}"
            seen.sent += 1
            page = await ask(
                seen.entries, form | {"act": "enter", "value": mark, "seen": "", "key": key}
            )
            seen.note_entry()
            await seen.sleep(pause * random.uniform(0.2, 0.3))
            page = await ask(seen.confirms, form | {"act": "confirm", "seen": mark})
            rest = pause * random.uniform(0.6, 0.9)
            while rest > LOOK:
                await seen.sleep(LOOK)
                rest -= LOOK
                page = await ask(seen.looks)
            await seen.sleep(rest)
    except Over:
        pass
    except (OSError, TimeoutError, KeyError, ValueError) as error:
        seen.errors.append(f"table: {error!r}")


class Table:
    """A table's phone, which asks for its page as data."""

    def __init__(self, seen: Seen, port: int, path: str) -> None:
        self.seen, self.port, self.path, self.line = seen, port, path, Line(port)

    async def ask(self, times: list[float], form: dict[str, Any] | None = None) -> Any:
        """Ask for the page, or send a form; return the page as it then is."""
        asked = time.monotonic()
        accept = "Accept: application/json"
        status, body = await self.line.ask(request(self.path, self.port, accept, form=form))
        if asked >= self.seen.began:
            times.append(time.monotonic() - asked)
        if status != 200:
            self.seen.errors.append(f"table: {status} {body[:200]!r}")
        return json.loads(body)["page"]


async def flood(orders: dict[str, Any]) -> dict[str, float]:
    """Ask for one thing again and again over a few connections; tell how long and how many."""
    times: list[float] = []
    port, weight = orders["port"], 0
    what = request(orders["path"], port, "HX-Request: true")
    ends = time.monotonic() + orders["seconds"]

    async def one() -> None:
        nonlocal weight
        line = Line(port)
        while time.monotonic() < ends:
            asked = time.monotonic()
            status, body = await line.ask(what)
            times.append(time.monotonic() - asked)
            weight = len(body)
            if status != orders["status"]:
                raise SystemExit(f"{orders['path']} answered {status}.")

    await asyncio.gather(*(one() for _ in range(orders["connections"])))
    return {"rate": len(times) / orders["seconds"], "bytes": weight} | spread(times)


async def hall(orders: dict[str, Any]) -> dict[str, Any]:
    """Let everybody in; tell what all saw once the first answers of all kinds are over."""
    began = time.monotonic() + orders["warm_up"]
    seen = Seen(began, began + orders["seconds"])
    spent = time.process_time()
    await asyncio.gather(
        *(follow(seen, orders) for _ in range(orders["followers"])),
        *(play(seen, orders, path) for path in orders["tables"]),
    )
    whole = time.monotonic() - began
    return {
        "polls": spread(seen.polls),
        "poll_rate": len(seen.polls) / orders["seconds"],
        "fresh": seen.fresh,
        "bytes": seen.weight / max(1, seen.fresh),
        "entries": spread(seen.entries),
        "confirms": spread(seen.confirms),
        "looks": spread(seen.looks),
        "behind": spread(_behind(seen)),
        "errors": [len(seen.errors), *sorted(set(seen.errors))[:5]],
        "own_cpu": (time.process_time() - spent) / (whole + orders["warm_up"]),
    }


def spread(times: list[float]) -> dict[str, float]:
    """Say how many there were, and how they lie: in milliseconds."""
    if not times:
        return {"n": 0}
    ordered = sorted(times)
    at = {
        name: 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * part))]
        for name, part in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    return {"n": len(ordered)} | at | {"max": 1000 * ordered[-1]}


def _behind(seen: Seen) -> list[float]:
    """How long after each entry's answer each follower had standings that count it.

    Standings count an entry for certain when they count as many results as had been sent at
    its answer; so what is told is never too good.
    """
    found, whole = [], _whole(seen)
    for shown in seen.shown:
        counts = [-missing for _, missing in shown]
        for at, sent in seen.answered:
            place = bisect_left(counts, sent - whole)
            after = shown[place][0] - at if place < len(shown) else float(PATIENCE)
            found.append(max(0.0, after))
    return found


def _whole(seen: Seen) -> int:
    """How many results were still to come before the first was sent."""
    return max((missing for shown in seen.shown for _, missing in shown[:1]), default=0)


def _is_up(seen: Seen, shown: list[tuple[float, int]]) -> bool:
    return bool(shown) and shown[-1][1] <= _whole(seen) - seen.sent


def _next(page: dict[str, Any]) -> tuple[int, int] | None:
    """Return the next board that a table has to enter: its sitting and number."""
    for each in page["rounds"]:
        for board in each["boards"]:
            if not board["mark"] and not board["ruled"]:
                return each["sitting"], board["board"]
    return None


if __name__ == "__main__":
    given = json.load(sys.stdin)
    print(json.dumps(asyncio.run((flood if "path" in given else hall)(given))))
