"""Shared code of the measurements: separate data folders, events of any size, and medians."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournaments.models import Session

ROUNDS, BOARDS_PER_ROUND = 7, 4


@contextmanager
def set_up_folder() -> Iterator[str]:
    """Set up Django with data in a new folder that is deleted afterwards."""
    import django
    from django.core.management import call_command
    from django.db import connections

    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        for variable in ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "SITE_URL"):
            os.environ.pop(variable, None)
        django.setup()
        call_command("migrate", interactive=False, verbosity=0)
        yield folder
        connections.close_all()


def stage_evening(tables: int, sections: int, played_round_count: int) -> "Session":
    """Create a Mitchell event of seven rounds of four boards, with the first rounds played."""
    import clubs.services
    from hall.rehearsal.staged_events import create_staged_session
    from server.models import User

    user = User.objects.create(username=f"director of {tables} tables")
    club = clubs.services.create_club(name="Bench", owner=user, by=user)
    return create_staged_session(
        club=club,
        table_count=tables,
        section_count=sections,
        played_round_count=played_round_count,
        should_deal=False,
        by=user,
    )


def measure_median(function: Callable[[], object], runs: int = 5) -> float:
    """Return the median duration of the runs in seconds; the first run is not counted."""
    function()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def show_ratio(text: str, seconds: float, bare_seconds: float) -> None:
    """Print a duration and its ratio to that of the bare block."""
    print(
        f"  {text:<44} {seconds * 1000:9.2f} ms   {seconds / bare_seconds:6.2f} x", flush=True
    )
