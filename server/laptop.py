"""Run the whole program in one process on a laptop: the pages, and a worker in a thread."""

import os
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import waitress.server
from celery import current_app
from celery.worker import WorkController, state
from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError
from django.utils.translation import gettext as _

from server import capacity, outages, startup_checks
from server.hall_network import HallNetwork, register_hall_network
from server.invalidation import start_listener
from server.jobs import broker
from server.jobs.kinds import JobKindsByCode
from server.jobs.sweep import Sweep
from server.startup_checks import UNUSABLE_DATA_EXIT_CODE
from server.switch_interval import shorten_switch_interval

SERVER_THREAD_COUNT = 4  # more threads would only wait for the GIL
worker_state: Any = state  # Celery's module with the flag that stops a worker
STOP_TIMEOUT_SECONDS = 10  # seconds that a running job gets to end when the program stops


WRONG_SETTING_EXIT_CODE, ALREADY_RUNNING_EXIT_CODE = 2, 4
"""Exit codes for a wrong setting, and for a program that is already running."""


class StartupError(Exception):
    """The program cannot start. The message gives the reason and what to do."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@contextmanager
def lock_data_folder(folder: Path) -> Iterator[None]:
    """Lock the data folder, so that only one program runs the jobs in it. Raises StartupError.

    The lock is SQLite's lock of a separate file. It works on every system, and ends with the
    process.
    """
    with closing(sqlite3.connect(folder / "serving.lock", timeout=0.2)) as lock_connection:
        try:
            lock_connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise StartupError(
                _(
                    "Overplay is already running with the data in %(folder)s. "
                    "Use that one, or choose another folder: "
                    "DATA_DIR=another-folder."
                )
                % {"folder": folder},
                ALREADY_RUNNING_EXIT_CODE,
            ) from error
        pid_file = folder / "serving.pid"
        pid_file.write_text(str(os.getpid()), "ascii")
        try:
            yield
        finally:
            pid_file.unlink(missing_ok=True)


@contextmanager
def stop_and_lock_data_folder(folder: Path, *, should_stop_other: bool) -> Iterator[None]:
    """Lock the data folder; with `should_stop_other`, first stop the program that uses it.

    Raises StartupError if the folder is locked, or the other program does not stop in time.
    """
    if should_stop_other:
        with suppress(OSError, ValueError):
            os.kill(int((folder / "serving.pid").read_text("ascii")), signal.SIGTERM)
    deadline = time.monotonic() + (2 * STOP_TIMEOUT_SECONDS if should_stop_other else 0)
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(lock_data_folder(folder))
                break
            except StartupError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.3)
        yield


@contextmanager
def open_listening_socket(host: str, port: int) -> Iterator[socket.socket]:
    """Open a listening socket at an address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening_socket = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise StartupError(
            _(
                "Port %(port)d at %(host)s is taken or not allowed. Choose "
                "another, e.g. PORT=%(other)d."
            )
            % {"port": port, "host": host, "other": port + 1 if port < 65535 else 8001},
            WRONG_SETTING_EXIT_CODE,
        ) from error
    with listening_socket:
        yield listening_socket


def prepare_data(
    *,
    should_create_demo: bool,
    has_club: Callable[[], bool],
    report_message: Callable[[str], object],
    should_allow_empty: bool = False,
) -> None:
    """Upgrade the database and collect static files; create the demo club if there is no club.

    With `should_allow_empty`, an empty database is created even if a good backup exists. Raises
    StartupError for data that cannot be used.
    """
    try:
        startup_checks.check_folder(settings.DATA_DIR)
        call_command("upgrade", verbosity=0, start_empty=should_allow_empty)
        if settings.STATIC_ROOT != settings.SHIPPED_STATIC_FOLDER:
            call_command("collectstatic", interactive=False, verbosity=0)
    except (startup_checks.UnusableData, CommandError) as error:
        raise StartupError(str(error), UNUSABLE_DATA_EXIT_CODE) from error
    except (DatabaseError, OSError) as error:
        if outage := outages.find_outage(error):
            raise StartupError(
                f"{outage.title}. {outage.message}", UNUSABLE_DATA_EXIT_CODE
            ) from error
        raise
    if should_create_demo and "demo" in get_commands() and not has_club():
        report_message(_("First run: creating the demo club."))
        call_command("demo", verbosity=0, without_password=True)


def serve(
    listening_socket: socket.socket,
    *,
    host: str,
    job_kinds: JobKindsByCode,
    announce: Callable[[], object],
) -> None:
    """Serve requests and run jobs of these kinds until interrupted."""
    server = waitress.server.create_server(
        get_wsgi_application(),
        sockets=[listening_socket],
        threads=SERVER_THREAD_COUNT,
        connection_limit=capacity.raise_connection_limit(),
        asyncore_use_poll=capacity.CAN_POLL,
        ident="Overplay",
    )
    hall_network = HallNetwork(
        host, listening_socket.getsockname()[1], settings.DATA_DIR / "hall_open"
    )
    hall_network.attach_server(server)
    register_hall_network(hall_network)
    start_listener()
    shorten_switch_interval()
    with run_worker(job_kinds):
        announce()
        server.run()  # returns after Ctrl-C
        server.close()


@contextmanager
def run_worker(job_kinds: JobKindsByCode) -> Iterator[None]:
    """Run a worker and its sweep in threads, if the broker is in this process's memory."""
    if not broker.is_broker_in_memory():
        yield
        return
    worker_state.should_stop = None
    job_thread = JobThread()
    job_thread.ensure_running()
    sweep = Sweep(job_kinds)
    sweep_thread = threading.Thread(
        target=sweep.run, args=[job_thread.ensure_running], name="sweep", daemon=True
    )
    sweep_thread.start()
    try:
        yield
    finally:
        sweep.stop_event.set()
        worker_state.should_stop = 0
        for _wake in range(2):  # the message makes a waiting worker check the flag
            current_app.control.broadcast("ping", reply=False)
        job_thread.thread.join(STOP_TIMEOUT_SECONDS)


class JobThread:
    """The thread that runs jobs; a new one is started after a crash."""

    thread: threading.Thread

    def ensure_running(self) -> None:
        """Start the thread, unless it is alive or the program is stopping."""
        if worker_state.should_stop is not None or self._is_alive():
            return
        self.thread = threading.Thread(target=_run_celery_worker, name="worker", daemon=True)
        self.thread.start()

    def _is_alive(self) -> bool:
        return hasattr(self, "thread") and self.thread.is_alive()


def _run_celery_worker() -> None:
    """Run a Celery worker until the program stops, and restart it after a failure."""
    while worker_state.should_stop is None:
        WorkController(
            app=current_app,
            pool_cls="solo",
            concurrency=1,
            hostname="worker@laptop",
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        ).start()
