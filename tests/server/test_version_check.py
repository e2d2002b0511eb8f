"""The check for a newer version: off by default, daily, and it sends only the own version."""

import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config import environment
from server import version_check
from server.outgoing import RemoteRequestFailed
from server.version import VERSION
from tests import evenings

DOWNLOAD_URL = "https://whist.example.org/get/"


class VersionFileHandler(BaseHTTPRequestHandler):
    """Serves the newest version, and records each request."""

    requests: list[tuple[str, dict[str, str], str]] = []
    content = f"99.1\n{DOWNLOAD_URL}\n"

    def do_GET(self) -> None:
        self.requests.append((self.path, dict(self.headers), self.command))
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()
        self.wfile.write(self.content.encode())

    def log_message(self, *_arguments: object) -> None:
        """Log nothing."""


@pytest.fixture
def version_file_handler(settings: Any, tmp_path: Path) -> Iterator[type[VersionFileHandler]]:
    """Switch the check on, with a server of our own."""
    VersionFileHandler.requests = []
    VersionFileHandler.content = f"99.1\n{DOWNLOAD_URL}\n"
    server = HTTPServer(("127.0.0.1", 0), VersionFileHandler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    settings.DATA_DIR = tmp_path
    settings.NEW_VERSION_URL = f"http://127.0.0.1:{server.server_port}/newest.txt"
    yield VersionFileHandler
    server.shutdown()
    server.server_close()


def check_version() -> None:
    version_check.check_for_new_version(version_check.CHECK_JOB_KEY)


def test_version_check_sends_no_request_without_setting(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.NEW_VERSION_URL == ""
    monkeypatch.setattr(version_check, "send_request", lambda *_, **__: pytest.fail("sent"))
    assert version_check.list_due_check_keys() == []
    check_version()
    assert version_check.find_new_version() is None


def test_version_request_contains_only_own_version(
    version_file_handler: type[VersionFileHandler],
) -> None:
    check_version()
    ((path, headers, method),) = version_file_handler.requests
    assert (path, method) == ("/newest.txt", "GET")
    assert set(headers) == {"Host", "Accept-Encoding", "User-Agent"}
    assert headers["User-Agent"] == f"Overplay/{VERSION}"
    assert version_check.find_new_version() == version_check.NewVersion("99.1", DOWNLOAD_URL)


def test_version_check_is_due_once_a_day(
    version_file_handler: type[VersionFileHandler], tmp_path: Path
) -> None:
    assert version_check.list_due_check_keys() == [version_check.CHECK_JOB_KEY]
    check_version()
    assert version_check.list_due_check_keys() == []
    yesterday = time.time() - 24 * 60 * 60 - 1
    os.utime(tmp_path / version_check.STATE_FILE_NAME, (yesterday, yesterday))
    assert version_check.list_due_check_keys() == [version_check.CHECK_JOB_KEY]


def test_failed_version_check_is_silent_and_repeated_next_day(
    version_file_handler: type[VersionFileHandler], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_to_respond(*_arguments: object, **_options: object) -> None:
        raise RemoteRequestFailed

    monkeypatch.setattr(version_check, "send_request", fail_to_respond)
    check_version()
    assert version_check.find_new_version() is None
    assert version_check.list_due_check_keys() == []


@pytest.mark.parametrize(
    "content",
    [
        "<html>Sign in to this Wi-Fi</html>",
        "99.1\njavascript:alert(1)\n",
        "99.1\nhttp://whist.example.org/\n",
        f"99.1\n{DOWNLOAD_URL}\nmore",
        "",
        f"{VERSION}\n{DOWNLOAD_URL}\n",
        f"{VERSION}.0\n{DOWNLOAD_URL}\n",
        f"0.9\n{DOWNLOAD_URL}\n",
    ],
)
def test_response_without_valid_newer_version_is_ignored(
    version_file_handler: type[VersionFileHandler], content: str
) -> None:
    version_file_handler.content = content
    check_version()
    assert version_check.find_new_version() is None


def test_versions_are_compared_numerically(
    version_file_handler: type[VersionFileHandler], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version_check, "VERSION", "1.9")
    version_file_handler.content = f"1.10\r\n{DOWNLOAD_URL}"
    check_version()
    assert version_check.find_new_version() == version_check.NewVersion("1.10", DOWNLOAD_URL)


@pytest.mark.django_db
def test_account_page_shows_new_version_to_owners_only(
    version_file_handler: type[VersionFileHandler], client: Client
) -> None:
    club, user = evenings.create_club_with_director()
    check_version()
    client.force_login(user)
    page = client.get("/director/account/").content.decode()
    assert f"Version 99.1 is available. You have version {VERSION}." in page
    assert f'href="{DOWNLOAD_URL}"' in page
    client.force_login(evenings.create_scorer(club))
    assert "99.1" not in client.get("/director/account/").content.decode()


@pytest.mark.parametrize("url", ["newest.txt", "http://whist.example.org/newest", "https://"])
def test_version_check_accepts_only_https_url(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="NEW_VERSION_URL"):
        environment.read_version_url({"NEW_VERSION_URL": url})
