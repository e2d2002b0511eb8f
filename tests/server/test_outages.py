"""Outages are reported to every client in its own format, with a time to wait."""

import errno
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from html import unescape
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, DataError, OperationalError, connection
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver

import clubs.views.tables
import tournaments.services
from scoring import page_loaders
from scoring.views import cached_pages
from server import outages, page_cache
from tests import evenings

PAGE_PATHS = [
    "/events/tuesday/",
    "/events/tuesday/standings/",
    "/api/events/tuesday/standings/",
    "/t/x/",
]
POST_REQUEST = ("post", "/t/x/")
HTMX_HEADERS = {"HX-Request": "true"}
HEADERS_BY_CLIENT = {
    "page": {},
    "part": HTMX_HEADERS,
    "phone": {"Accept": "application/json"},
    "data": {"Accept": "application/json, application/problem+json"},
}


def make_sqlite_error(
    cause_error: Callable[[sqlite3.Connection, Path], object], folder: Path
) -> Exception:
    """Return the error that Django makes of SQLite's message about a damaged file."""
    path = folder / "club.sqlite3"
    with closing(sqlite3.connect(path)) as sqlite_connection:
        sqlite_connection.execute("CREATE TABLE scores (tricks)")
        sqlite_connection.executemany("INSERT INTO scores VALUES (?)", [("7" * 500,)] * 100)
        sqlite_connection.commit()
    with closing(sqlite3.connect(path, timeout=0)) as sqlite_connection:
        try:
            with connection.wrap_database_errors:
                cause_error(sqlite_connection, path)
        except DatabaseError as error:
            return error
    raise AssertionError("Nothing was spoilt.")


def lock_database(line: sqlite3.Connection, path: Path) -> None:
    with closing(sqlite3.connect(path)) as other_connection:
        other_connection.execute("BEGIN EXCLUSIVE")
        line.execute("INSERT INTO scores VALUES (7)")


def fill_disk(line: sqlite3.Connection, _path: Path) -> None:
    line.execute("PRAGMA max_page_count=1")
    line.executemany("INSERT INTO scores VALUES (?)", [("7" * 5000,)] * 10)


def write_to_read_only_database(line: sqlite3.Connection, path: Path) -> None:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as other_connection:
        other_connection.execute("INSERT INTO scores VALUES (7)")


def open_missing_folder(_connection: sqlite3.Connection, path: Path) -> None:
    sqlite3.connect(path.parent / "no folder" / "club.sqlite3").execute("SELECT 1")


def damage_database(_line: sqlite3.Connection, path: Path) -> None:
    database_bytes = bytearray(path.read_bytes())
    database_bytes[4096:] = b"\xff" * (len(database_bytes) - 4096)
    path.write_bytes(database_bytes)
    with closing(sqlite3.connect(path)) as other_connection:
        other_connection.execute("SELECT count(*) FROM scores WHERE tricks > 3").fetchall()


def open_text_file(_line: sqlite3.Connection, path: Path) -> None:
    path.write_bytes(b"This is a letter, and no database. " * 200)
    with closing(sqlite3.connect(path)) as other_connection:
        other_connection.execute("SELECT * FROM scores")


OUTAGES_BY_CAUSE = {
    lock_database: ("database_busy", 503, 2),
    fill_disk: ("disk_full", 507, 30),
    write_to_read_only_database: ("read_only", 503, 30),
    open_missing_folder: ("read_only", 503, 30),
    damage_database: ("damaged", 503, 30),
    open_text_file: ("damaged", 503, 30),
}
OUTAGES_BY_ERROR = {
    OperationalError("the server closed the connection"): ("database_away", 503, 5),
    OSError(errno.ENOSPC, "No space left on device"): ("disk_full", 507, 30),
    OSError(errno.EROFS, "Read-only file system"): ("read_only", 503, 30),
    PermissionError(errno.EACCES, "Permission denied"): ("read_only", 503, 30),
}
PROGRAMMING_ERRORS = [
    ValueError("a bug"),
    FileNotFoundError(errno.ENOENT, "a bug"),
    DatabaseError("a bug"),
]


@pytest.mark.parametrize("spoil", OUTAGES_BY_CAUSE, ids=lambda spoil: spoil.__name__)
def test_database_file_errors_are_recognised(spoil: Any, tmp_path: Path) -> None:
    outage = outages.find_outage(make_sqlite_error(spoil, tmp_path))
    assert outage is not None
    assert (outage.code, outage.status, outage.retry_after_seconds) == OUTAGES_BY_CAUSE[spoil]


@pytest.mark.parametrize("error", PROGRAMMING_ERRORS)
def test_programming_error_is_not_an_outage(error: Exception) -> None:
    assert outages.find_outage(error) is None


def test_unavailable_postgresql_is_recognised() -> None:
    with suppress(OperationalError):
        try:
            psycopg.connect("host=127.0.0.1 port=1 user=x password=hidden", connect_timeout=1)
        except psycopg.OperationalError as error:
            raise OperationalError(*error.args) from error
    full_disk = psycopg.errors.DiskFull("no space")
    wrapped_error = OperationalError("no space")
    wrapped_error.__cause__ = full_disk
    assert outages.find_outage(wrapped_error).code == "disk_full"


def request_with_error(
    path: str, error: Exception, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> HttpResponse:
    def raise_error(*_args: object, **_options: object) -> None:
        raise error

    assert get_resolver().url_patterns  # imports all views before the patch
    monkeypatch.setattr(page_loaders, "load_public_event", raise_error)
    monkeypatch.setattr(clubs.views.tables, "visit_table_link", raise_error)
    monkeypatch.setattr(clubs.views.tables, "process_table_request", raise_error)
    monkeypatch.setattr(cached_pages, "load_event_state", raise_error)
    monkeypatch.setattr(outages, "measure_free_megabytes", lambda: 7)
    outages.OutageLog.logged_at_by_code.clear()
    client = Client(raise_request_exception=False)
    send = getattr(client, options.pop("method", "get"))
    return send(path, headers=options)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "error", OUTAGES_BY_ERROR, ids=lambda error: type(error).__name__ + str(error)
)
@pytest.mark.parametrize(
    ("method", "path"), [*(("get", path) for path in PAGE_PATHS), POST_REQUEST]
)
@pytest.mark.parametrize("client_kind", ["page", "part", "phone", "data"])
def test_outage_response_uses_format_of_each_client(
    path: str,
    error: Exception,
    client_kind: str,
    method: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    code, status, retry_after_seconds = OUTAGES_BY_ERROR[error]
    headers = HEADERS_BY_CLIENT[client_kind]
    response = request_with_error(path, error, monkeypatch, method=method, **headers)
    body = response.content.decode()
    assert response.headers["Retry-After"] == str(retry_after_seconds)
    assert response.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in response.headers
    outage = outages.find_outage(error)
    assert outage is not None
    if client_kind == "data" or path.startswith("/api/"):
        assert response.headers["Content-Type"] == "application/problem+json"
        assert response.json() == {
            "code": code,
            "status": status,
            "detail": f"{outage.title}. {outage.message}",
            "retry_after": retry_after_seconds,
        }
        assert response.status_code == status
    elif client_kind in ("part", "phone"):
        assert "json" not in response.headers["Content-Type"]
        assert (response.status_code, body) == (503, f"{outage.title}. {outage.message}")
    else:
        assert response.status_code == 503
        assert outage.title in unescape(body)
        assert response.headers.get("Refresh") == (
            str(retry_after_seconds) if method == "get" else None
        )
    assert "Traceback" not in body
    assert "Traceback" not in caplog.text
    assert len(caplog.records) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGE_PATHS)
@pytest.mark.parametrize("way", ["page", "part", "phone", "data"])
def test_programming_error_response_contains_log_id(
    path: str, way: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    response = request_with_error(
        path, ValueError("secret-detail"), monkeypatch, **HEADERS_BY_CLIENT[way]
    )
    (record,) = caplog.records
    log_id = record.args[0]
    assert response.status_code == 500
    assert log_id in response.content.decode()
    assert "secret-detail" not in response.content.decode()
    assert record.exc_info is not None
    if response.headers["Content-Type"] == "application/problem+json":
        assert response.json()["log_id"] == log_id


def test_outage_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    outages.OutageLog.logged_at_by_code.clear()
    error = OperationalError("gone")
    outage = outages.find_outage(error)
    assert outage is not None
    with caplog.at_level(logging.ERROR):
        for _number in range(50):
            outages.log_outage(outage, error)
    assert len(caplog.records) == 1


# Standings during an outage


@pytest.fixture
def break_database_now(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def break_database() -> None:
        def broken(*_args: object, **_options: object) -> None:
            raise OperationalError("gone")

        monkeypatch.setattr(page_loaders, "load_public_event", broken)
        monkeypatch.setattr(cached_pages, "load_event_state", broken)
        monkeypatch.setattr(page_cache, "are_versions_current", broken)

    return break_database


PAGES_AND_HEADERS = [("", {}), ("standings/?seen=0", HTMX_HEADERS)]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(("place", "headers"), PAGES_AND_HEADERS)
@pytest.mark.parametrize(
    ("seconds_later", "has_session_cookie", "status"),
    [(0, False, 200), (59, False, 200), (61, False, 503), (0, True, 503)],
)
def test_last_public_page_is_served_for_a_minute_during_outage(
    place: str,
    headers: dict[str, str],
    seconds_later: int,
    has_session_cookie: bool,
    status: int,
    break_database_now: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        session, user = evenings.play_session()
    client = Client(raise_request_exception=False)
    path = f"/events/{session.event.slug}/{place}"
    response_before = client.get(path, headers=headers)
    assert b"standings-offline" in response_before.content
    break_database_now()
    for cached_page in page_cache.PAGE_CACHE.pages.values():
        cached_page.checked_at -= seconds_later
    if has_session_cookie:
        client.force_login(user)
    response = client.get(path, headers=headers)
    assert response.status_code == status
    assert (b"As of " in response.content) is (status == 200)
    assert b"As of " not in response_before.content


@pytest.mark.django_db
@pytest.mark.parametrize(("place", "headers"), PAGES_AND_HEADERS)
def test_page_hidden_before_outage_is_not_served_during_it(
    place: str,
    headers: dict[str, str],
    break_database_now: Callable[[], None],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        session, user = evenings.play_session()
    client = Client(raise_request_exception=False)
    path = f"/events/{session.event.slug}/{place}"
    assert client.get(path, headers=headers).status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        tournaments.services.set_standings_visibility(
            event=session.event, shown="never", by=user
        )
    break_database_now()
    assert client.get(path, headers=headers).status_code == 503


@pytest.mark.django_db
def test_search_result_of_one_visitor_is_not_served_to_others(
    break_database_now: Callable[[], None], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        session, _user = evenings.play_session()
    client = Client(raise_request_exception=False)
    path = f"/events/{session.event.slug}/"
    client.get(path)
    assert b"Ann of Nowhere" in client.get(f"{path}?find=Ann+of+Nowhere").content
    break_database_now()
    response = client.get(path)
    assert response.status_code == 200
    assert b"Ann of Nowhere" not in response.content


@pytest.mark.django_db
def test_open_page_is_notified_that_standings_are_not_updated(
    break_database_now: Callable[[], None], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        session, _user = evenings.play_session()
    client = Client(raise_request_exception=False)
    path = f"/events/{session.event.slug}/standings/"
    client.get(f"{path}?seen=0", headers=HTMX_HEADERS)
    break_database_now()
    assert client.get(f"{path}?seen=1", headers=HTMX_HEADERS).status_code == 503


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["page", "part", "phone", "data"])
@pytest.mark.parametrize(
    "message",
    [
        "PostgreSQL text fields cannot contain NUL (0x00) bytes",
        "unsupported Unicode escape sequence\nDETAIL:  \\u0000 cannot be converted to text.",
    ],
)
def test_character_unsupported_by_database_is_refused_as_input_error(
    message: str, way: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    error = DataError(message)
    response = request_with_error(PAGE_PATHS[0], error, monkeypatch, **HEADERS_BY_CLIENT[way])
    assert response.status_code == 400
    assert "The text contains a character" in response.content.decode()
    assert "Mistake" not in caplog.text
