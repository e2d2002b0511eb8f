"""Jobs are done while the queue is unreachable, and a worker imports every job."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from config import jobs
from server.jobs import broker
from tests.house.sources import MODULES

UNREACHABLE_BROKER = "redis://127.0.0.1:1/0"
REQUEST_SCRIPT = """
from django.core.management import call_command
from boards import services
from server.jobs import outbox
from scoring.tasks import STANDINGS_JOB
from server.models import Job
services.create_board_set(name="Tuesday", board_count=4)
outbox.enqueue(STANDINGS_JOB, 404)
print(*Job.objects.order_by("lane").values_list("kind", "state"))
call_command("jobs", "--work")
print(*Job.objects.order_by("lane", "kind").values_list("kind", "state"))
"""

TASKS_SCRIPT = """
from config.celery import app
app.loader.import_default_modules()
print(*app.tasks)
"""


@pytest.fixture(scope="module")
def celery_process(
    manage_runner: Callable[..., subprocess.CompletedProcess[str]],
    empty_database_file: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> subprocess.CompletedProcess[str]:
    """Run a process without a queue that prints a worker's tasks and requests two jobs."""
    folder = tmp_path_factory.mktemp("without-queue")
    shutil.copy(empty_database_file, folder / "overplay.sqlite3")
    idle_script = "import config.management.commands.jobs as j; j.IDLE_SECONDS = 0.1"
    arguments = (
        "shell",
        "--no-imports",
        "-c",
        f"{TASKS_SCRIPT}\n{idle_script}\n{REQUEST_SCRIPT}",
    )
    return manage_runner(*arguments, data=folder, CELERY_BROKER_URL=UNREACHABLE_BROKER)


@pytest.mark.slow
def test_worker_registers_the_task(celery_process: subprocess.CompletedProcess[str]) -> None:
    assert broker.TASK_NAME in celery_process.stdout.splitlines()[0].split(), (
        celery_process.stderr
    )


@pytest.mark.slow
def test_without_a_queue_the_page_runs_short_jobs_and_a_thread_the_others(
    celery_process: subprocess.CompletedProcess[str],
) -> None:
    short_jobs_output = "('standings', 'done')"
    assert celery_process.stdout.splitlines()[1:] == [
        f"{short_jobs_output} ('deals', 'wanted')",
        f"{short_jobs_output} ('analysis', 'done') ('deals', 'done')",
    ], celery_process.stderr
    assert celery_process.stderr.count("The queue does not answer") == 1


def test_worker_runs_the_jobs_of_every_package() -> None:
    packages = {module.partition(".")[0] for module in MODULES if module.endswith(".tasks")}
    packages_with_jobs = {
        kind.run.__module__.partition(".")[0] for kind in jobs.OTHER_JOB_KINDS
    }
    assert packages_with_jobs == packages - {"config"}
    assert {kind.code for kind in jobs.OTHER_JOB_KINDS} | {jobs.CLUB_ARCHIVE_JOB.code} == set(
        jobs.KINDS
    )
