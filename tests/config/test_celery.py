"""The queue: what happens when it is unreachable, and what a worker imports."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from config import jobs
from server.jobs import broker
from tests.house.sources import MODULES

NOWHERE = "redis://127.0.0.1:1/0"
ORDER = """
from django.core.management import call_command
from boards import services
from server.jobs import outbox
from scoring.tasks import STANDINGS_JOB
from server.models import Job
services.make_board_set(name="Tuesday", size=4)
outbox.enqueue(STANDINGS_JOB, 404)
print(*Job.objects.order_by("lane").values_list("kind", "state"))
call_command("jobs", "--work")
print(*Job.objects.order_by("lane", "kind").values_list("kind", "state"))
"""

KNOWN = """
from config.celery import app
app.loader.import_default_modules()
print(*app.tasks)
"""


@pytest.fixture(scope="module")
def celery_process(
    manage: Callable[..., subprocess.CompletedProcess[str]],
    empty_database_file: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> subprocess.CompletedProcess[str]:
    """Run the program without its queue; it prints what a worker knows and orders two jobs."""
    folder = tmp_path_factory.mktemp("without-queue")
    shutil.copy(empty_database_file, folder / "overplay.sqlite3")
    linger = "import config.management.commands.jobs as j; j.IDLE_SECONDS = 0.1"
    arguments = ("shell", "--no-imports", "-c", f"{KNOWN}\n{linger}\n{ORDER}")
    return manage(*arguments, data=folder, CELERY_BROKER_URL=NOWHERE)


@pytest.mark.slow
def test_a_worker_registers_the_task(celery_process: subprocess.CompletedProcess[str]) -> None:
    assert broker.TASK_NAME in celery_process.stdout.splitlines()[0].split(), (
        celery_process.stderr
    )


@pytest.mark.slow
def test_without_its_queue_a_page_does_what_is_short_and_a_helping_hand_the_rest(
    celery_process: subprocess.CompletedProcess[str],
) -> None:
    short = "('standings', 'done')"
    assert celery_process.stdout.splitlines()[1:] == [
        f"{short} ('deals', 'wanted')",
        f"{short} ('analysis', 'done') ('deals', 'done')",
    ], celery_process.stderr
    assert celery_process.stderr.count("The queue does not answer") == 1


def test_every_kind_of_every_room_is_handed_to_the_worker() -> None:
    rooms = {module.partition(".")[0] for module in MODULES if module.endswith(".tasks")}
    known = {kind.run.__module__.partition(".")[0] for kind in jobs.OTHER_JOBS}
    assert known == rooms - {"config"}
    assert {kind.code for kind in jobs.OTHER_JOBS} | {jobs.CLUB_ARCHIVE_JOB.code} == set(
        jobs.KINDS
    )
