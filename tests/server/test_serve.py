"""Test the whole program as a director starts it, in one process."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from celery import Task
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

from boards import services
from config.celery import app
from config.management.commands import serve
from server import hall_network, laptop
from server.jobs import broker
from tests.databases import build_sqlite_settings, use_database

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 60  # seconds
BOARD_COUNT = 150  # boards: enough to kill the program while they are dealt

# These start separate processes on the embedded database.
laptop_only = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="of a laptop alone, which has no services"
)


@dataclass
class Laptop:
    """One data folder, and the program run on it as often as needed."""

    folder: Path
    port: int
    process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Start the program and return its output once it is ready."""
        self.process = start_program(self.folder, self.port)
        lines = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                return "".join(lines)
        raise AssertionError("".join(lines))

    def stop(self, how: int) -> tuple[int, str]:
        """Send a signal; return the exit code and the output after it."""
        assert self.process is not None
        self.process.send_signal(how)
        message, _ = self.process.communicate(timeout=TIMEOUT_SECONDS)
        return self.process.returncode, message

    def get(self, path: str) -> Any:
        """Fetch a page."""
        try:
            return urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}{path}", timeout=TIMEOUT_SECONDS
            )
        except urllib.error.HTTPError as response:
            return response

    def query_database(self, question: str) -> Any:
        """Query the database from outside, without locking it."""
        with closing(self._connect_database()) as database:
            return database.execute(question).fetchone()

    def expire_job_lease(self) -> None:
        """Expire the lease on the job of the process that was killed."""
        with closing(self._connect_database()) as database, database:
            cursor = database.execute(
                "UPDATE server_job SET lease_until = '2026-01-01' WHERE lease_until IS NOT NULL"
            )
        assert cursor.rowcount > 0

    def _connect_database(self) -> sqlite3.Connection:
        return sqlite3.connect(self.folder / "overplay.sqlite3", timeout=TIMEOUT_SECONDS)


@pytest.fixture
def laptop_program(tmp_path: Path) -> Iterator[Laptop]:
    with socket.create_server(("127.0.0.1", 0)) as connection:
        port = connection.getsockname()[1]
    laptop = Laptop(tmp_path / "data", port)
    yield laptop
    if laptop.process is not None and laptop.process.poll() is None:
        laptop.process.kill()
        laptop.process.communicate(timeout=TIMEOUT_SECONDS)


def build_environ(folder: Path, port: int) -> dict[str, str]:
    values_by_name = {
        name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT")
    }
    return values_by_name | {
        "DATA_DIR": str(folder),
        "PORT": str(port),
        "PYTHONUNBUFFERED": "1",
    }


def start_program(folder: Path, port: int) -> subprocess.Popen[str]:
    """Start the program with interrupts ignored, as a script starts it in the background."""
    handler_before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--without-demo"],
            cwd=ROOT,
            env=build_environ(folder, port),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, handler_before)


def _order_boards(laptop: Laptop) -> None:
    """Order a set of boards as if the laptop had lost power before they were dealt."""
    file = build_sqlite_settings(laptop.folder / "overplay.sqlite3")
    with use_database(file), patch.object(broker, "wake_worker"):
        services.create_board_set(name="Tuesday", board_count=BOARD_COUNT)


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end, "It did not happen in time."
        time.sleep(0.02)


@laptop_only
def test_server_stops_and_finishes_interrupted_job_at_next_start(
    laptop_program: Laptop, django_db_blocker: Any
) -> None:
    message = laptop_program.start()
    assert f"http://127.0.0.1:{laptop_program.port}/" in message
    assert str(laptop_program.folder) in message
    page = laptop_program.get("/api/schema/")
    assert page.status == 200
    assert "Set-Cookie" not in page.headers
    key = (laptop_program.folder / "secret_key").read_text()

    code, message = laptop_program.stop(signal.SIGINT)
    assert (code, message) == (0, "Overplay has stopped. Everything you entered is saved.\n")

    with django_db_blocker.unblock():
        _order_boards(laptop_program)
    laptop_program.start()
    wait_until(lambda: laptop_program.query_database("SELECT made FROM boards_boardset")[0] > 0)
    laptop_program.stop(signal.SIGKILL)
    state, dealt_count = laptop_program.query_database(
        "SELECT state, made FROM boards_boardset"
    )
    assert (state, dealt_count < BOARD_COUNT) == ("making", True)

    laptop_program.expire_job_lease()
    laptop_program.start()
    assert laptop_program.get("/api/schema/").status == 200
    assert (laptop_program.folder / "secret_key").read_text() == key
    check_hashed_style(laptop_program)
    wait_until(
        lambda: laptop_program.query_database("SELECT state FROM boards_boardset")[0] == "ready"
    )
    count_query = "SELECT COUNT(*), COUNT(DISTINCT number) FROM boards_board"
    assert laptop_program.query_database(count_query) == (BOARD_COUNT, BOARD_COUNT)
    assert laptop_program.stop(signal.SIGTERM)[0] == 0


def check_hashed_style(laptop: Laptop) -> None:
    manifest = (laptop.folder / "static" / "staticfiles.json").read_text()
    name = manifest.split('"admin/css/base.css": "')[1].split('"')[0]
    style = laptop.get(f"/static/{name}")
    assert style.status == 200
    assert "immutable" in style.headers["Cache-Control"]


@laptop_only
def test_busy_port_gives_one_line_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy_socket:
        port = busy_socket.getsockname()[1]
        message, _ = (process := start_program(tmp_path, port)).communicate(
            timeout=TIMEOUT_SECONDS
        )
    assert process.returncode == 2
    assert message.count("\n") == 1
    assert f"PORT={port + 1}" in message


def test_invalid_port_gives_one_line_error() -> None:
    for port in ("eight", "0", "70000"):
        with pytest.raises(CommandError) as exc_info:
            serve._read_port(port)
        assert exc_info.value.returncode == 2
        assert "\n" not in str(exc_info.value)


def test_two_processes_cannot_share_a_data_folder(tmp_path: Path) -> None:
    with laptop.lock_data_folder(tmp_path):
        with pytest.raises(laptop.StartupError, match="already running"):
            with laptop.lock_data_folder(tmp_path):
                pass
    with laptop.lock_data_folder(tmp_path):
        assert (tmp_path / "serving.lock").exists()


def test_host_addresses_are_listed_for_listening_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.lan")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [(2, 1, 6, "", ("192.0.2.4", 0))])
    monkeypatch.setattr(socket, "socket", raise_no_network)
    assert hall_network.list_server_addresses("0.0.0.0") == [
        "192.0.2.4",
        "laptop.lan",
        "laptop.local",
    ]
    assert hall_network.list_server_addresses("192.0.2.9") == ["192.0.2.9"]


def raise_no_network(*_args: object) -> None:
    raise OSError("no network here")


def test_printed_ipv6_url_has_brackets() -> None:
    assert hall_network.build_url("127.0.0.1", 8000) == "http://127.0.0.1:8000/"
    assert hall_network.build_url("::1", 8000) == "http://[::1]:8000/"


@pytest.fixture
def start_times() -> list[float]:
    return []


@pytest.fixture
def probe(start_times: list[float]) -> Iterator[Task[Any, Any]]:
    """Define a job that records when it began."""
    app.conf.task_always_eager = False
    event = threading.Event()

    @app.task(name="tests.probe", ignore_result=True)
    def job() -> None:
        start_times.append(time.perf_counter())
        event.set()

    job.came = event
    yield job
    app.conf.task_always_eager = True
    app.tasks.pop("tests.probe")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(bool(settings.REDIS_URL), reason="of the laptop's own queue alone")
def test_job_starts_within_a_tenth_of_a_second(
    probe: Task[Any, Any], start_times: list[float]
) -> None:
    wait_seconds = []
    with laptop.run_worker({}):
        for _ in range(20):
            probe.came.clear()
            requested_at = time.perf_counter()
            probe.delay()
            assert probe.came.wait(TIMEOUT_SECONDS)
            wait_seconds.append(start_times[-1] - requested_at)
            time.sleep(0.013)
    wait_seconds = sorted(wait_seconds[1:])  # the first one waits for the worker's start
    assert wait_seconds[9] < 0.1
