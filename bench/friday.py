"""A share of a federation's Friday on this machine: entries, yeses and questions at its pace.

Run by hand: `python -m bench.friday --share 0.1` for a tenth of an evening of 3,000 clubs with
ten tables each, a board in seven minutes, and a quarter of the players following: 71 entries
and as many yeses a second, and 27,000 requests for newer standings. It needs PostgreSQL, Redis
and wrk as `bench.events` does. Entries come at random moments from the phones of as many events
as the pace needs; a yes follows each. The requests come from wrk, spread over all events. Each
table and one follower of each event have their page open when the evening begins.

Holds (exit 0) if 99 of 100 entries are answered within 250 ms, 99 of 100 are in the standings
within 2 s, and no request failed. It ends `--seconds` after the clubs are made (3,000 of them
take half a minute to some minutes); short: `--events 20 --share 0.01 --seconds 10`.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.events import path_of, staged, versions
from bench.load import PAGES, PORT, WORKER, environment, running, show
from bench.phones import Seen, Standings, Table, follow
from bench.processors import Watch
from bench.wrk import requesting

ENTRIES, QUESTIONS = 71.0, 27_000.0  # per second, for the whole Friday
MAX_ENTRY_MS, MAX_STANDINGS_MS = 250.0, 2000.0  # 99th percentiles
CONFIRM_AFTER_SECONDS = (1.0, 3.0)  # seconds until the other pair confirms
PAUSE_MS = 100  # ms between two requests of one of wrk's connections
RESPONSE_MS = 4  # ms that a response may take if the pace is kept
TABLES, BOARDS_A_ROUND = 7, 4
NICE = 15  # as in deploy/overplay-worker.service


@dataclass(frozen=True, slots=True)
class Hall:
    """An event whose tables enter on their phones."""

    slug: str
    tables: list[Table]


def main() -> int:
    """Print a table, and its numbers as JSON; return 0 if the limits are met."""
    options = _options()
    seen = Seen()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(environment(folder, laptop=False))
        show(f"{options.events} clubs are being made")
        slugs = staged(options.events, TABLES)
        halls = _make_halls(slugs, round(ENTRIES * options.share * options.seconds), seen)
        watch = Watch()
        watch.add("worker", stack.enter_context(running(WORKER, nice=NICE)))
        watch.add("pages", stack.enter_context(running(PAGES.format(port=PORT), port=PORT)))
        show("each table opens its page")
        asyncio.run(_open(halls))
        numbers = versions([hall.slug for hall in halls])
        show(f"the evening begins, {options.seconds} s")
        wanted = QUESTIONS * options.share
        with requesting(
            PORT,
            [f"{path_of(slug)}?seen={number}" for slug, number in versions(slugs).items()],
            Path(folder),
            seconds=options.seconds,
            connections=max(1, round(wanted * (PAUSE_MS + RESPONSE_MS) / 1000)),
            pause_ms=PAUSE_MS,
        ) as polls:
            watch.start()
            pace = ENTRIES * options.share
            asyncio.run(_play(halls, numbers, seen, pace, options.seconds))
            shares = watch.show()
    return _judge(seen, asdict(polls) | {"wanted": wanted}, shares)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.1, help="of the whole Friday")
    parser.add_argument("--events", type=int, default=3000)
    parser.add_argument("--seconds", type=int, default=120)
    return parser.parse_args()


def _make_halls(slugs: Sequence[str], entries: int, seen: Seen) -> list[Hall]:
    """Create links for tables, in as many events as needed for all entries in one round."""
    from hall.phones.services import create_table_links
    from tournaments.models import Session

    wanted = slugs[: -(-int(entries * 1.5) // (TABLES * BOARDS_A_ROUND))]
    halls = []
    for session in Session.objects.filter(event__slug__in=wanted).select_related("event"):
        links = create_table_links(session=session, by=None)
        tables = [Table(PORT, link.path, seen) for link in links]
        halls.append(Hall(session.event.slug, tables))
    return halls


async def _open(halls: Sequence[Hall]) -> None:
    for hall in halls:
        for table in hall.tables:
            await table.look()
            table.connection.close()  # the evening has another event loop


async def _play(
    halls: Sequence[Hall], numbers: dict[str, int], seen: Seen, pace: float, seconds: float
) -> None:
    """Have tables enter their next boards at random times, `pace` entries a second."""
    standings, ends = Standings(), time.monotonic() + seconds
    seen.looks.clear()  # drop the looks before the evening
    entries = _in_turn(halls)
    acts = [
        asyncio.create_task(follow(PORT, path_of(slug), seen, ends + 3, str(number)))
        for slug, number in numbers.items()
    ]
    while (left := ends - time.monotonic()) > 0:
        await asyncio.sleep(min(left, random.expovariate(pace)))
        if found := next(entries, None):
            acts.append(asyncio.create_task(_enter(seen, standings, *found)))
    await asyncio.gather(*acts)
    standings.close()


def _in_turn(halls: Sequence[Hall]) -> Iterator[tuple[str, Table]]:
    """Return each event's tables in turn, board by board; the events are shuffled."""
    found = [
        (turn + random.random(), hall.slug, at)
        for hall in halls
        for turn in range(BOARDS_A_ROUND)
        for at in range(len(hall.tables))
    ]
    tables = {hall.slug: hall.tables for hall in halls}
    return ((slug, tables[slug][at]) for _moment, slug, at in sorted(found))


async def _enter(seen: Seen, standings: Standings, slug: str, table: Table) -> None:
    """Enter a table's next board, wait until standings count it, and confirm it."""
    play = table.plays.pop(0)
    try:
        await table.enter(play, "7")
        seen.behind.append(await standings.wait(slug, time.monotonic()))
        await asyncio.sleep(random.uniform(*CONFIRM_AFTER_SECONDS))
        await table.agree(play, "7")
    except (OSError, KeyError, ValueError) as error:
        seen.errors.append(repr(error)[:200])


def _judge(seen: Seen, questions: dict[str, float], shares: dict[str, float]) -> int:
    """Print the measurements; return 1 if a limit is not met."""
    rows = seen.show()
    print(
        f"  requests: {questions['rate']:,.0f}/s of {questions['wanted']:,.0f} wanted, "
        f"p99 {questions['p99']:.1f} ms"
    )
    bars = {
        "entry p99": rows["an entry waits"]["p99"] <= MAX_ENTRY_MS,
        "standings p99": rows["until standings count an entry"]["p99"] <= MAX_STANDINGS_MS,
        "failed": not seen.errors and not questions["refused"],
        "entries": bool(seen.entries),
        "requests": questions["rate"] >= 0.9 * questions["wanted"],
    }
    failed = [name for name, holds in bars.items() if not holds]
    found: dict[str, Any] = {"rows": rows, "questions": questions, "cores": shares}
    print(json.dumps(found | {"errors": seen.errors[:20], "failed": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
