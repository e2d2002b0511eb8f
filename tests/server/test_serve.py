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
PATIENCE = 60  # seconds
DEALS = 150  # boards: enough to kill the program while they are dealt

# These start separate processes on the embedded database.
on_a_laptop = pytest.mark.skipif(
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
        message, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, message

    def get(self, path: str) -> Any:
        """Fetch a page."""
        try:
            return urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE
            )
        except urllib.error.HTTPError as response:
            return response

    def ask(self, question: str) -> Any:
        """Query the database from outside, without locking it."""
        with closing(self._database()) as database:
            return database.execute(question).fetchone()

    def lie_for_a_while(self) -> None:
        """Expire the lease on the job of the process that was killed."""
        with closing(self._database()) as database, database:
            changed = database.execute(
                "UPDATE server_job SET lease_until = '2026-01-01' WHERE lease_until IS NOT NULL"
            )
        assert changed.rowcount > 0

    def _database(self) -> sqlite3.Connection:
        return sqlite3.connect(self.folder / "overplay.sqlite3", timeout=PATIENCE)


@pytest.fixture
def laptop_here(tmp_path: Path) -> Iterator[Laptop]:
    with socket.create_server(("127.0.0.1", 0)) as connection:
        port = connection.getsockname()[1]
    laptop = Laptop(tmp_path / "data", port)
    yield laptop
    if laptop.process is not None and laptop.process.poll() is None:
        laptop.process.kill()
        laptop.process.communicate(timeout=PATIENCE)


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
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
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
        signal.signal(signal.SIGINT, before)


def _order_boards(laptop: Laptop) -> None:
    """Order a set of boards as if the laptop had lost power before they were dealt."""
    file = build_sqlite_settings(laptop.folder / "overplay.sqlite3")
    with use_database(file), patch.object(broker, "wake_worker"):
        services.make_board_set(name="Tuesday", board_count=DEALS)


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "It did not happen in time."
        time.sleep(0.02)


@on_a_laptop
def test_server_stops_and_finishes_interrupted_job_at_next_start(
    laptop_here: Laptop, django_db_blocker: Any
) -> None:
    message = laptop_here.start()
    assert f"http://127.0.0.1:{laptop_here.port}/" in message
    assert str(laptop_here.folder) in message
    page = laptop_here.get("/api/schema/")
    assert page.status == 200
    assert "Set-Cookie" not in page.headers
    key = (laptop_here.folder / "secret_key").read_text()

    code, message = laptop_here.stop(signal.SIGINT)
    assert (code, message) == (0, "Overplay has stopped. Everything you entered is saved.\n")

    with django_db_blocker.unblock():
        _order_boards(laptop_here)
    laptop_here.start()
    wait_until(lambda: laptop_here.ask("SELECT made FROM boards_boardset")[0] > 0)
    laptop_here.stop(signal.SIGKILL)
    state, made = laptop_here.ask("SELECT state, made FROM boards_boardset")
    assert (state, made < DEALS) == ("making", True)

    laptop_here.lie_for_a_while()
    laptop_here.start()
    assert laptop_here.get("/api/schema/").status == 200
    assert (laptop_here.folder / "secret_key").read_text() == key
    check_hashed_style(laptop_here)
    wait_until(lambda: laptop_here.ask("SELECT state FROM boards_boardset")[0] == "ready")
    count = "SELECT COUNT(*), COUNT(DISTINCT number) FROM boards_board"
    assert laptop_here.ask(count) == (DEALS, DEALS)
    assert laptop_here.stop(signal.SIGTERM)[0] == 0


def check_hashed_style(laptop: Laptop) -> None:
    manifest = (laptop.folder / "static" / "staticfiles.json").read_text()
    name = manifest.split('"admin/css/base.css": "')[1].split('"')[0]
    style = laptop.get(f"/static/{name}")
    assert style.status == 200
    assert "immutable" in style.headers["Cache-Control"]


@on_a_laptop
def test_busy_port_gives_one_line_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        message, _ = (process := start_program(tmp_path, port)).communicate(timeout=PATIENCE)
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


def test_phones_on_local_network_are_admitted_on_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.lan")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [(2, 1, 6, "", ("192.0.2.4", 0))])
    monkeypatch.setattr(socket, "socket", raise_no_network)
    assert hall_network.list_addresses("0.0.0.0") == ["192.0.2.4", "laptop.lan", "laptop.local"]
    assert hall_network.list_addresses("192.0.2.9") == ["192.0.2.9"]


def raise_no_network(*_args: object) -> None:
    raise OSError("no network here")


def test_printed_ipv6_url_has_brackets() -> None:
    assert hall_network.build_url("127.0.0.1", 8000) == "http://127.0.0.1:8000/"
    assert hall_network.build_url("::1", 8000) == "http://[::1]:8000/"


@pytest.fixture
def arrivals() -> list[float]:
    return []


@pytest.fixture
def probe(arrivals: list[float]) -> Iterator[Task[Any, Any]]:
    """Define a job that records when it began."""
    app.conf.task_always_eager = False
    event = threading.Event()

    @app.task(name="tests.probe", ignore_result=True)
    def job() -> None:
        arrivals.append(time.perf_counter())
        event.set()

    job.came = event
    yield job
    app.conf.task_always_eager = True
    app.tasks.pop("tests.probe")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(bool(settings.REDIS_URL), reason="of the laptop's own queue alone")
def test_job_starts_within_a_tenth_of_a_second(
    probe: Task[Any, Any], arrivals: list[float]
) -> None:
    waits = []
    with laptop.run_worker({}):
        for _ in range(20):
            probe.came.clear()
            asked = time.perf_counter()
            probe.delay()
            assert probe.came.wait(PATIENCE)
            waits.append(arrivals[-1] - asked)
            time.sleep(0.013)
    waits = sorted(waits[1:])  # the first one waits for the worker's start
    assert waits[9] < 0.1
