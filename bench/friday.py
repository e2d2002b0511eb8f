"""A share of a federation's Friday on this machine: entries, confirmations and polls.

Run manually: `python -m bench.friday --share 0.1` for a tenth of an evening with 3,000 clubs of
ten tables each. A board takes seven minutes, and a quarter of the players follow: 71 entries
and as many confirmations a second, and 27,000 requests for newer standings. It needs
PostgreSQL, Redis and wrk as `bench.events` does. Entries come at random times from the phones
of as many events as the pace needs, and a confirmation follows each. wrk sends the requests,
spread over all events. Each table, and one follower of each event, has its page open at the
start.

It exits with 0 if 99 of 100 entries are answered within 250 ms, 99 of 100 are in the standings
within 2 s, and no request failed. It ends `--seconds` after the clubs are created, which takes
half a minute to some minutes for 3,000. A short run: `--events 20 --share 0.01 --seconds 10`.
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

from bench.cpu_meter import CpuMeter
from bench.events import build_standings_path, load_ranking_versions, stage_clubs
from bench.load import (
    PAGES_COMMAND,
    PORT,
    WORKER_COMMAND,
    print_step,
    run_program,
    set_up_environment,
)
from bench.phones import PhoneTimes, StandingsReader, Table, follow_standings
from bench.wrk import ResponseStatistics, run_wrk

ENTRIES_PER_SECOND, POLLS_PER_SECOND = 71.0, 27_000.0  # per second, for the whole Friday
MAX_ENTRY_MS, MAX_STANDINGS_MS = 250.0, 2000.0  # 99th percentiles
CONFIRM_AFTER_SECONDS = (1.0, 3.0)  # seconds until the other pair confirms
POLL_PAUSE_MS = 100  # ms between two requests of one of wrk's connections
MAX_RESPONSE_MS = 4  # ms that a response may take if the pace is kept
TABLES, BOARDS_PER_ROUND = 7, 4
NICENESS = 15  # as in deploy/overplay-worker.service


@dataclass(frozen=True, slots=True)
class TableEvent:
    """An event whose tables enter results on their phones."""

    slug: str
    tables: list[Table]


def main() -> int:
    """Print a table, and its numbers as JSON; return 0 if the limits are met."""
    options = _parse_options()
    phone_times = PhoneTimes()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(set_up_environment(folder, is_laptop=False))
        print_step(f"{options.events} clubs are being made")
        slugs = stage_clubs(options.events, TABLES)
        table_events = _create_tables(
            slugs, round(ENTRIES_PER_SECOND * options.share * options.seconds), phone_times
        )
        cpu_meter = CpuMeter()
        cpu_meter.add("worker", stack.enter_context(run_program(WORKER_COMMAND, nice=NICENESS)))
        cpu_meter.add(
            "pages",
            stack.enter_context(run_program(PAGES_COMMAND.format(port=PORT), port=PORT)),
        )
        print_step("each table opens its page")
        asyncio.run(_open_pages(table_events))
        numbers = load_ranking_versions([table_event.slug for table_event in table_events])
        print_step(f"the evening begins, {options.seconds} s")
        poll_rate = POLLS_PER_SECOND * options.share
        with run_wrk(
            PORT,
            [
                f"{build_standings_path(slug)}?seen={number}"
                for slug, number in load_ranking_versions(slugs).items()
            ],
            Path(folder),
            seconds=options.seconds,
            connections=max(1, round(poll_rate * (POLL_PAUSE_MS + MAX_RESPONSE_MS) / 1000)),
            pause_ms=POLL_PAUSE_MS,
        ) as poll_responses:
            cpu_meter.start()
            entries_per_second = ENTRIES_PER_SECOND * options.share
            asyncio.run(
                _play_at_pace(
                    table_events, numbers, phone_times, entries_per_second, options.seconds
                )
            )
            cpu_shares = cpu_meter.show()
    return _print_results(phone_times, poll_responses, poll_rate, cpu_shares)


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.1, help="of the whole Friday")
    parser.add_argument("--events", type=int, default=3000)
    parser.add_argument("--seconds", type=int, default=120)
    return parser.parse_args()


def _create_tables(
    slugs: Sequence[str], entries: int, phone_times: PhoneTimes
) -> list[TableEvent]:
    """Create links for tables, in as many events as all entries of one round need."""
    from hall.phones.services import create_table_links
    from tournaments.models import Session

    chosen_slugs = slugs[: -(-int(entries * 1.5) // (TABLES * BOARDS_PER_ROUND))]
    table_events = []
    for session in Session.objects.filter(event__slug__in=chosen_slugs).select_related("event"):
        links = create_table_links(session=session, by=None)
        tables = [Table(PORT, link.path, phone_times) for link in links]
        table_events.append(TableEvent(session.event.slug, tables))
    return table_events


async def _open_pages(events: Sequence[TableEvent]) -> None:
    for table_event in events:
        for table in table_event.tables:
            await table.load_boards()
            table.connection.close()  # the evening has another event loop


async def _play_at_pace(
    table_events: Sequence[TableEvent],
    numbers: dict[str, int],
    phone_times: PhoneTimes,
    pace: float,
    seconds: float,
) -> None:
    """Enter boards of random tables at random times, `pace` entries a second."""
    standings, deadline = StandingsReader(), time.monotonic() + seconds
    phone_times.table_polls.clear()  # do not count the polls before the evening
    entries = _iter_tables(table_events)
    acts = [
        asyncio.create_task(
            follow_standings(
                PORT, build_standings_path(slug), phone_times, deadline + 3, str(number)
            )
        )
        for slug, number in numbers.items()
    ]
    while (remaining_seconds := deadline - time.monotonic()) > 0:
        await asyncio.sleep(min(remaining_seconds, random.expovariate(pace)))
        if next_entry := next(entries, None):
            acts.append(
                asyncio.create_task(_enter_next_board(phone_times, standings, *next_entry))
            )
    await asyncio.gather(*acts)
    standings.close()


def _iter_tables(table_events: Sequence[TableEvent]) -> Iterator[tuple[str, Table]]:
    """Yield each event's tables in turn, board by board, with the events shuffled."""
    entry_times = [
        (board_index + random.random(), table_event.slug, number)
        for table_event in table_events
        for board_index in range(BOARDS_PER_ROUND)
        for number in range(len(table_event.tables))
    ]
    tables = {table_event.slug: table_event.tables for table_event in table_events}
    return (
        (slug, tables[slug][table_index]) for _moment, slug, table_index in sorted(entry_times)
    )


async def _enter_next_board(
    phone_times: PhoneTimes, standings: StandingsReader, slug: str, table: Table
) -> None:
    """Enter a table's next board, wait until the standings include it, and confirm it."""
    play = table.plays.pop(0)
    try:
        await table.enter(play, "7")
        phone_times.standings_delays.append(await standings.wait(slug, time.monotonic()))
        await asyncio.sleep(random.uniform(*CONFIRM_AFTER_SECONDS))
        await table.confirm(play, "7")
    except (OSError, KeyError, ValueError) as error:
        phone_times.errors.append(repr(error)[:200])


def _print_results(
    phone_times: PhoneTimes,
    polls: ResponseStatistics,
    poll_rate: float,
    shares: dict[str, float],
) -> int:
    """Print the measurements; return 1 if a limit is not met."""
    rows = phone_times.show()
    print(f"  requests: {polls.rate:,.0f}/s of {poll_rate:,.0f} wanted, p99 {polls.p99:.1f} ms")
    limits = {
        "entry p99": rows["an entry waits"]["p99"] <= MAX_ENTRY_MS,
        "standings p99": rows["until standings count an entry"]["p99"] <= MAX_STANDINGS_MS,
        "failed": not phone_times.errors and not polls.failed,
        "entries": bool(phone_times.entries),
        "requests": polls.rate >= 0.9 * poll_rate,
    }
    failures = [name for name, is_limit_met in limits.items() if not is_limit_met]
    results: dict[str, Any] = {
        "rows": rows,
        "requests": asdict(polls) | {"wanted": poll_rate},
        "cores": shares,
    }
    print(json.dumps(results | {"errors": phone_times.errors[:20], "failed": failures}))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
