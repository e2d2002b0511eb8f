"""The page that stops the program, and a second start while the program runs."""

import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client

from server import hall_network, stop_page
from server.models import User
from tests import evenings

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 60  # seconds


@pytest.mark.django_db
@pytest.mark.parametrize("is_laptop", [True, False])
@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.7"])
@pytest.mark.parametrize("is_owner", [True, False])
def test_only_owner_at_the_laptop_can_stop_server(
    monkeypatch: pytest.MonkeyPatch, is_laptop: bool, address: str, is_owner: bool
) -> None:
    fake_network = SimpleNamespace(is_open=False, is_always_open=False)
    monkeypatch.setattr(
        hall_network, "_registered_networks", [fake_network] if is_laptop else []
    )
    interrupts: list[bool] = []
    monkeypatch.setattr(stop_page, "SHUTDOWN_DELAY_SECONDS", 0)
    monkeypatch.setattr(stop_page, "interrupt_main", lambda: interrupts.append(True))
    club, owner = evenings.create_club_with_director()
    user: User = owner if is_owner else evenings.create_scorer(club)
    client = Client(REMOTE_ADDR=address)
    client.force_login(user)
    is_allowed = is_laptop and is_owner and address == "127.0.0.1"
    assert ("Stop Overplay" in client.get("/director/account/").content.decode()) is is_allowed
    response = client.post("/director/stop/")
    assert response.status_code == (200 if is_allowed else 403)
    assert not client.get("/director/stop/").content.decode().count("has stopped")
    for timer in stop_page.threading.enumerate():
        if isinstance(timer, stop_page.threading.Timer):
            timer.join(TIMEOUT_SECONDS)
    assert bool(interrupts) is is_allowed


class Desktop:
    """The program as a double click starts it, and a browser's cookies."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as connection:
            self.port = connection.getsockname()[1]
        self.folder = folder
        self.browser = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )

    def start(self) -> subprocess.Popen[str]:
        """Start it; the browser that it opens is the command `true`."""
        environ = {
            variable_name: os.environ[variable_name]
            for variable_name in ("PATH", "HOME")
            if variable_name in os.environ
        }
        names = {"DATA_DIR": str(self.folder), "PORT": str(self.port), "DISPLAY": ":0"}
        return subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--browser"],
            cwd=ROOT,
            env=environ | names | {"PYTHONUNBUFFERED": "1", "BROWSER": "true"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def open_page(self, url: str, form: dict[str, str] | None = None) -> str:
        """Return a page's text, as the browser sees it."""
        data = urllib.parse.urlencode(form).encode() if form else None
        with self.browser.open(url, data, timeout=TIMEOUT_SECONDS) as response:
            return str(response.read().decode())

    def read_link(self) -> str:
        """Return the URL at which the browser was opened, which follows the last line."""
        page, end = self.folder / "start.html", time.monotonic() + TIMEOUT_SECONDS
        while not (page.exists() and page.stat().st_size) and time.monotonic() < end:
            time.sleep(0.05)
        match = re.search(r"url=([^\"]+)", page.read_text("utf-8"))
        assert match is not None
        return match[1]


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path / "data")


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="of a laptop, which has no services")
def test_second_start_opens_running_server_that_can_be_stopped(desktop: Desktop) -> None:
    first_process = desktop.start()
    assert first_process.stdout is not None
    try:
        assert any("Ctrl-C" in line for line in first_process.stdout)
        used_link = desktop.read_link()
        assert "Tonight" in desktop.open_page(used_link)
        second = desktop.start()
        message, _ = second.communicate(timeout=TIMEOUT_SECONDS)
        assert second.returncode == 4, message
        link = desktop.read_link()
        assert link != used_link
        stop_url = f"http://127.0.0.1:{desktop.port}/director/stop/"
        other_desktop = Desktop(desktop.folder)
        assert "Tonight" in other_desktop.open_page(link)
        token = re.search(
            r'name="csrfmiddlewaretoken" value="([^"]+)"', other_desktop.open_page(stop_url)
        )
        assert token is not None
        assert "has stopped" in other_desktop.open_page(
            stop_url, {"csrfmiddlewaretoken": token[1]}
        )
        message, _ = first_process.communicate(timeout=TIMEOUT_SECONDS)
        assert first_process.returncode == 0, message
        assert "Overplay has stopped." in message
    finally:
        if first_process.poll() is None:
            first_process.send_signal(signal.SIGKILL)
            first_process.communicate(timeout=TIMEOUT_SECONDS)
