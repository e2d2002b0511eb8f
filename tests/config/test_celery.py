"""The queue: what happens when it is away, and what is found again when a worker starts."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from celery.signals import worker_ready

from config import jobs
from tests.house.test_architecture import MODULES

NOWHERE = "redis://127.0.0.1:1/0"
ORDER = """
from django.core.management import call_command
from boards import services
call_command("migrate", verbosity=0)
board_set = services.make_board_set(name="Tuesday", size=4)
board_set.refresh_from_db()
print(board_set.state, board_set.boards.count())
"""

KNOWN = """
from config.celery import app
app.loader.import_default_modules()
print(*app.tasks)
"""


def test_without_its_queue_a_page_does_the_job_itself(
    manage: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    words = ("shell", "--no-imports", "-c", ORDER)
    done = manage(*words, data=tmp_path, CELERY_BROKER_URL=NOWHERE)
    assert done.stdout.strip() == "ready 4", done.stderr
    assert "The queue cannot be reached" in done.stderr


def test_every_app_with_tasks_is_asked_what_it_left_undone() -> None:
    folders = {module.rpartition(".")[0] for module in MODULES if module.endswith(".tasks")}
    assert {resume.__module__.rpartition(".")[0] for resume in jobs.RESUMES} == folders


def test_a_worker_knows_every_task_that_a_room_has(
    manage: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    words = ("shell", "--no-imports", "-c", KNOWN)
    known = manage(*words, data=tmp_path).stdout.split()
    assert {"scoring.papers.tasks.print_paper", "scoring.tasks.recompute_standings"} <= {*known}


def test_a_worker_begins_with_what_was_left_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(jobs, "RESUMES", (lambda: asked.append("boards"),))
    worker_ready.send(sender=None)
    assert asked == ["boards"]
