"""These tests need PostgreSQL, Redis and a separate worker process."""

import os
import signal
import subprocess
import time
from collections.abc import Callable

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from boards import services
from boards.models import BoardSet
from config.celery import app
from server.models import Job

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
StartWorker = Callable[[], subprocess.Popen[bytes]]
TIMEOUT_SECONDS = 60
BOARD_COUNT = 400  # boards, enough to kill the worker while they are dealt


def wait_until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not is_true():
        assert time.monotonic() < deadline, "It did not happen in time."
        time.sleep(0.02)


def expire_leases() -> None:
    """Expire the leases of a process that was killed."""
    assert Job.objects.exclude(lease_until=None).update(lease_until=timezone.now())


def read_board_set_state(board_set: BoardSet) -> str:
    board_set.refresh_from_db()
    return str(board_set.state)


def test_tests_use_real_postgres_and_redis() -> None:
    assert connection.vendor == "postgresql"
    assert settings.CELERY_BROKER_URL.startswith("redis://")
    cache.set("tests.probe", "here", 10)
    assert cache.get("tests.probe") == "here"


def test_worker_process_deals_a_requested_set(start_worker: StartWorker) -> None:
    start_worker()
    board_set = services.create_board_set(name="Tuesday", board_count=28)
    wait_until(lambda: read_board_set_state(board_set) == "ready")
    assert board_set.boards.count() == 28


def test_next_worker_finishes_the_set_of_a_killed_worker(
    start_worker: StartWorker,
) -> None:
    first_worker = start_worker()
    board_set = services.create_board_set(name="Tuesday", board_count=BOARD_COUNT)
    wait_until(lambda: read_board_set_state(board_set) == "making")
    first_worker.kill()
    first_worker.wait(TIMEOUT_SECONDS)
    assert read_board_set_state(board_set) == "making"

    app.control.purge()  # even if the queue has lost it
    expire_leases()
    start_worker()
    wait_until(lambda: read_board_set_state(board_set) == "ready")
    numbers = board_set.boards.values_list("number", flat=True)
    assert sorted(numbers) == list(range(1, BOARD_COUNT + 1))


def test_jobs_are_done_after_their_messages_are_lost(start_worker: StartWorker) -> None:
    """The messages of eight sets are purged before a worker receives them."""
    board_sets = [
        services.create_board_set(name=f"Set {number}", board_count=4) for number in range(8)
    ]
    app.control.purge()
    start_worker()
    wait_until(lambda: all(read_board_set_state(item) == "ready" for item in board_sets))
    assert Job.objects.filter_unfinished().exclude(kind="analysis").count() == 0


def test_set_is_dealt_after_its_child_process_was_killed(start_worker: StartWorker) -> None:
    worker = start_worker()
    board_set = services.create_board_set(name="Tuesday", board_count=BOARD_COUNT)
    wait_until(lambda: read_board_set_state(board_set) == "making")
    job = Job.objects.get(kind="deals")
    os.kill(int(job.worker.split("/")[2]), signal.SIGKILL)
    expire_leases()
    wait_until(lambda: read_board_set_state(board_set) == "ready")
    assert worker.poll() is None
    wait_until(lambda: Job.objects.get(kind="deals").state == "done")
