"""Thousands of events followed at once: answers a second for 1, 100, 1,000 and 3,000 of them.

Run by hand: `python -m bench.events --events 1 100 1000 3000`. It needs PostgreSQL and Redis
(PGHOST and the like as in bench.load; `--without-redis` for the pages without it) and wrk.
The database is made for the run and thrown away after it. Pages are asked by followers chosen
at random, as fast as they answer, on the same two processors as everything else.

Holds (exit 0) when the answers for the most events are at least half of those for one (0.4
without Redis), 99 of 100 come within 50 ms, a process grows by 80 MB at most, and the same
ratio is reached again within ten seconds after the pages were started anew.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from bench.load import PAGES, PORT, environment, running

HEADS = {"HX-Request": "true", "Accept-Encoding": "gzip", "Host": "localhost"}
LEAST, LEAST_ALONE = 0.5, 0.4  # of the answers for one event: with Redis, and without
TOGETHER, ALONE = 3, 9  # times that each is asked for, until nearly every process has it
P99, GROWTH, HEALED = 50.0, 80.0, 10.0  # ms, MB, seconds
LUA = """
math.randomseed({seed})
local paths = {{ {paths} }}
local heads = {{ {heads} }}
request = function()
  return wrk.format("GET", paths[math.random(#paths)], heads)
end
"""
SHAPE = re.compile(r"99%\s+([\d.]+)(us|ms|s)|Requests/sec:\s+([\d.]+)|Non-2xx.*: (\d+)")
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back in one measurement."""

    events: int
    asked: str
    a_second: float
    p99: float  # ms
    refused: int
    memory: float  # MB of the largest process of the pages


def main() -> int:
    """Print a table and its figures as JSON; 0 where the bars hold."""
    asked = _options()
    if shutil.which("wrk") is None:
        sys.exit("bench.events asks with wrk, which is not installed.")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(environment(folder, laptop=False))
        if asked.without_redis:
            os.environ |= {"CELERY_BROKER_URL": os.environ.pop("REDIS_URL")}
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
    parser.add_argument("--without-redis", action="store_true")
    return parser.parse_args()


def staged(events: int, tables: int) -> list[str]:
    """Make the clubs, say how long that took, and return their events' addresses, mixed."""
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
    """Ask for more and more events; then once more, right after a start."""
    with serving() as pages:
        for events in asked.events:
            chosen = slugs[:events]
            warm(chosen, ALONE if asked.without_redis else TOGETHER)
            for what in ("standings", "seen"):
                yield _shown(_ask(chosen, what, asked.seconds, folder, pages))
    with serving() as pages:
        began = time.monotonic()
        while True:
            found = _ask(slugs, "standings", 2, folder, pages)
            since = time.monotonic() - began
            if since > HEALED - 2:
                yield _shown(
                    Answered(**asdict(found) | {"asked": f"{since:.0f} s after a start"})
                )
                return


@contextmanager
def serving() -> Iterator[int]:
    """Start the pages as on a server; tell their first process."""
    with running(PAGES.format(port=PORT), port=PORT) as process:
        yield process.pid


def warm(slugs: Sequence[str], times: int = TOGETHER) -> None:
    """Have each event asked for by somebody, as happens in the first minute of an evening."""
    began = time.monotonic()
    numbers = versions(slugs)
    for slug in slugs:
        for seen in [""] * times + [f"?seen={numbers[slug]}"] * times:
            where = f"http://127.0.0.1:{PORT}{path_of(slug)}{seen}"
            urlopen(Request(where, headers=HEADS)).read()
    print(f"{len(slugs)} events asked for once: {time.monotonic() - began:.0f} s")


def path_of(slug: str) -> str:
    """Where an event's standings are asked for."""
    return f"/events/{slug}/standings/"


def _ask(slugs: Sequence[str], what: str, seconds: int, folder: Path, pages: int) -> Answered:
    """Let wrk ask for events at random; `seen` asks for what it has already (204)."""
    numbers = versions(slugs) if what == "seen" else {}
    seen = {slug: f"?seen={numbers[slug]}" if numbers else "" for slug in slugs}
    script = folder / "ask.lua"
    script.write_text(
        LUA.format(
            seed=7,
            paths=", ".join(f'"{path_of(slug)}{seen[slug]}"' for slug in slugs),
            heads=", ".join(f'["{name}"] = "{value}"' for name, value in HEADS.items()),
        )
    )
    command = ["wrk", "-t1", "-c16", f"-d{seconds}s", "--latency", "-s", str(script)]
    said = subprocess.run(
        [*command, f"http://127.0.0.1:{PORT}/"], capture_output=True, text=True, check=True
    ).stdout
    p99, rate, refused = 0.0, 0.0, 0
    for late, unit, a_second, bad in SHAPE.findall(said):
        p99 = float(late) * UNITS[unit] if late else p99
        rate = float(a_second) if a_second else rate
        refused = int(bad) if bad else refused
    return Answered(len(slugs), what, rate, p99, refused, _memory(pages))


def versions(slugs: Sequence[str]) -> dict[str, int]:
    """Tell the number of the newest standings of each."""
    from django.db.models import F

    from tournaments.models import Event

    version = F("ranking__public_version") + F("renamings")
    return dict(Event.objects.filter(slug__in=slugs).values_list("slug", version))


def _memory(process: int) -> float:
    """What the largest of a program's processes holds, in MB."""
    from bench.chaos_parts import tree

    held = [Path(f"/proc/{each}/statm").read_text().split()[1] for each in tree(process)]
    return max(int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6 for pages in held)


def _shown(found: Answered) -> Answered:
    print(
        f"{found.events:>6} {found.asked:<22} {found.a_second:>10,.0f}/s "
        f"p99 {found.p99:>7.1f} ms  {found.memory:>5.0f} MB  refused {found.refused}",
        flush=True,
    )
    return found


def _judged(found: Sequence[Answered], asked: Any) -> list[str]:
    """Name the bars that do not hold."""
    least = LEAST_ALONE if asked.without_redis else LEAST
    one, most = min(asked.events), max(asked.events)
    of = {(each.events, each.asked): each for each in found}
    failed = [f"refused: {each}" for each in found if each.refused]
    for what in ("standings", "seen"):
        ratio = of[most, what].a_second / of[one, what].a_second
        print(f"{what}: {most} events give {ratio:.2f} of one")
        failed += [f"{what}: ratio {ratio:.2f}"] * (ratio < least)
        failed += [f"{what}: p99 {of[most, what].p99} ms"] * (of[most, what].p99 > P99)
    grown = of[most, "seen"].memory - of[one, "standings"].memory
    failed += [f"a process grew by {grown:.0f} MB"] * (grown > GROWTH)
    healed = found[-1].a_second / of[one, "standings"].a_second
    print(f"after a start: {healed:.2f} of one; a process grew by {grown:.0f} MB")
    return failed + [f"after a start: ratio {healed:.2f}"] * (healed < least)


if __name__ == "__main__":
    sys.exit(main())
