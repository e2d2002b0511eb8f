"""Fixtures of the browser tests: visitors with their own browsers, and a live server.

Whatever a visitor does, no page may fail, load anything from elsewhere, or violate the content
security policy; that is checked after every test.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as django_settings
from django.contrib.staticfiles import handlers
from django.http import HttpRequest, HttpResponse
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.solving import replace_solver

if TYPE_CHECKING:  # pytest may load this file before Django has its apps
    from server.models import User

PageOpener = Callable[..., Page]
TIMEOUT_MILLISECONDS = 15_000  # that a page may take on a busy machine
LAPTOP_SIZE = {"width": 1366, "height": 768}
PHONE_SIZE = {"width": 360, "height": 740}

# Intervals of seconds become a quarter of a second: visitors would otherwise spend a test
# waiting for one another. Intervals that are not whole seconds are unchanged: request timeouts,
# and the jitter with which phones spread their requests.
FAST_POLLING_SCRIPT = """for (const [name, most] of [
    ["setTimeout", 5000], ["setInterval", 10000]
]) {
    const patient = window[name].bind(window);
    window[name] = (act, wait, ...words) =>
        patient(act, wait >= 1000 && wait <= most && wait % 1000 === 0 ? 250 : wait, ...words);
}"""

# The server stores the first entry of a page, which never gets the response. A handler of a
# route can't do this in Firefox, where Playwright doesn't give it the body of the request.
LOSE_FIRST_RESPONSE_SCRIPT = """(() => {
    const send = window.fetch;
    window.fetch = async (address, options = {}) => {
        const response = await send(address, options);
        if (options.method !== "POST" || sessionStorage.isLost) return response;
        sessionStorage.isLost = "yes";
        throw new TypeError("The response is lost.");
    };
})()"""
# Playwright ignores these options in a Firefox that it has not patched.
OPTIONS_IGNORED_IN_FIREFOX = {
    "color_scheme": "dark",
    "forced_colors": "active",
    "has_touch": True,
    "java_script_enabled": False,
}

expect.set_options(timeout=TIMEOUT_MILLISECONDS)


@pytest.fixture(scope="session", autouse=True)
def cache_static_files() -> Iterator[None]:
    """Cache each script, style sheet and font in memory, and let browsers cache them.

    In a club browsers do: there a file's name changes with its content. Finding and joining
    them for each request would take longer than the pages.
    """
    original_serve = handlers.serve
    cached_files: dict[str, tuple[bytes, str]] = {}

    def serve(request: HttpRequest, path: str, **ways: Any) -> HttpResponse:
        if path not in cached_files:
            with closing(original_serve(request, path, **ways)) as response:
                cached_files[path] = (response.getvalue(), response.headers["Content-Type"])
        content, content_type = cached_files[path]
        headers = {"Cache-Control": "max-age=86400, immutable"}
        return HttpResponse(content, content_type=content_type, headers=headers)

    with pytest.MonkeyPatch.context() as patch_context:
        patch_context.setattr(handlers, "serve", serve)
        yield


@pytest.fixture(autouse=True)
def disable_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the search for best play: the solver has tests of its own."""
    replace_solver(monkeypatch)


@pytest.fixture
def open_visitor_page(
    browser: Browser, transactional_db: None, live_server: Any
) -> Iterator[PageOpener]:
    """Yield a factory of pages, each in a fresh browser profile, signed in as `user` if given.

    With `hurry` a page polls four times a second instead of every few seconds.
    """
    faults: list[str] = []
    with ExitStack() as exit_stack:

        def open_page(
            user: "User | None" = None,
            *,
            phone: bool = False,
            hurry: bool = False,
            **options: Any,
        ) -> Page:
            if browser.browser_type.name == "firefox":
                _skip_test_in_firefox(options)
            options.setdefault("viewport", PHONE_SIZE if phone else LAPTOP_SIZE)
            # Without a service worker a test sees only the server's responses.
            options.setdefault("service_workers", "block")
            context = browser.new_context(
                base_url=live_server.url,
                locale="en-GB",
                timezone_id="Europe/London",
                **options,
            )
            exit_stack.callback(context.close)
            context.set_default_timeout(TIMEOUT_MILLISECONDS)
            record_faults(context, live_server.url, faults)
            if hurry:
                context.add_init_script(FAST_POLLING_SCRIPT)
            if user is not None:
                _sign_in(context, live_server.url, user)
            return context.new_page()

        yield open_page
    _wait_for_requests()
    assert faults == []


@pytest.fixture
def start_job_worker(
    request: pytest.FixtureRequest, settings: Any
) -> Iterator[Callable[[], None]]:
    """Let jobs queue up, and start a real worker when the test requests it."""
    if not django_settings.CELERY_BROKER_URL.startswith("memory:"):
        settings.MEDIA_ROOT = django_settings.DATA_DIR / "media"  # the worker process's own
        yield request.getfixturevalue("start_worker")
        return
    from config.celery import app
    from server import laptop

    app.conf.task_always_eager = False
    with ExitStack() as exit_stack:
        yield lambda: exit_stack.enter_context(laptop.run_worker({}))
    app.conf.task_always_eager = True
    app.control.purge()  # left by a test that failed


def _wait_for_requests() -> None:
    """Wait for the current requests, because the database is emptied next.

    A connection that a browser keeps open has a thread too, so the wait is limited.
    """
    deadline = time.monotonic() + 5
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(max(0.0, deadline - time.monotonic()))


def record_faults(context: BrowserContext, server_url: str, faults: list[str]) -> None:
    """Record errors and requests that no page may cause."""
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on(
        "console",
        lambda line: (  # Firefox writes it with hyphens
            faults.append(line.text)
            if "Content Security Policy" in line.text.replace("-", " ")
            else None
        ),
    )
    context.on(
        "request",
        lambda sent: (
            None if sent.url.startswith(server_url) else faults.append(f"asked for {sent.url}")
        ),
    )
    context.on(
        "response",
        lambda answer: (
            faults.append(f"{answer.status} at {answer.url}") if answer.status >= 500 else None
        ),
    )


def _skip_test_in_firefox(options: dict[str, Any]) -> None:
    for name, value in OPTIONS_IGNORED_IN_FIREFOX.items():
        if options.get(name) == value:
            pytest.skip(f"In Firefox, Playwright ignores {name}={value!r}.")


def _sign_in(context: BrowserContext, home: str, user: "User") -> None:
    client = Client()
    client.force_login(user)
    name = django_settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": home}])
