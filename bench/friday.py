"""A share of a federation's Friday on this machine: entries, yeses and questions at its pace.

Run by hand: `python -m bench.friday --share 0.1` for a tenth of an evening of 3,000 clubs with
ten tables each, a board in seven minutes, and a quarter of the players following: 71 entries
and as many yeses a second, and 27,000 questions for newer standings. It needs PostgreSQL, Redis
and wrk as `bench.events` does. Entries and yeses come when they come (at random, whether or not
the one before has its answer) from table phones of as many events as the paces need; questions
come from wrk, spread over all events, each with the number of the standings of the beginning.
Each table has its page open when the evening begins, and so has who follows an event, as phones
do.

Holds (exit 0) when 99 of 100 entries have their answer within 250 ms, 99 of 100 are in the
standings within 2 s, and nothing was refused.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection

from bench.events import HEADS, LUA, path_of, staged, versions
from bench.load import PORT, SERVERS, environment, running
from bench.load_lines import Line, request
from bench.load_phones import Seen, spread
from bench.load_watch import Watch

ENTRIES, QUESTIONS = 71.0, 27_000.0  # a second, of the whole Friday
ENTRY_P99, STANDINGS_P99 = 250.0, 2000.0  # ms
YES_AFTER = (1.0, 3.0)  # seconds until the other pair says yes
LOOK, PATIENCE = 0.1, 20.0  # seconds between two looks for new standings, and until giving up
PAUSE = 100  # ms between two questions of one of wrk's connections
WAIT = 4  # ms that an answer may take for the pace to hold
TABLES, BOARDS_A_ROUND = 7, 4
NICE = 15  # as in deploy/overplay-worker.service
RATE = re.compile(r"99%\s+([\d.]+)(us|ms|s)|Requests/sec:\s+([\d.]+)|Non-2xx.*: (\d+)")
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


Boards = dict[str, list[dict[str, Any]]]
"""What each table has still to enter, by its address: sitting and board."""


@dataclass(frozen=True, slots=True)
class Hall:
    """An event whose tables enter on their phones."""

    slug: str
    tables: list[str]


@dataclass
class Night:
    """What the tables and one follower of each event saw, in seconds."""

    began: float = field(default_factory=time.monotonic)
    entries: list[float] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)  # of each entry, since the beginning
    yeses: list[float] = field(default_factory=list)
    counted: list[float] = field(default_factory=list)
    follows: list[float] = field(default_factory=list)
    news: int = 0  # standings that followers had not seen
    errors: list[str] = field(default_factory=list)


class Counts:
    """Looks into the database how far the standings of an event have come.

    What followers see moves only where it gives no result away: it cannot tell of each entry.
    """

    QUERY = (
        "SELECT ranking.revision FROM scoring_ranking ranking "
        "JOIN tournaments_event event ON event.id = ranking.event_id WHERE event.slug = %s"
    )

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.free = asyncio.Lock()

    async def revision(self, slug: str) -> int:
        """How many acts the standings count."""
        async with self.free:
            found = await (await self.connection.execute(self.QUERY, [slug])).fetchone()
        if found is None:
            raise ValueError(f"{slug} has no standings")
        return int(found[0])

    async def wait(self, slug: str, before: int, since: float) -> float:
        """Wait until they count more than `before`; return the seconds."""
        while (passed := time.monotonic() - since) < PATIENCE:
            if await self.revision(slug) > before:
                break
            await asyncio.sleep(LOOK)
        return passed


def main() -> int:
    """Print a table and its figures as JSON; 0 where the bars hold."""
    asked = _options()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(environment(folder, laptop=False))
        slugs = staged(asked.events, TABLES)
        halls = _with_phones(slugs, round(ENTRIES * asked.share * asked.seconds))
        watch = Watch()
        worker = "-m celery -A config worker --loglevel WARNING"
        watch.add("worker", stack.enter_context(running(worker, nice=NICE)))
        command = "-m " + SERVERS["granian"].format(port=PORT, app="config.wsgi:application")
        watch.add("pages", stack.enter_context(running(command, port=PORT)))
        boards = asyncio.run(_opened(halls))
        shown = asyncio.run(_shown(halls))
        with _questions(slugs, asked, Path(folder)) as questions:
            watch.start()
            pace = ENTRIES * asked.share
            database = os.environ["DATABASE_URL"]
            seen = asyncio.run(_night(halls, boards, shown, pace, asked.seconds, database))
            shares = watch.shares()
        return _judged(seen, questions, shares, asked)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.1, help="of the whole Friday")
    parser.add_argument("--events", type=int, default=3000)
    parser.add_argument("--seconds", type=int, default=120)
    return parser.parse_args()


def _with_phones(slugs: Sequence[str], entries: int) -> list[Hall]:
    """Give tables their links: as many events as have a round for all entries, and to spare."""
    from hall.phones.services import make_links
    from tournaments.models import Session

    wanted = slugs[: -(-int(entries * 1.5) // (TABLES * BOARDS_A_ROUND))]
    sessions = Session.objects.filter(event__slug__in=wanted).select_related("event")
    found = [
        Hall(each.event.slug, [link.path for link in make_links(session=each, by=None)])
        for each in sessions
    ]
    print(f"{sum(len(hall.tables) for hall in found)} tables of {len(found)} events enter")
    return found


@contextmanager
def _questions(slugs: Sequence[str], asked: Any, folder: Path) -> Iterator[dict[str, float]]:
    """Let wrk ask at the pace; what it found is there when the night is over."""
    rate = QUESTIONS * asked.share
    numbers = versions(slugs)
    script = folder / "friday.lua"
    script.write_text(
        LUA.format(
            seed=11,
            paths=", ".join(f'"{path_of(slug)}?seen={numbers[slug]}"' for slug in slugs),
            heads=", ".join(f'["{name}"] = "{value}"' for name, value in HEADS.items()),
        )
        + f"delay = function() return math.random({PAUSE // 2}, {PAUSE + PAUSE // 2}) end\n"
    )
    lines = max(1, round(rate * (PAUSE + WAIT) / 1000))
    found: dict[str, float] = {"wanted": rate}
    command = [
        "wrk",
        "-t1",
        f"-c{lines}",
        f"-d{asked.seconds}s",
        "--latency",
        "-s",
        str(script),
    ]
    command.append(f"http://127.0.0.1:{PORT}/")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as wrk:
        yield found
        said, _ = wrk.communicate()
    found |= {"p99": 0.0, "rate": 0.0, "refused": 0.0}
    for late, unit, rate_found, bad in RATE.findall(said):
        found["p99"] = float(late) * UNITS[unit] if late else found["p99"]
        found["rate"] = float(rate_found) if rate_found else found["rate"]
        found["refused"] = float(bad) if bad else found["refused"]


async def _night(
    halls: Sequence[Hall],
    boards: Boards,
    shown: dict[str, bytes],
    pace: float,
    seconds: float,
    database: str,
) -> Night:
    """Have a table enter at random moments, so many a second, each its next board."""
    night, ends = Night(), time.monotonic() + seconds
    entries = _in_turn(halls, int(pace * seconds * 1.5))
    counts = Counts(await AsyncConnection.connect(database, autocommit=True))
    acts = [
        asyncio.create_task(_follow(night, slug, seen, ends)) for slug, seen in shown.items()
    ]
    while (left := ends - time.monotonic()) > 0:
        await asyncio.sleep(min(left, random.expovariate(pace)))
        if found := next(entries, None):
            slug, path = found
            board = boards[path].pop(0)
            acts.append(asyncio.create_task(_act(night, counts, slug, path, board)))
    await asyncio.gather(*acts)
    await counts.connection.close()
    return night


async def _opened(halls: Sequence[Hall]) -> Boards:
    """Open each table's page, one after the other; tell the boards that it has to enter."""
    line, found = Line(PORT), {}
    for path in (path for hall in halls for path in hall.tables):
        page = await _asked(line, path)
        found[path] = [
            {"sitting": each["sitting"], "board": board["board"]}
            for each in page["rounds"]
            for board in each["boards"]
            if not board["mark"] and not board["ruled"]
        ]
    if line.transport:
        line.transport.close()
    return found


async def _shown(halls: Sequence[Hall]) -> dict[str, bytes]:
    """Open the standings of each event; tell the number of what they show."""
    line, found = Line(PORT), {}
    for hall in halls:
        path = f"{path_of(hall.slug)}?seen=0"
        _status, body = await line.ask(request(path, PORT, "HX-Request: true"))
        found[hall.slug] = Seen(0, 0).read(body)[0]
    if line.transport:
        line.transport.close()
    return found


def _in_turn(halls: Sequence[Hall], most: int) -> Iterator[tuple[str, str]]:
    """Each event's tables one after the other, board by board; the events mixed."""
    found = [
        (turn + random.random(), hall.slug, path)
        for hall in halls
        for turn in range(BOARDS_A_ROUND)
        for path in hall.tables
    ]
    for _, slug, path in sorted(found)[:most]:
        yield slug, path


async def _act(
    night: Night, counts: Counts, slug: str, path: str, form: dict[str, Any]
) -> None:
    """Enter a table's next board, wait until standings count it, and say yes to it."""
    line = Line(PORT)
    try:
        key = f"{random.getrandbits(64):x}"
        before = await counts.revision(slug)
        began = time.monotonic()
        entry = form | {"act": "enter", "value": "7", "seen": "", "key": key}
        page = await _asked(line, path, entry)
        answered = time.monotonic()
        night.entries.append(answered - began)
        night.moments.append(began - night.began)
        night.counted.append(await counts.wait(slug, before, answered))
        await asyncio.sleep(random.uniform(*YES_AFTER))
        began = time.monotonic()
        told = {"seen": "7", "ticket": _ticket(page, form)}
        await _asked(line, path, form | {"act": "confirm"} | told)
        night.yeses.append(time.monotonic() - began)
    except (OSError, TimeoutError, KeyError, ValueError) as error:
        night.errors.append(repr(error)[:200])
    finally:
        if line.transport:
            line.transport.close()


def _ticket(page: dict[str, Any], form: dict[str, Any]) -> str:
    """What the page of a table gives with a result, for whoever says yes to it."""
    boards = [
        board["ticket"]
        for each in page["rounds"]
        for board in each["boards"]
        if (each["sitting"], board["board"]) == (form["sitting"], form["board"])
    ]
    return str(boards[0]) if boards else ""


async def _asked(line: Line, path: str, form: dict[str, Any] | None = None) -> Any:
    """Ask for a table's page as data; raises ValueError where it is not given."""
    what = request(path, PORT, "Accept: application/json", form=form)
    status, body = await line.ask(what)
    if status != 200:
        raise ValueError(f"{status} {body[:150]!r}")
    return json.loads(body)["page"]


async def _follow(night: Night, slug: str, seen: bytes, ends: float) -> None:
    """Ask for newer standings of an event, as one of its players' phones does."""
    line = Line(PORT)
    await asyncio.sleep(random.uniform(0, 1.2))
    while time.monotonic() < ends + 3:
        path = f"{path_of(slug)}?seen={seen.decode()}"
        asked = time.monotonic()
        status, body = await line.ask(request(path, PORT, "HX-Request: true"))
        night.follows.append(time.monotonic() - asked)
        if status == 200:
            found = Seen(0, 0).read(body)[0]
            night.news += seen != found
            seen = found
        elif status != 204:
            night.errors.append(f"follower: {status}")
        await asyncio.sleep(random.uniform(0.9, 1.2))
    if line.transport:
        line.transport.close()


def _judged(
    seen: Night, questions: dict[str, float], shares: dict[str, float], asked: Any
) -> int:
    """Print what was found; return 1 where a bar does not hold."""
    rows = {
        "an entry waits for its answer": spread(seen.entries),
        "a yes waits for its answer": spread(seen.yeses),
        "until standings count it": spread(seen.counted),
        "a follower's question waits": spread(seen.follows),
    }
    print(f"{'milliseconds':<34}      n      p50      p95      p99      max")
    for words, row in rows.items():
        figures = "".join(f"{row.get(part, 0):9.0f}" for part in ("p50", "p95", "p99", "max"))
        print(f"{words:<34} {row['n']:6.0f}{figures}")
    print(
        f"questions: {questions['rate']:,.0f}/s of {questions['wanted']:,.0f} wanted, "
        f"p99 {questions['p99']:.1f} ms; errors: {len(seen.errors)}",
        *sorted(set(seen.errors))[:3],
    )
    slowest = sorted(zip(seen.entries, seen.moments, strict=True), reverse=True)[:10]
    told = (f"{took * 1000:.0f} ms at {at:.0f} s" for took, at in slowest)
    print("the slowest entries:", ", ".join(told))
    print(f"followers of {len(seen.follows)} questions had {seen.news} times new standings")
    for name, share in shares.items():
        print(f"  {name:<12} {share:5.2f} cores; the whole Friday {share / asked.share:6.1f}")
    bars = {
        "entry p99": rows["an entry waits for its answer"].get("p99", 1e9) <= ENTRY_P99,
        "standings p99": rows["until standings count it"].get("p99", 1e9) <= STANDINGS_P99,
        "refused": not seen.errors and not questions["refused"],
        "questions": questions["rate"] >= 0.9 * questions["wanted"],
    }
    failed = [name for name, holds in bars.items() if not holds]
    found = {"rows": rows, "questions": questions, "cores": shares, "errors": seen.errors[:20]}
    print(json.dumps(found | {"failed": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
