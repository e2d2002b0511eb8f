"""Responses a second while 1, 100, 1,000 and 3,000 events are followed at the same time.

Run manually: `python -m bench.events --events 1 100 1000 3000`. It needs PostgreSQL, Redis
(PGHOST etc. as in bench.load) and wrk. The database is created for the run and dropped
afterwards. wrk requests random events as fast as possible, on the same two processors as
everything else. It requests standings, standings that the page already has (204), and whole
pages of up to `--pages` events.

It exits with 0 if three conditions are met. The most events give at least half of one event's
responses for each second of processor time of the pages, the measure that other work disturbs
least. 99 of 100 responses take at most 50 ms. A process grows by at most 80 MB. It also prints
the responses a second while the caches of restarted processes fill.
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from bench.load import PAGES_COMMAND, PORT, run_program, set_up_environment
from bench.wrk import FRAGMENT_HEADERS, PAGE_HEADERS, run_wrk

MIN_RATE_RATIO = 0.5  # of the responses for one event
WARMING_REQUESTS = 20  # for each page, until nearly every process has cached it
MAX_P99_MS, MAX_GROWTH_MB, AFTER_START_SECONDS = 50.0, 80.0, 30.0


@dataclass(frozen=True, slots=True)
class EventsMeasurement:
    """The responses in one measurement."""

    events: int
    request_kind: str
    rate: float
    p99: float  # ms
    failed: int
    memory_mb: float  # MB of the largest process of the pages
    rate_per_cpu_second: float  # responses per CPU second of the pages


def main() -> int:
    """Print a table, and its numbers as JSON; return 0 if the limits are met."""
    asked = _parse_options()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(set_up_environment(folder, laptop=False))
        slugs = stage_clubs(max(asked.events), asked.tables)
        found = list(_measure_all(slugs, asked, Path(folder)))
    failed = _list_missed_limits(found, asked)
    print(json.dumps({"found": [asdict(each) for each in found], "failed": failed}))
    return 1 if failed else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[1, 100, 1000, 3000])
    parser.add_argument("--tables", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--pages", type=int, default=300, help="events with whole pages")
    return parser.parse_args()


def stage_clubs(events: int, tables: int) -> list[str]:
    """Create the clubs, print the duration, and return the slugs of their events, shuffled."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    began = time.monotonic()
    out = Path(os.environ["DATA_DIR"], "slugs")
    with out.open("w") as file:
        call_command(
            "stage", "--without-deals", clubs=max(2, events), tables=tables, stdout=file
        )
    print(f"{events} clubs staged in {time.monotonic() - began:.0f} s")
    slugs = re.findall(r"/events/([\w-]+)/", out.read_text())
    return random.Random(7).sample(slugs, events)


def _measure_all(slugs: list[str], options: Any, folder: Path) -> Iterator[EventsMeasurement]:
    """Measure increasing numbers of events, then the standings again after a restart."""
    with serve_pages() as pages:
        for events in options.events:
            chosen = slugs[:events]
            warm_standings(chosen)
            for what in ("standings", "seen"):
                yield _print_measurement(
                    _measure_requests(chosen, what, options.seconds, folder, pages)
                )
        for events in sorted({1, min(options.pages, len(slugs))}):
            chosen = slugs[:events]
            warm_pages(chosen)
            yield _print_measurement(
                _measure_requests(chosen, "page", options.seconds, folder, pages)
            )
    with serve_pages() as pages:
        began = time.monotonic()
        while (since := time.monotonic() - began) < AFTER_START_SECONDS:
            found = _measure_requests(slugs, "seen", 5, folder, pages)
            yield _print_measurement(
                EventsMeasurement(
                    **asdict(found) | {"request_kind": f"seen, {since:.0f} s after start"}
                )
            )


@contextmanager
def serve_pages() -> Iterator[int]:
    """Start the pages as on a server; yield the id of their first process."""
    with run_program(PAGES_COMMAND.format(port=PORT), port=PORT) as process:
        yield process.pid


def warm_standings(slugs: Sequence[str]) -> None:
    """Request each event's standings, as happens in the first minutes of an evening."""
    numbers = load_versions(slugs)
    _request_repeatedly(
        [
            f"{build_standings_path(slug)}{seen}"
            for slug in slugs
            for seen in ("", f"?seen={numbers[slug]}")
        ],
        FRAGMENT_HEADERS,
    )


def warm_pages(slugs: Sequence[str]) -> None:
    """Request each event's whole page."""
    _request_repeatedly([f"/events/{slug}/" for slug in slugs], PAGE_HEADERS)


def _request_repeatedly(paths: Sequence[str], heads: dict[str, str]) -> None:
    """Request pages many times in parallel, until every process has each of them."""
    began = time.monotonic()
    wanted = random.Random(8).sample([*paths] * WARMING_REQUESTS, len(paths) * WARMING_REQUESTS)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda path: _fetch_page(path, heads), wanted))
    print(f"{len(paths)} pages warmed: {time.monotonic() - began:.0f} s")


def _fetch_page(path: str, heads: dict[str, str]) -> None:
    urlopen(Request(f"http://127.0.0.1:{PORT}{path}", headers=heads)).read()


def build_standings_path(slug: str) -> str:
    """Return the path of an event's standings."""
    return f"/events/{slug}/standings/"


def _measure_requests(
    slugs: Sequence[str], what: str, seconds: int, folder: Path, pages: int
) -> EventsMeasurement:
    """Run wrk with random events; `seen` requests standings that the client has (204)."""
    numbers = load_versions(slugs) if what == "seen" else {}
    seen = {slug: f"?seen={numbers[slug]}" if numbers else "" for slug in slugs}
    heads = PAGE_HEADERS if what == "page" else FRAGMENT_HEADERS
    paths = [
        f"/events/{slug}/" if what == "page" else f"{build_standings_path(slug)}{seen[slug]}"
        for slug in slugs
    ]
    before = _read_cpu_seconds(pages)
    with run_wrk(PORT, paths, folder, seconds=seconds, heads=heads) as found:
        pass
    used = _read_cpu_seconds(pages) - before
    per_second = found.rate * seconds / used
    return EventsMeasurement(
        len(slugs),
        what,
        found.rate,
        found.p99,
        found.failed,
        _read_memory_mb(pages),
        per_second,
    )


def load_versions(slugs: Sequence[str]) -> dict[str, int]:
    """Return the version of the newest standings of each event."""
    from django.db.models import F

    from tournaments.models import Event

    version = F("ranking__public_version") + F("renamings")
    return dict(Event.objects.filter(slug__in=slugs).values_list("slug", version))


def _read_memory_mb(process: int) -> float:
    """Return the memory of a program's largest process, in MB."""
    from bench.chaos_parts import list_process_tree

    held = [
        Path(f"/proc/{each}/statm").read_text().split()[1]
        for each in list_process_tree(process)
    ]
    return max(int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6 for pages in held)


def _read_cpu_seconds(process: int) -> float:
    """Return the CPU time that a program's processes have used, in seconds."""
    from bench.chaos_parts import list_process_tree

    ticks = 0
    for each in list_process_tree(process):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])  # user and kernel mode
    return ticks / os.sysconf("SC_CLK_TCK")


def _print_measurement(measurement: EventsMeasurement) -> EventsMeasurement:
    print(
        f"{measurement.events:>6} {measurement.request_kind:<22} {measurement.rate:>10,.0f}/s "
        f"{measurement.rate_per_cpu_second:>10,.0f} a processor second "
        f"p99 {measurement.p99:>7.1f} ms  {measurement.memory_mb:>5.0f} MB  "
        f"refused {measurement.failed}",
        flush=True,
    )
    return measurement


def _list_missed_limits(measurements: Sequence[EventsMeasurement], options: Any) -> list[str]:
    """List the limits that are not met."""
    one, most = min(options.events), max(options.events)
    of = {(each.events, each.request_kind): each for each in measurements}
    failed = [f"refused: {each}" for each in measurements if each.failed]
    pairs = [
        ("standings", one, most),
        ("seen", one, most),
        ("page", 1, min(options.pages, most)),
    ]
    for what, few, many in pairs:
        ratio = of[many, what].rate_per_cpu_second / of[few, what].rate_per_cpu_second
        by_clock = of[many, what].rate / of[few, what].rate
        print(f"{what}: {many} events give {ratio:.2f} of {few}; by the clock {by_clock:.2f}")
        failed += [f"{what}: ratio {ratio:.2f}"] * (ratio < MIN_RATE_RATIO)
        failed += [f"{what}: p99 {of[many, what].p99} ms"] * (of[many, what].p99 > MAX_P99_MS)
    grown = of[most, "seen"].memory_mb - of[one, "standings"].memory_mb
    print(f"a process grew by {grown:.0f} MB")
    return failed + [f"a process grew by {grown:.0f} MB"] * (grown > MAX_GROWTH_MB)


if __name__ == "__main__":
    sys.exit(main())
