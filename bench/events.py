"""Thousands of events followed at once: answers a second for 1, 100, 1,000 and 3,000 of them.

Run by hand: `python -m bench.events --events 1 100 1000 3000`. It needs PostgreSQL, Redis
(PGHOST and the like as in bench.load) and wrk. The database is created for the run and dropped
after it. wrk requests events at random, as fast as they are answered, on the same two
processors as everything else: the standings alone, the standings that a page has already (204),
and whole pages of up to `--pages` events.

Exits with 0 if the most events give at least half of one event's answers for each second of
processor time of the pages, which other work on the machine disturbs least, 99 of 100 answers
come within 50 ms, and a process grows by at most 80 MB. It also prints how many answers come
while the caches of restarted processes fill.
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

from bench.load import PAGES, PORT, environment, running
from bench.wrk import HEADS, PAGE_HEADS, requesting

MIN_RATIO = 0.5  # of the responses for one event
WARMING_REQUESTS = 20  # for each page, until nearly every process has cached it
MAX_P99_MS, MAX_GROWTH_MB, AFTER_START_SECONDS = 50.0, 80.0, 30.0


@dataclass(frozen=True, slots=True)
class Answered:
    """The responses in one measurement."""

    events: int
    asked: str
    a_second: float
    p99: float  # ms
    refused: int
    memory: float  # MB of the largest process of the pages
    a_processor_second: float  # responses per CPU second of the pages


def main() -> int:
    """Print a table, and its numbers as JSON; return 0 if the limits are met."""
    asked = _options()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(environment(folder, laptop=False))
        slugs = staged(max(asked.events), asked.tables)
        found = list(_measured(slugs, asked, Path(folder)))
    failed = _judged(found, asked)
    print(json.dumps({"found": [asdict(each) for each in found], "failed": failed}))
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[1, 100, 1000, 3000])
    parser.add_argument("--tables", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--pages", type=int, default=300, help="events with whole pages")
    return parser.parse_args()


def staged(events: int, tables: int) -> list[str]:
    """Create the clubs, print the time for it, and return their events' slugs, shuffled."""
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


def _measured(slugs: list[str], asked: Any, folder: Path) -> Iterator[Answered]:
    """Measure more and more events, then the standings again right after a restart."""
    with serving() as pages:
        for events in asked.events:
            chosen = slugs[:events]
            warm(chosen)
            for what in ("standings", "seen"):
                yield _shown(_ask(chosen, what, asked.seconds, folder, pages))
        for events in sorted({1, min(asked.pages, len(slugs))}):
            chosen = slugs[:events]
            warm_pages(chosen)
            yield _shown(_ask(chosen, "page", asked.seconds, folder, pages))
    with serving() as pages:
        began = time.monotonic()
        while (since := time.monotonic() - began) < AFTER_START_SECONDS:
            found = _ask(slugs, "seen", 5, folder, pages)
            yield _shown(
                Answered(**asdict(found) | {"asked": f"seen, {since:.0f} s after start"})
            )


@contextmanager
def serving() -> Iterator[int]:
    """Start the pages as on a server; yield the pid of their first process."""
    with running(PAGES.format(port=PORT), port=PORT) as process:
        yield process.pid


def warm(slugs: Sequence[str]) -> None:
    """Request each event's standings, as happens in the first minutes of an evening."""
    numbers = versions(slugs)
    _warm(
        [f"{path_of(slug)}{seen}" for slug in slugs for seen in ("", f"?seen={numbers[slug]}")],
        HEADS,
    )


def warm_pages(slugs: Sequence[str]) -> None:
    """Request each event's whole page."""
    _warm([f"/events/{slug}/" for slug in slugs], PAGE_HEADS)


def _warm(paths: Sequence[str], heads: dict[str, str]) -> None:
    """Request pages many times in parallel, so that every process gets each of them."""
    began = time.monotonic()
    wanted = random.Random(8).sample([*paths] * WARMING_REQUESTS, len(paths) * WARMING_REQUESTS)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda path: _fetch(path, heads), wanted))
    print(f"{len(paths)} pages warmed: {time.monotonic() - began:.0f} s")


def _fetch(path: str, heads: dict[str, str]) -> None:
    urlopen(Request(f"http://127.0.0.1:{PORT}{path}", headers=heads)).read()


def path_of(slug: str) -> str:
    """Return the path of an event's standings."""
    return f"/events/{slug}/standings/"


def _ask(slugs: Sequence[str], what: str, seconds: int, folder: Path, pages: int) -> Answered:
    """Run wrk with random events; `seen` requests standings that the client has (204)."""
    numbers = versions(slugs) if what == "seen" else {}
    seen = {slug: f"?seen={numbers[slug]}" if numbers else "" for slug in slugs}
    heads = PAGE_HEADS if what == "page" else HEADS
    paths = [
        f"/events/{slug}/" if what == "page" else f"{path_of(slug)}{seen[slug]}"
        for slug in slugs
    ]
    before = _processor_seconds(pages)
    with requesting(PORT, paths, folder, seconds=seconds, heads=heads) as found:
        pass
    used = _processor_seconds(pages) - before
    per_second = found.rate * seconds / used
    return Answered(
        len(slugs), what, found.rate, found.p99, found.refused, _memory(pages), per_second
    )


def versions(slugs: Sequence[str]) -> dict[str, int]:
    """Return the version of the newest standings of each event."""
    from django.db.models import F

    from tournaments.models import Event

    version = F("ranking__public_version") + F("renamings")
    return dict(Event.objects.filter(slug__in=slugs).values_list("slug", version))


def _memory(process: int) -> float:
    """Return the memory of the largest of a program's processes, in MB."""
    from bench.chaos_parts import tree

    held = [Path(f"/proc/{each}/statm").read_text().split()[1] for each in tree(process)]
    return max(int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6 for pages in held)


def _processor_seconds(process: int) -> float:
    """Return the CPU time that a program's processes have used."""
    from bench.chaos_parts import tree

    ticks = 0
    for each in tree(process):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])  # user and kernel mode
    return ticks / os.sysconf("SC_CLK_TCK")


def _shown(found: Answered) -> Answered:
    print(
        f"{found.events:>6} {found.asked:<22} {found.a_second:>10,.0f}/s "
        f"{found.a_processor_second:>10,.0f} a processor second "
        f"p99 {found.p99:>7.1f} ms  {found.memory:>5.0f} MB  refused {found.refused}",
        flush=True,
    )
    return found


def _judged(found: Sequence[Answered], asked: Any) -> list[str]:
    """List the limits that are not met."""
    one, most = min(asked.events), max(asked.events)
    of = {(each.events, each.asked): each for each in found}
    failed = [f"refused: {each}" for each in found if each.refused]
    pairs = [("standings", one, most), ("seen", one, most), ("page", 1, min(asked.pages, most))]
    for what, few, many in pairs:
        ratio = of[many, what].a_processor_second / of[few, what].a_processor_second
        by_clock = of[many, what].a_second / of[few, what].a_second
        print(f"{what}: {many} events give {ratio:.2f} of {few}; by the clock {by_clock:.2f}")
        failed += [f"{what}: ratio {ratio:.2f}"] * (ratio < MIN_RATIO)
        failed += [f"{what}: p99 {of[many, what].p99} ms"] * (of[many, what].p99 > MAX_P99_MS)
    grown = of[most, "seen"].memory - of[one, "standings"].memory
    print(f"a process grew by {grown:.0f} MB")
    return failed + [f"a process grew by {grown:.0f} MB"] * (grown > MAX_GROWTH_MB)


if __name__ == "__main__":
    sys.exit(main())
