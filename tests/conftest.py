"""Settings and fixtures of all tests: a data folder per run, no network, Celery inline."""

import atexit
import logging
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

ROOT = Path(__file__).resolve().parent.parent
CHROMIUMS = (
    "chromium-headless-shell",  # the same engine without a window takes half the time
    *("chromium", "chromium-browser", "google-chrome", "chrome"),
)
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "release"}
LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1", ""}
# They start first, so that no process is left with one when the others have finished.
LONGEST_TEST_PATHS = ("tests/house/test_types.py", "tests/browser/", "tests/releases/")
# A journey is repeated if the browser timed out, as it does on a busy machine; a 500, a wrong
# number or a fault of a page fails at once.
BROWSER_TIMEOUTS = [
    "^TimeoutError: ",
    "^AssertionError: (Locator|Page) expected",
    "Unable to capture screenshot",
]
USES_SERVICES = os.environ.get("OVERPLAY_SERVICES") == "1"
FOLDER_NUMBERS = count()
WORKER_NUMBER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))

# Set before Django reads its settings, so that no test touches the data of a club on this
# machine. The processes of pytest-xdist share the folder of the process that started them.
if "PYTEST_XDIST_WORKER" in os.environ:
    DATA_DIR = Path(os.environ["DATA_DIR"])
else:
    DATA_DIR = Path(tempfile.mkdtemp(prefix="overplay-test-"))
    atexit.register(shutil.rmtree, DATA_DIR, ignore_errors=True)
    (DATA_DIR / "static").mkdir()
READY_DATABASE_PATH = DATA_DIR / f"ready-{WORKER_NUMBER}.sqlite3"
for name in (
    "SITE_URL",
    "ALLOWED_HOSTS",
    "HOST",
    "PORT",
    "CELERY_BROKER_URL",
    "LANGUAGE_CODE",
    "BACKUP_DIR",
):
    os.environ.pop(name, None)
os.environ |= {
    "BACKUP_BY_ITSELF": "no",
    "DATA_DIR": str(DATA_DIR),
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "only-for-tests-" + "0123456789" * 5,
}
if USES_SERVICES:  # a Redis database for each process of pytest-xdist
    os.environ["REDIS_URL"] = os.environ["REDIS_URL"].rpartition("/")[0] + f"/{WORKER_NUMBER}"
sys.dont_write_bytecode = False  # compiling 500 test modules takes a minute

hypothesis_settings.register_profile(
    "house",
    deadline=None,
    max_examples=50,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis_settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    """Replace settings that would only slow tests down."""
    from django.conf import settings

    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    if USES_SERVICES:  # the settings may have been read before REDIS_URL was set above
        from config.celery import app

        settings.REDIS_URL = settings.CELERY_BROKER_URL = os.environ["REDIS_URL"]
        settings.CACHES["default"]["LOCATION"] = os.environ["REDIS_URL"]
        app.conf.broker_url = os.environ["REDIS_URL"]
    settings.CELERY_TASK_ALWAYS_EAGER = True
    settings.CELERY_TASK_EAGER_PROPAGATES = True
    options = settings.DATABASES["default"].get("OPTIONS", {})
    if "init_command" in options:
        options["init_command"] += "; PRAGMA synchronous=OFF"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Collect garbage as rarely as the program does, and never scan the collected tests."""
    from server.memory import freeze_loaded_objects

    freeze_loaded_objects()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With the services, select the tests that use a database; rerun journeys that time out."""
    if USES_SERVICES:
        items_without_database = [item for item in items if not uses_database(item)]
        config.hook.pytest_deselected(items=items_without_database)
        items[:] = [item for item in items if uses_database(item)]
    for item in items:
        if not USES_SERVICES and item.get_closest_marker("services"):
            item.add_marker(pytest.mark.skip(reason="needs the services: .ci/run"))
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=BROWSER_TIMEOUTS))
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST_TEST_PATHS))


def uses_database(item: pytest.Item) -> bool:
    is_marked = any(item.get_closest_marker(name) for name in ("services", "django_db"))
    return is_marked or not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Create the test database; keep a copy of the migrated SQLite file."""
    from django.db import connection

    if connection.vendor != "sqlite":
        return
    with django_db_blocker.unblock():
        if connection.introspection.table_names():  # empty where no test uses a database
            with closing(sqlite3.connect(READY_DATABASE_PATH)) as copy:
                connection.connection.backup(copy)


@pytest.fixture(scope="session")
def empty_database_file(django_db_setup: None, django_db_blocker: Any) -> Path:
    """Return an SQLite file with all tables and no rows, to copy: migrating takes seconds."""
    from django.core.management import call_command

    from tests.databases import build_sqlite_settings, use_database

    if not READY_DATABASE_PATH.exists():
        with (
            django_db_blocker.unblock(),
            use_database(build_sqlite_settings(READY_DATABASE_PATH)),
        ):
            call_command("migrate", verbosity=0)
    return READY_DATABASE_PATH


@pytest.fixture(autouse=True)
def blocked_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that connects to another machine."""
    original_connect = socket.socket.connect

    def connect_locally(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOCAL_HOSTS:
            pytest.fail(f"A test tried to reach {address[0]}: everything must work offline.")
        original_connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect_locally)


@pytest.fixture(autouse=True)
def set_media_folder(settings: Any) -> None:
    """Give each test its own media folder; it is created with the first file."""
    settings.MEDIA_ROOT = DATA_DIR / "media" / f"{WORKER_NUMBER}-{next(FOLDER_NUMBERS)}"


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    """Clear the caches, because events of the previous test had the same primary keys."""
    from django.core.cache import cache

    from server.page_cache import clear_page_cache

    clear_page_cache()
    cache.clear()


@pytest.fixture(autouse=True)
def fail_on_missing_attributes() -> Iterator[None]:
    """Fail a test if a template reads an attribute that its object does not have."""
    from tests.template_attributes import LOGGER, MissingAttributes

    attribute_filter, level = MissingAttributes(), LOGGER.level
    LOGGER.addFilter(attribute_filter)
    LOGGER.setLevel(logging.DEBUG)
    yield
    LOGGER.setLevel(level)
    LOGGER.removeFilter(attribute_filter)
    assert attribute_filter.descriptions == []


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start Chromium, or the Firefox of FIREFOX (docs/testing.md).

    Without a browser a journey fails in CI and is skipped elsewhere.
    """
    firefox = os.environ.get("FIREFOX")
    chromium = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, CHROMIUMS)), None
    )
    if not (firefox or chromium):
        message = "No Chromium was found. Install it (Debian: chromium-headless-shell)."
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    from playwright.sync_api import sync_playwright

    # Playwright's event loop runs in this thread, so Django would take it for async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    offline_argument = (
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
    )
    with sync_playwright() as playwright:
        if firefox:  # the channel is an unpatched Firefox, driven by WebDriver BiDi
            launched_browser = playwright.firefox.launch(
                channel="moz-firefox",
                executable_path=firefox,
                firefox_user_prefs={
                    "pdfjs.disabled": True
                },  # download papers, as Chromium does
            )
        else:
            launched_browser = playwright.chromium.launch(
                executable_path=chromium,
                args=["--no-sandbox", "--disable-dev-shm-usage", offline_argument],
            )
        yield launched_browser
        launched_browser.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """Open a page in a fresh profile; an error in its console fails the test."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB")
    context.set_default_timeout(10_000)
    new_page = context.new_page()
    page_errors: list[str] = []
    new_page.on("pageerror", lambda error: page_errors.append(str(error)))
    new_page.on(
        "console",
        lambda line: (
            page_errors.append(line.text) if "Content Security Policy" in line.text else None
        ),
    )
    yield new_page
    context.close()
    assert page_errors == []


@pytest.fixture
def start_worker(transactional_db: None) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Start real Celery worker processes on the test's database and queue."""
    from config.celery import app

    worker_processes = []

    def start() -> subprocess.Popen[bytes]:
        worker_processes.append(start_worker_process())
        return worker_processes[-1]

    app.conf.task_always_eager = False
    app.control.purge()
    yield start
    app.conf.task_always_eager = True
    for process in worker_processes:
        process.send_signal(signal.SIGQUIT)  # a cold shutdown: no test needs the running task
        process.wait(timeout=30)


def _has_worker(broker: str) -> bool:
    """Return whether a worker responds to a ping.

    A new app each time: purging the broker may have deleted the reply queue of an old one.
    """
    from celery import Celery

    with Celery("probe", broker=broker, set_as_current=False) as probe:
        return bool(probe.control.ping(timeout=1))


def start_worker_process() -> subprocess.Popen[bytes]:
    """Start a worker process and wait until it responds to a ping."""
    from django.db import connection

    from config.celery import app

    database = connection.settings_dict
    login = f"{database['USER']}:{database['PASSWORD']}"
    host_and_port = f"{database['HOST']}:{database['PORT'] or 5432}"
    url = f"postgres://{login}@{host_and_port}/{database['NAME']}"
    command = ["-m", "celery", "-A", "config", "worker", "-c", "1", "-l", "WARNING"]
    worker = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=os.environ | {"DATABASE_URL": url}
    )
    deadline = time.monotonic() + 60
    while not _has_worker(app.conf.broker_url):
        assert worker.poll() is None, "The worker process ended at its start."
        assert time.monotonic() < deadline, "The worker process gives no answer."
    return worker


@pytest.fixture
def use_marked_language() -> Iterator[None]:
    """Mark everything that is translated: «North»."""
    from tests.languages import activate_marked_language

    with activate_marked_language():
        yield
