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
MAX_P99_MS, MAX_GROWTH_MB, RESTART_MEASUREMENT_SECONDS = 50.0, 80.0, 30.0


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
    options = _parse_options()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(set_up_environment(folder, is_laptop=False))
        slugs = stage_clubs(max(options.events), options.tables)
        measurements = list(_measure_all(slugs, options, Path(folder)))
    failures = _list_missed_limits(measurements, options)
    print(
        json.dumps(
            {"found": [asdict(measurement) for measurement in measurements], "failed": failures}
        )
    )
    return 1 if failures else 0


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
    started_at = time.monotonic()
    path = Path(os.environ["DATA_DIR"], "slugs")
    with path.open("w") as file:
        call_command(
            "stage", "--without-deals", clubs=max(2, events), tables=tables, stdout=file
        )
    print(f"{events} clubs staged in {time.monotonic() - started_at:.0f} s")
    slugs = re.findall(r"/events/([\w-]+)/", path.read_text())
    return random.Random(7).sample(slugs, events)


def _measure_all(slugs: list[str], options: Any, folder: Path) -> Iterator[EventsMeasurement]:
    """Measure increasing numbers of events, then the standings again after a restart."""
    with serve_pages() as pages:
        for events in options.events:
            chosen_slugs = slugs[:events]
            warm_standings(chosen_slugs)
            for request_kind in ("standings", "seen"):
                yield _print_measurement(
                    _measure_requests(
                        chosen_slugs, request_kind, options.seconds, folder, pages
                    )
                )
        for events in sorted({1, min(options.pages, len(slugs))}):
            chosen_slugs = slugs[:events]
            warm_pages(chosen_slugs)
            yield _print_measurement(
                _measure_requests(chosen_slugs, "page", options.seconds, folder, pages)
            )
    with serve_pages() as pages:
        started_at = time.monotonic()
        while (elapsed_seconds := time.monotonic() - started_at) < RESTART_MEASUREMENT_SECONDS:
            measurement = _measure_requests(slugs, "seen", 5, folder, pages)
            yield _print_measurement(
                EventsMeasurement(
                    **asdict(measurement)
                    | {"request_kind": f"seen, {elapsed_seconds:.0f} s after start"}
                )
            )


@contextmanager
def serve_pages() -> Iterator[int]:
    """Start the pages as on a server; yield the id of their first process."""
    with run_program(PAGES_COMMAND.format(port=PORT), port=PORT) as process:
        yield process.pid


def warm_standings(slugs: Sequence[str]) -> None:
    """Request each event's standings, as happens in the first minutes of an evening."""
    numbers = load_ranking_versions(slugs)
    _request_repeatedly(
        [
            f"{build_standings_path(slug)}{query}"
            for slug in slugs
            for query in ("", f"?seen={numbers[slug]}")
        ],
        FRAGMENT_HEADERS,
    )


def warm_pages(slugs: Sequence[str]) -> None:
    """Request each event's whole page."""
    _request_repeatedly([f"/events/{slug}/" for slug in slugs], PAGE_HEADERS)


def _request_repeatedly(paths: Sequence[str], headers: dict[str, str]) -> None:
    """Request pages many times in parallel, until every process has each of them."""
    started_at = time.monotonic()
    requested_paths = random.Random(8).sample(
        [*paths] * WARMING_REQUESTS, len(paths) * WARMING_REQUESTS
    )
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda path: _fetch_page(path, headers), requested_paths))
    print(f"{len(paths)} pages warmed: {time.monotonic() - started_at:.0f} s")


def _fetch_page(path: str, headers: dict[str, str]) -> None:
    urlopen(Request(f"http://127.0.0.1:{PORT}{path}", headers=headers)).read()


def build_standings_path(slug: str) -> str:
    """Return the path of an event's standings."""
    return f"/events/{slug}/standings/"


def _measure_requests(
    slugs: Sequence[str], request_kind: str, seconds: int, folder: Path, pages: int
) -> EventsMeasurement:
    """Run wrk with random events; `seen` requests standings that the client has (204)."""
    numbers = load_ranking_versions(slugs) if request_kind == "seen" else {}
    query_strings = {slug: f"?seen={numbers[slug]}" if numbers else "" for slug in slugs}
    headers = PAGE_HEADERS if request_kind == "page" else FRAGMENT_HEADERS
    paths = [
        f"/events/{slug}/"
        if request_kind == "page"
        else f"{build_standings_path(slug)}{query_strings[slug]}"
        for slug in slugs
    ]
    cpu_seconds_before = _read_cpu_seconds(pages)
    with run_wrk(PORT, paths, folder, seconds=seconds, headers=headers) as responses:
        pass
    cpu_seconds = _read_cpu_seconds(pages) - cpu_seconds_before
    rate_per_cpu_second = responses.rate * seconds / cpu_seconds
    return EventsMeasurement(
        len(slugs),
        request_kind,
        responses.rate,
        responses.p99,
        responses.failed,
        _read_memory_mb(pages),
        rate_per_cpu_second,
    )


def load_ranking_versions(slugs: Sequence[str]) -> dict[str, int]:
    """Return the version of the newest standings of each event."""
    from django.db.models import F

    from tournaments.models import Event

    version = F("ranking__public_version") + F("renamings")
    return dict(Event.objects.filter(slug__in=slugs).values_list("slug", version))


def _read_memory_mb(process: int) -> float:
    """Return the memory of a program's largest process, in MB."""
    from bench.chaos_parts import list_process_tree

    sizes = [
        Path(f"/proc/{process_id}/statm").read_text().split()[1]
        for process_id in list_process_tree(process)
    ]
    return max(int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6 for pages in sizes)


def _read_cpu_seconds(process: int) -> float:
    """Return the CPU time that a program's processes have used, in seconds."""
    from bench.chaos_parts import list_process_tree

    ticks = 0
    for item in list_process_tree(process):
        fields = Path(f"/proc/{item}/stat").read_text().rpartition(")")[2].split()
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
    min_events, max_events = min(options.events), max(options.events)
    measurements_by_kind = {
        (measurement.events, measurement.request_kind): measurement
        for measurement in measurements
    }
    failures = [f"refused: {measurement}" for measurement in measurements if measurement.failed]
    pairs = [
        ("standings", min_events, max_events),
        ("seen", min_events, max_events),
        ("page", 1, min(options.pages, max_events)),
    ]
    for label, smaller_event_count, larger_event_count in pairs:
        ratio = (
            measurements_by_kind[larger_event_count, label].rate_per_cpu_second
            / measurements_by_kind[smaller_event_count, label].rate_per_cpu_second
        )
        clock_rate_ratio = (
            measurements_by_kind[larger_event_count, label].rate
            / measurements_by_kind[smaller_event_count, label].rate
        )
        print(
            f"{label}: {larger_event_count} events give {ratio:.2f} of {smaller_event_count}; "
            f"by the clock {clock_rate_ratio:.2f}"
        )
        failures += [f"{label}: ratio {ratio:.2f}"] * (ratio < MIN_RATE_RATIO)
        failures += [
            f"{label}: p99 {measurements_by_kind[larger_event_count, label].p99} ms"
        ] * (measurements_by_kind[larger_event_count, label].p99 > MAX_P99_MS)
    memory_mb = (
        measurements_by_kind[max_events, "seen"].memory_mb
        - measurements_by_kind[min_events, "standings"].memory_mb
    )
    print(f"a process grew by {memory_mb:.0f} MB")
    return failures + [f"a process grew by {memory_mb:.0f} MB"] * (memory_mb > MAX_GROWTH_MB)


if __name__ == "__main__":
    sys.exit(main())
