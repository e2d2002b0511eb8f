"""What every test stands on: a data folder of its own, no network, and work done at once.

Celery runs its tasks in place; only tests marked `services` meet a real worker.
"""

import atexit
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
from contextlib import closing, suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests import asked, parts

ROOT = Path(__file__).resolve().parent.parent
CHROMIUMS = (
    "chromium-headless-shell",  # the same engine without a window, for half the work
    *("chromium", "chromium-browser", "google-chrome", "chrome"),
)
DATABASE = {"db", "transactional_db", "live_server", "release"}
IN_OWN_WORDS = ("tests/archive/", "tests/clubs/forgetting/", "tests/releases/", "tests/server/")
"""Where the program speaks to a database in words of its own, and not in Django's."""
HERE = {"localhost", "127.0.0.1", "::1", ""}
LONG = (
    "tests/house/test_types.py",
    *("tests/browser/", "tests/releases/", "tests/server/test_serve.py"),
)
OUTLASTED = [
    "^TimeoutError: ",
    "^AssertionError: (Locator|Page) expected",
    "Unable to capture screenshot",  # Chromium's own word, where it has no time to draw
]
SERVICES = os.environ.get("OVERPLAY_SERVICES") == "1"
FOLDERS = count()
REACHING = pytest.StashKey[Any]()
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))

# Before Django reads its settings: nothing of this machine's own club is touched.
# The runner's processes share the folder of the one that started them, for their settings may
# be read before this file is.
if "PYTEST_XDIST_WORKER" in os.environ:
    DATA_DIR = Path(os.environ["DATA_DIR"])
else:
    DATA_DIR = Path(tempfile.mkdtemp(prefix="overplay-test-"))
    atexit.register(shutil.rmtree, DATA_DIR, ignore_errors=True)
    (DATA_DIR / "static").mkdir()
READY = DATA_DIR / f"ready-{WORKER}.sqlite3"
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
if SERVICES:  # a Redis database for each of the runner's processes
    os.environ["REDIS_URL"] = os.environ["REDIS_URL"].rpartition("/")[0] + f"/{WORKER}"
sys.dont_write_bytecode = False  # what one run has compiled the next one reads

hypothesis_settings.register_profile(
    "house",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis_settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say how much is asked, and what is noted for a later run."""
    parser.addoption(
        "--part",
        choices=["change", "release"],
        help="what each change is asked, or all of it; and note what each test asks a database",
    )
    parser.addoption("--lot", default="", help="ask besides what this word draws of the rest")
    parser.addoption(
        "--note-reach",
        action="store_true",
        help="note what of the program each test reaches, for python -m tests.reach",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Soften the settings where the strict ones would only cost time."""
    from django.conf import settings

    from tests.sooner import put_questions_sooner

    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    if SERVICES:  # the settings may have been read before this process had its own queue
        from config.celery import app

        settings.REDIS_URL = settings.CELERY_BROKER_URL = os.environ["REDIS_URL"]
        settings.CACHES["default"]["LOCATION"] = os.environ["REDIS_URL"]
        app.conf.broker_url = os.environ["REDIS_URL"]
    settings.CELERY_TASK_ALWAYS_EAGER = True
    settings.CELERY_TASK_EAGER_PROPAGATES = True
    options = settings.DATABASES["default"].get("OPTIONS", {})
    if "init_command" in options:
        options["init_command"] += "; PRAGMA synchronous=OFF"
    _note_pages_alone()
    _empty_by_deleting()
    put_questions_sooner()
    _begin_to_note(config)


def _begin_to_note(config: pytest.Config) -> None:
    runs_tests = "PYTEST_XDIST_WORKER" in os.environ or not config.getoption("numprocesses")
    is_first = "PYTEST_XDIST_WORKER" not in os.environ
    if config.getoption("--note-reach"):
        from tests import reach  # it needs numpy, and no other run does

        asked.note_questions()
        if is_first:
            reach.begin()
        if runs_tests:
            config.stash[REACHING] = reach.Noting()
    elif config.getoption("--part") and not SERVICES:
        asked.note_questions()
        if is_first:
            asked.begin()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what each test asks of the database, for the run with services to choose by."""
    if noting := item.config.stash.get(REACHING, None):
        noting.begin_test(item.nodeid)
    elif SERVICES or not item.config.getoption("--part"):
        return (yield)
    with asked.noted(item.nodeid, dear=item.get_closest_marker("browser") is not None):
        return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write down the lines that were reached."""
    if noting := session.config.stash.get(REACHING, None):
        noting.end()


def _note_pages_alone() -> None:
    """Note for `answer.context` the page that was drawn, and none of its hundred parts.

    Django's own note copies the context of each part, which takes a tenth of drawing a page.
    """
    from django.test import utils
    from django.test.signals import template_rendered

    def drawn(self: Any, context: Any) -> Any:
        if context.template is self:
            template_rendered.send(sender=self, template=self, context=context)
        return self.nodelist.render(context)

    assert utils.instrumented_test_render is not None  # what this stands in for
    utils.instrumented_test_render = drawn


def _empty_by_deleting() -> None:
    """After a test that commits take away its rows alone, in one transaction.

    Django's flush truncates every table, which takes PostgreSQL more than a second for eighty
    empty ones, and then writes all content types and permissions anew; these stay as they are.
    """
    from django.db import connections, transaction
    from django.test import TransactionTestCase

    always = {"django_migrations", "django_content_type", "auth_permission"}

    def emptied(self: TransactionTestCase) -> None:
        for name in self._databases_names(include_mirrors=False):
            with transaction.atomic(using=name), connections[name].cursor() as cursor:
                tables = connections[name].introspection.django_table_names()
                for table in sorted(set(tables) - always):
                    cursor.execute(f"DELETE FROM {connections[name].ops.quote_name(table)}")

    TransactionTestCase._fixture_teardown = emptied


def pytest_collection(session: pytest.Session) -> None:
    """Let each runner begin with other files: what one has compiled, the others read.

    In a fresh clone they would all compile the same file at the same time.
    """
    runner = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if runner == "gw0" or session.config.args != session.config.getini("testpaths"):
        return
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
    ]
    begin = len(modules) * WORKER // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for module in modules[begin:] + modules[:begin]:
        with suppress(Exception, pytest.skip.Exception):  # told where it is collected
            import_module(module)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Look for garbage as seldom as the program does, and not in what was collected."""
    from server.memory import settle

    settle()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to a release what waits for it, and to the run with services what needs them."""
    if config.getoption("--note-reach"):
        _keep(config, items, {i for i in items if not i.get_closest_marker("for_release")})
    if config.getoption("--part") == "change":
        lot = config.getoption("--lot")
        waiting = {item for item in _waiting(items) if not parts.is_drawn(item.nodeid, lot)}
        _keep(config, items, set(items) - waiting)
    if SERVICES:
        _keep(config, items, _asked_of_services(items))
    for item in items:
        if not SERVICES and item.get_closest_marker("services"):
            item.add_marker(pytest.mark.skip(reason="only with the services: .ci/run"))
    _wait_once_more(items)
    _long_ones_first(items)


def _waiting(items: list[pytest.Item]) -> set[pytest.Item]:
    """What waits for a release. What says something of services is asked of them even so."""
    waits = parts.waits()
    return {
        item
        for item in items
        if (item.get_closest_marker("for_release") or waits(item.nodeid))
        and not (SERVICES and _says_something_of_services(item))
    }


def _keep(config: pytest.Config, items: list[pytest.Item], kept: set[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def _wait_once_more(items: list[pytest.Item]) -> None:
    """Try a journey once more where the browser had not the time, and say so in the summary.

    A busy machine outlasts any patience. Nothing else is tried again: an answer of 500, a
    wrong figure or a fault of a page fails at once.
    """
    again = pytest.mark.flaky(reruns=1, only_rerun=OUTLASTED)
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(again)


def _long_ones_first(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no runner is left with it when the others are done.

    The first runner begins with these, and waits for other programs in most of them; what it
    has not come to, the others take from its end.
    """
    items.sort(key=lambda item: _how_soon(item.nodeid))


def _how_soon(test: str) -> int:
    return next((at for at, name in enumerate(LONG) if test.startswith(name)), len(LONG))


def _asked_of_services(items: list[pytest.Item]) -> set[pytest.Item]:
    """What says something of services, and of the rest so much that each question is asked.

    What the run before has not noted is asked too; without its notes, whatever has a database.
    """
    with_database = [item for item in items if _has_database(item)]
    noted = asked.read()
    always = {item.nodeid for item in with_database if _says_something_of_services(item)}
    free = {item.nodeid: noted[item.nodeid] for item in with_database if item.nodeid in noted}
    chosen = asked.chosen(free, [noted[test] for test in always if test in noted])
    return {
        item
        for item in with_database
        if item.nodeid in always or item.nodeid in chosen or item.nodeid not in noted
    }


def _says_something_of_services(item: pytest.Item) -> bool:
    marked = any(item.get_closest_marker(name) for name in ("services", "both"))
    return marked or item.nodeid.startswith(IN_OWN_WORDS)


def _has_database(item: pytest.Item) -> bool:
    marked = any(item.get_closest_marker(name) for name in ("services", "django_db"))
    return marked or not DATABASE.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Keep a copy of the embedded database as it is when its tables have just been made."""
    from django.db import connection

    if connection.vendor != "sqlite":
        return
    with django_db_blocker.unblock():
        if connection.introspection.table_names():  # no test may want a database
            with closing(sqlite3.connect(READY)) as copy:
                connection.connection.backup(copy)


@pytest.fixture(scope="session")
def ready(django_db_setup: None, django_db_blocker: Any) -> Path:
    """A file with today's tables and nothing in them: who needs no more copies it.

    To make the tables anew takes three seconds of a processor.
    """
    from django.core.management import call_command

    from tests.databases import opened, sqlite_file

    if not READY.exists():
        with django_db_blocker.unblock(), opened(sqlite_file(READY)):
            call_command("migrate", verbosity=0)
    return READY


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in HERE:
            pytest.fail(f"A test tried to reach {address[0]}: everything must work offline.")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _media(settings: Any) -> None:
    """Keep each test's papers in a folder of its own, which is made when one is written."""
    settings.MEDIA_ROOT = DATA_DIR / "media" / f"{WORKER}-{next(FOLDERS)}"


@pytest.fixture(autouse=True)
def _nothing_kept(settings: Any) -> None:
    """Forget the pages that the test before has drawn: its events had the same numbers.

    Those that it has told this process may lie ahead of the next one's, where its clock did,
    and so may those that it has left in Redis.
    """
    from django.core.cache import cache

    from scoring.views.kept_pages import KEPT
    from server.bodies import HERE
    from server.listening import NUMBERS

    KEPT.clear()
    HERE.clear()
    NUMBERS.known.clear()
    cache.clear()
    settings.BODIES_DIR = DATA_DIR / "bodies" / f"{WORKER}-{next(FOLDERS)}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start this machine's Chromium; without one a journey fails in CI, elsewhere it waits."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if found is None:
        message = "No Chromium was found. Install it (Debian: chromium-headless-shell)."
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    from playwright.sync_api import sync_playwright

    # Playwright's loop runs in this thread, which Django would take for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    offline = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage", offline]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """Open a page of its own in a fresh profile, and refuse errors in its console."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB")
    context.set_default_timeout(10_000)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on(
        "console",
        lambda line: (
            faults.append(line.text) if "Content Security Policy" in line.text else None
        ),
    )
    yield opened
    context.close()
    assert faults == []


@pytest.fixture
def start_worker(transactional_db: None) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Start real Celery worker processes on the test's own database and queue."""
    from config.celery import app

    started = []

    def start() -> subprocess.Popen[bytes]:
        started.append(_worker_process())
        return started[-1]

    app.conf.task_always_eager = False
    app.control.purge()
    yield start
    app.conf.task_always_eager = True
    for process in started:
        process.send_signal(signal.SIGQUIT)  # at once: nobody waits for what is at hand
        process.wait(timeout=30)


def _is_answered(broker: str) -> bool:
    """Ask for a worker by an app of its own: its address for replies is new each time.

    An app whose address for replies the broker has forgotten would wait in vain.
    """
    from celery import Celery

    with Celery("probe", broker=broker, set_as_current=False) as probe:
        return bool(probe.control.ping(timeout=1))


def _worker_process() -> subprocess.Popen[bytes]:
    """Start a worker process and return when it answers."""
    from django.db import connection

    from config.celery import app

    database = connection.settings_dict
    login = f"{database['USER']}:{database['PASSWORD']}"
    where = f"{database['HOST']}:{database['PORT'] or 5432}"
    url = f"postgres://{login}@{where}/{database['NAME']}"
    command = ["-m", "celery", "-A", "config", "worker", "-c", "1", "-l", "WARNING"]
    worker = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=os.environ | {"DATABASE_URL": url}
    )
    deadline = time.monotonic() + 60
    while not _is_answered(app.conf.broker_url):
        assert worker.poll() is None, "The worker process ended at its start."
        assert time.monotonic() < deadline, "The worker process gives no answer."
    return worker


@pytest.fixture
def marked() -> Iterator[None]:
    """Let the pure packages put marks round whatever they translate: «North»."""
    from boards.whist.words import Translator, speak

    before = speak(
        Translator(
            sentence=lambda words: f"«{words}»",
            counted=lambda one, many, number: f"«{one if number == 1 else many}»",
        )
    )
    yield
    speak(before)
