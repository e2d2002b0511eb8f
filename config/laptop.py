"""Runs the whole program in one process: the pages, and the worker in a thread beside them."""

import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import waitress.server
from celery.worker import WorkController, state
from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.wsgi import get_wsgi_application
from django.utils.translation import gettext as _

from config import jobs
from config.celery import app
from tournaments.models import Club

LOOPBACK = ("127.0.0.1", "localhost", "::1")
THREADS = 8
worker_state: Any = state  # the module whose flag tells a worker to stop
PATIENCE = 10  # seconds that the job at hand may take to end when the program is stopped


class CannotServe(Exception):
    """The program cannot start here; the text says why and what to do."""


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the data folder, so that two programs never share one queue's jobs.

    The lock is SQLite's own on a file of its own: it works on every system, and it falls off
    when the process dies, however it dies.
    """
    with closing(sqlite3.connect(folder / "serving.lock", timeout=0.2)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise CannotServe(
                _(
                    "Overplay is already running with the data in %(folder)s. Use that one, or "
                    "give this one a folder of its own: DATA_DIR=another-folder."
                )
                % {"folder": folder}
            ) from error
        yield


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Open the door at an address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        door = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise CannotServe(
            _(
                "Port %(port)d at %(host)s is taken or not allowed. Choose another one, for "
                "instance PORT=%(other)d."
            )
            % {"port": port, "host": host, "other": port + 1 if port < 65535 else 8001}
        ) from error
    if host not in LOOPBACK:
        settings.ALLOWED_HOSTS += addresses(host)
        settings.PHONE_ADDRESSES += [url(name, port) for name in for_phones(addresses(host))]
    with door:
        yield door


def prepare(*, demo: bool, say: Callable[[str], object]) -> None:
    """Bring database and style sheets up to date; give an empty club book the demo club."""
    call_command("migrate", interactive=False, verbosity=0)
    call_command(
        "collectstatic", interactive=False, verbosity=0, ignore_patterns=["rest_framework"]
    )
    if demo and "demo" in get_commands() and not Club.objects.exists():
        say(_("First run: the demo club is being made."))
        call_command("demo", verbosity=0)


def serve(door: socket.socket, *, announce: Callable[[], object]) -> None:
    """Answer requests and do the queued work until interrupted."""
    server = waitress.server.create_server(
        get_wsgi_application(), sockets=[door], threads=THREADS, ident="Overplay"
    )
    with working():
        announce()
        server.run()  # returns on an interrupt
        server.close()


@contextmanager
def working() -> Iterator[None]:
    """Run a real worker in a thread, if the queue lives in this process's memory."""
    if not settings.CELERY_BROKER_URL.startswith("memory:"):
        yield
        return
    app.set_default()
    jobs.resume_all()
    worker_state.should_stop = None
    thread = threading.Thread(target=_work, name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        worker_state.should_stop = 0
        for _wake in range(2):  # a worker that waits for a job looks at the flag between two
            app.control.broadcast("ping", reply=False)
        thread.join(PATIENCE)


def addresses(host: str) -> list[str]:
    """Return the names under which this machine is reached when it listens at a host."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    name = socket.gethostname()
    found = {name.lower(), f"{name.split('.')[0].lower()}.local"}
    with suppress(OSError):  # a machine may not know its own name
        found |= {str(entry[4][0]) for entry in socket.getaddrinfo(name, None, socket.AF_INET)}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))  # sends nothing; only picks the way out
        found.add(str(probe.getsockname()[0]))
    return sorted(found)


def for_phones(names: list[str]) -> list[str]:
    """Order the names of this machine as phones can use them: numbers first, no loopback."""
    outside = [name for name in names if not name.startswith("127.")]
    return sorted(outside, key=lambda name: not name.replace(".", "").isdigit())


def url(host: str, port: int) -> str:
    """Return the address to type into a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _work() -> None:
    """Work off the queue; a worker that breaks is replaced until the program stops."""
    while worker_state.should_stop is None:
        WorkController(
            app=app,
            pool_cls="solo",
            concurrency=1,
            hostname="worker@laptop",
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        ).start()
