"""Measures the CPU time of each page of an event with 100 tables in three sections.

Run manually: `python -m bench.hall`. The event is that of `stage --tables 100 --sections 3
--played 7`. Every page is requested in a separate process that has started, but has served
nothing yet. It prints the time of the first response, also as a multiple of a bare loop
measured before and after it, the fastest of three later responses, the queries and the size.
"""

import multiprocessing
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

from bench.setup import ROUNDS, set_up_folder, stage_evening

TABLES, SECTIONS = 100, 3
LOOP_STEPS = 1_000_000  # of the bare loop
DIRECTOR_PAGES = (
    *("", "room/", "scores/", "scores/?by=round", "standings/", "closing/", "seats/"),
    *("change/", "papers/", "history/", "entries/", "tables/", "rulings/", "movement/"),
    *("movement/sections/", "seeds/", "stages/"),
)
PUBLIC_PAGES = (
    "",
    "standings/",
    "boards/",
    "boards/1/",
    "recap/",
    "entries/1/",
    "screen/",
    "clock/",
)


def main() -> None:
    """Print the time to create the test event and the response time of every page."""
    with set_up_folder():
        started_at = time.process_time()
        slug = stage_evening(TABLES, SECTIONS, ROUNDS).event.slug
        print(f"{'staged':<32} {time.process_time() - started_at:8.1f} s", flush=True)
        subprocess.run([sys.executable, "-m", "bench.hall", slug], check=True)


def measure_pages(slug: str) -> None:
    """Print the times of every page, each requested in a fork of this process."""
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from config.templates import preload_views_and_templates
    from server.memory import freeze_loaded_objects
    from server.models import User

    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    director, visitor_client = Client(), Client()
    for client in (director, visitor_client):
        client.handler.load_middleware()
    director.force_login(User.objects.get())
    preload_views_and_templates()
    freeze_loaded_objects()
    for client, root_path, paths in (
        (director, f"/director/events/{slug}/", DIRECTOR_PAGES),
        (visitor_client, f"/events/{slug}/", PUBLIC_PAGES),
    ):
        for path in paths:
            measurements = _measure_in_fork(client, root_path + path)
            first_seconds, *later_seconds = measurements["seconds"]
            print(
                f"{root_path[:10] + '… ' + path:<32} {first_seconds * 1000:8.0f} ms first"
                f" = {first_seconds / measurements['loop']:4.1f} loops"
                f" {min(later_seconds) * 1000:6.0f} ms later"
                f" {measurements['queries']:4d} queries {measurements['bytes'] // 1000:5d} kB"
            )


def _measure_in_fork(client: Any, path: str) -> dict[str, Any]:
    """Measure a page in a child process, which starts with its parent's current state."""
    from django.db import connections

    connections.close_all()
    fork_context = multiprocessing.get_context("fork")
    receiver, sender = fork_context.Pipe(duplex=False)
    child = fork_context.Process(target=_send_measurements, args=(sender, client, path))
    child.start()
    sender.close()
    try:
        measurements: dict[str, Any] = receiver.recv()
    except EOFError:
        sys.exit(f"{path}: no answer")
    child.join()
    return measurements


def _send_measurements(sender: Connection, client: Any, path: str) -> None:
    sender.send(_measure_page(client, path))


def _measure_page(client: Any, path: str) -> dict[str, Any]:
    """Request a page four times, and time the bare loop before and after the first."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    seconds: list[float] = []
    loop_seconds = [measure_loop_seconds()]
    for _ in range(4):
        with CaptureQueriesContext(connection) as queries:
            started_at = time.process_time()
            response = client.get(path, headers={"HX-Request": "true"})
            seconds.append(time.process_time() - started_at)
        if response.status_code != 200:
            raise SystemExit(f"{path}: {response.status_code}")
        loop_seconds.append(measure_loop_seconds())
    return {
        "seconds": seconds,
        "loop": sum(loop_seconds[:2]) / 2,
        "queries": len(queries),
        "bytes": len(response.content),
    }


def measure_loop_seconds() -> float:
    """Return the seconds of CPU time that a bare loop takes."""
    started_at, total = time.process_time(), 0
    for number in range(LOOP_STEPS):
        total += number * number % 7
    return time.process_time() - started_at


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure_pages(sys.argv[1])
    else:
        main()
