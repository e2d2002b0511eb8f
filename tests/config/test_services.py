"""Tests that only mean something with PostgreSQL, Redis and a separate worker process."""

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
PATIENCE = 60  # seconds
SIZE = 400  # boards: enough to kill the worker while they are dealt


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "It did not happen in time."
        time.sleep(0.02)


def expire_leases() -> None:
    """Expire the leases of a process that was killed."""
    assert Job.objects.exclude(lease_until=None).update(lease_until=timezone.now())


def read_state(board_set: BoardSet) -> str:
    board_set.refresh_from_db()
    return str(board_set.state)


def test_the_services_are_the_real_ones() -> None:
    assert connection.vendor == "postgresql"
    assert settings.CELERY_BROKER_URL.startswith("redis://")
    cache.set("tests.probe", "here", 10)
    assert cache.get("tests.probe") == "here"


def test_a_worker_process_deals_what_was_ordered(start_worker: StartWorker) -> None:
    start_worker()
    board_set = services.make_board_set(name="Tuesday", size=28)
    wait_until(lambda: read_state(board_set) == "ready")
    assert board_set.boards.count() == 28


def test_a_worker_that_was_killed_leaves_one_set_to_the_next(
    start_worker: StartWorker,
) -> None:
    first_worker = start_worker()
    board_set = services.make_board_set(name="Tuesday", size=SIZE)
    wait_until(lambda: read_state(board_set) == "making")
    first_worker.kill()
    first_worker.wait(PATIENCE)
    assert read_state(board_set) == "making"

    app.control.purge()  # even if the queue has lost it
    expire_leases()
    start_worker()
    wait_until(lambda: read_state(board_set) == "ready")
    numbers = board_set.boards.values_list("number", flat=True)
    assert sorted(numbers) == list(range(1, SIZE + 1))


def test_what_a_killed_queue_lost_is_done_all_the_same(start_worker: StartWorker) -> None:
    """The messages of eight sets are purged before a worker receives them."""
    sets = [services.make_board_set(name=f"Set {number}", size=4) for number in range(8)]
    app.control.purge()
    start_worker()
    wait_until(lambda: all(read_state(item) == "ready" for item in sets))
    assert Job.objects.filter_unfinished().exclude(kind="analysis").count() == 0


def test_a_set_whose_process_died_is_dealt_by_the_next(start_worker: StartWorker) -> None:
    worker = start_worker()
    board_set = services.make_board_set(name="Tuesday", size=SIZE)
    wait_until(lambda: read_state(board_set) == "making")
    doing = Job.objects.get(kind="deals")
    os.kill(int(doing.worker.split("/")[2]), signal.SIGKILL)
    expire_leases()
    wait_until(lambda: read_state(board_set) == "ready")
    assert worker.poll() is None
    wait_until(lambda: Job.objects.get(kind="deals").state == "done")
