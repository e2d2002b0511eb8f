"""Load test of a hall: 40 tables enter results, and 1,000 phones follow the standings.

Run manually: `python -m bench.load` for PostgreSQL, Redis, a Celery worker and Granian as in
docs/server.md; `--laptop` for SQLite and `serve`. PGHOST, PGPORT, PGUSER, PGPASSWORD and REDIS
locate the services. A database `overplay_load_…` and the Redis database 9 are created for the
run and deleted afterwards.

It prints the response times of entries, table polls and followers, the delay until standings
include an entry, and the CPU share of each kind of process. It ends `--seconds` after its
start-up, for each pace.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from bench.chaos_parts import find_free_port
from bench.cpu_meter import CpuMeter
from bench.phones import PhoneTimes, StandingsReader, Table, follow_standings, play_boards

PORT, DATABASE_NAME, QUEUE_DATABASE_NUMBER = find_free_port(), f"overplay_load_{os.getpid()}", 9
SECTIONS, TABLES, PLAYED_ROUND_COUNT = 2, 20, 2
# simulated seconds per board (a real board takes about seven minutes)
BOARD_SECONDS = {"hall": 20.0, "stress": 2.0}
START_TIMEOUT_SECONDS = 180  # timeout for a server to start
PAGES_COMMAND = (
    "-m granian --interface wsgi --host 127.0.0.1 --port {port} --http 1 --no-ws --workers 2 "
    "--blocking-threads 4 --backpressure 2000 --blocking-threads-idle-timeout 600 "
    "config.wsgi:application"
)
WORKER_COMMAND = "-m celery -A config worker --loglevel WARNING"
LAPTOP_COMMAND = f"manage.py serve --without-demo --port {PORT}"


def main() -> None:
    """Print the measurements."""
    options = _parse_options()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(set_up_environment(folder, is_laptop=options.laptop))
        print_step(f"{SECTIONS * TABLES} tables are being made")
        evening_paths = stack.enter_context(create_evening())
        cpu_meter = CpuMeter()
        if not options.laptop:
            cpu_meter.add("worker", stack.enter_context(run_program(WORKER_COMMAND)))
        pages = LAPTOP_COMMAND if options.laptop else PAGES_COMMAND.format(port=PORT)
        cpu_meter.add("pages", stack.enter_context(run_program(pages, port=PORT)))
        for pace_name in options.pace.split(","):
            text = f"{options.followers} followers, {BOARD_SECONDS[pace_name]:.0f} s a board"
            print_step(f"{pace_name}: {text}, {options.seconds:.0f} s")
            cpu_meter.start()
            phone_times = asyncio.run(
                _run_phones(evening_paths, options, BOARD_SECONDS[pace_name])
            )
            phone_times.show()
            cpu_meter.show()


def print_step(step: str) -> None:
    """Print a step immediately."""
    print(f"{time.strftime('%H:%M:%S')} {step}", flush=True)


async def _run_phones(
    hall: dict[str, Any], options: argparse.Namespace, pace: float
) -> PhoneTimes:
    phone_times, standings = PhoneTimes(), StandingsReader()
    deadline = time.monotonic() + options.seconds
    slug = hall["standings"].split("/")[2]
    tables = [Table(PORT, path, phone_times) for path in hall["tables"]]
    await asyncio.gather(
        *(
            follow_standings(PORT, hall["standings"], phone_times, deadline)
            for _ in range(options.followers)
        ),
        *(play_boards(table, pace, deadline) for table in tables),
        _measure_standings(slug, phone_times, standings, deadline),
    )
    standings.close()
    return phone_times


async def _measure_standings(
    slug: str, phone_times: PhoneTimes, standings: StandingsReader, deadline: float
) -> None:
    """Measure, after each new entry, the time until the standings include it."""
    while time.monotonic() < deadline:
        entry_count_before = len(phone_times.entries)
        await asyncio.sleep(0.1)
        if len(phone_times.entries) > entry_count_before:
            phone_times.standings_delays.append(await standings.wait(slug, time.monotonic()))


@contextmanager
def set_up_environment(folder: str, *, is_laptop: bool) -> Iterator[None]:
    """Set up an empty database, queue and folder for all processes of a run."""
    for name in ("SITE_URL", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL"):
        os.environ.pop(name, None)
    os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
    if is_laptop:
        yield
        return
    import psycopg
    import redis

    host, port = os.environ.get("PGHOST", "127.0.0.1"), os.environ.get("PGPORT", "5432")
    user, password = os.environ.get("PGUSER", "postgres"), os.environ.get("PGPASSWORD", "")
    server = f"postgres://{user}{':' + password if password else ''}@{host}:{port}"
    queue_url = f"redis://{os.environ.get('REDIS', '127.0.0.1:6379')}/{QUEUE_DATABASE_NUMBER}"

    def clear() -> None:
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {DATABASE_NAME} WITH (FORCE)")
        redis.Redis.from_url(queue_url).flushdb()

    clear()
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE_NAME}")
    os.environ |= {"DATABASE_URL": f"{server}/{DATABASE_NAME}", "REDIS_URL": queue_url}
    try:
        yield
    finally:
        from django.db import connections

        connections.close_all()
        clear()


@contextmanager
def create_evening() -> Iterator[dict[str, Any]]:
    """Create an event with 40 tables and two rounds played, and a link for each table."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    import hall.phones.services
    from bench.setup import stage_evening

    session = stage_evening(SECTIONS * TABLES, SECTIONS, PLAYED_ROUND_COUNT)
    links = hall.phones.services.create_table_links(session=session, by=None)
    yield {
        "standings": f"/events/{session.event.slug}/standings/",
        "tables": [link.path for link in links],
    }


@contextmanager
def run_program(
    command: str, *, port: int | None = None, nice: int = 0
) -> Iterator[subprocess.Popen[bytes]]:
    """Run one of our programs during the block."""
    full_command = [sys.executable, *command.split()]
    full_command = ["nice", "-n", str(nice), *full_command] if nice else full_command
    process = subprocess.Popen(full_command, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while port and not is_responding(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"It does not start: {command}")
            time.sleep(0.1)
        time.sleep(2)
        yield process
    finally:
        with suppress(ProcessLookupError):  # it has ended already
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def is_responding(port: int) -> bool:
    """Return whether the pages respond."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/robots.txt", timeout=30) as response:
            return bool(response.status == 200)
    except HTTPError as error:
        return error.code == 404  # version 1.0 has no such page
    except OSError:
        return False


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--laptop", action="store_true", help="SQLite and `serve`, no service")
    parser.add_argument("--pace", default="hall,stress", help="hall, stress, or both")
    parser.add_argument("--followers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=40)
    return parser.parse_args()


if __name__ == "__main__":
    main()
