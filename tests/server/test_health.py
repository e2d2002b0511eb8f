"""Two health endpoints for machines and one command for people."""

import json
import socket
import threading
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client, override_settings
from django.utils import timezone

from server import database_version, health
from server.backups import store
from server.invalidation import KnownVersions
from server.jobs import broker, heartbeats
from server.models import Job
from server.version import VERSION
from tests.server.backups.test_page import put_backup

pytestmark = pytest.mark.django_db


def request_health() -> tuple[int, dict[str, Any]]:
    response = Client().get("/health/ready", headers={"host": "10.0.0.7"})
    return response.status_code, json.loads(response.content)


@pytest.fixture(autouse=True)
def backup_folder(tmp_path: Path, settings: Any) -> None:
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.BACKUP_DIR.mkdir(mode=0o700)


def test_liveness_check_uses_no_database_and_accepts_any_host(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0), override_settings(SECURE_SSL_REDIRECT=True):
        response = Client().get("/health/live", headers={"host": "no.such.name"})
    assert (response.status_code, response.json()) == (200, {"state": "ok", "version": VERSION})
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies


def test_readiness_check_succeeds_with_all_services_available() -> None:
    status, body = request_health()
    assert (status, body["state"]) == (200, "ok")
    assert set(body["checks"]) == {
        *("database", "schema", "folder", "worker", "queue", "listening")
    }


def fail_to_connect(*_args: object, **_given: object) -> None:
    raise OperationalError("connection refused, password=secret")


def create_late_job() -> None:
    now = timezone.now() - timedelta(minutes=2)
    Job.objects.create(kind="standings", about=1, lane=0, wanted_at=now, not_before=now)


def set_listener(monkeypatch: pytest.MonkeyPatch, *, is_connected: bool) -> None:
    """Act as a web process whose listener is connected or not."""
    known_versions = KnownVersions()
    known_versions.has_listener, known_versions.is_connected = True, is_connected
    monkeypatch.setattr(health, "KNOWN_VERSIONS", known_versions)


def create_failed_job() -> None:
    now = timezone.now()
    Job.objects.create(
        kind="paper", about=1, lane=1, wanted_at=now, not_before=now, state="failed", done_no=1
    )


@pytest.mark.parametrize(
    ("name", "expected_state", "break_service"),
    [
        ("database", "wrong", lambda m: m.setattr(connection, "cursor", fail_to_connect)),
        ("database", "wrong", lambda m: m.setattr(health, "MAX_RESPONSE_SECONDS", -1)),
        (
            "schema",
            "wrong",
            lambda m: m.setattr(database_version, "check_known_version", fail_to_connect),
        ),
        ("folder", "wrong", lambda m: m.setattr(health, "MIN_FREE_BYTES", 10**18)),
        ("folder", "wrong", lambda m: m.setattr(health.settings, "DATA_DIR", "/nowhere")),
        ("worker", "wrong", lambda m: m.setattr(heartbeats, "has_no_worker", lambda: True)),
        ("worker", "wrong", lambda _m: create_late_job()),
        ("worker", "degraded", lambda _m: create_failed_job()),
        (
            "queue",
            "degraded",
            lambda m: m.setattr(broker, "is_broker_unreachable", lambda: True),
        ),
        (
            "queue",
            "wrong",
            lambda m: m.setattr(broker, "is_broker_unreachable", fail_to_connect),
        ),
        ("listening", "degraded", lambda m: set_listener(m, is_connected=False)),
        ("listening", "ok", lambda m: set_listener(m, is_connected=True)),
    ],
)
def test_unavailable_services_are_named_without_secrets(
    monkeypatch: pytest.MonkeyPatch, name: str, expected_state: str, break_service: Any
) -> None:
    break_service(monkeypatch)
    status, body = request_health()
    assert body["checks"][name] == expected_state
    assert status == (503 if expected_state == "wrong" else 200)
    assert "secret" not in json.dumps(body)


def test_doctor_reports_why_database_is_unavailable(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_role_error(*_anything: object) -> None:
        raise OperationalError('role "root" does not exist')

    monkeypatch.setattr(connection, "cursor", raise_role_error)
    with pytest.raises(SystemExit):
        call_command("doctor")
    output = capsys.readouterr().out
    assert 'database    it doesn’t respond (role "root" does not exist) → ' in output
    assert "schema      unknown" in output


def test_doctor_reports_problems_with_solutions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    with pytest.raises(SystemExit) as exc_info:
        call_command("doctor")
    assert exc_info.value.code == 1
    output = capsys.readouterr().out
    assert "wrong     backups     no good backup" in output
    assert "→ python manage.py backup" in output
    put_backup(settings.BACKUP_DIR, timedelta(days=1))
    # A test's database does not wait for the disk.
    checks = tuple(
        health_check
        for health_check in health.ALL_CHECKS
        if health_check.__name__ != "check_durability"
    )
    monkeypatch.setattr(health, "ALL_CHECKS", checks)
    call_command("doctor", json=True)
    data = json.loads(capsys.readouterr().out)
    assert [check for check in data["checks"] if check["state"] != "ok"] == []
    assert len(data["checks"]) == len(health.ALL_CHECKS)
    settings.BACKUP_DIR.chmod(0o755)
    with pytest.raises(SystemExit):
        call_command("doctor")
    assert "chmod go=" in capsys.readouterr().out
    assert store.list_backups(settings.BACKUP_DIR)


def test_database_without_durable_writes_is_reported() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous")
            is_safe = cursor.fetchone()[0] >= 2
        else:
            cursor.execute("SHOW fsync")
            is_safe = cursor.fetchone()[0] == "on"
    durability = health.check_durability()
    assert durability.state == ("ok" if is_safe else "wrong")
    assert bool(durability.cure) is not is_safe


@pytest.mark.parametrize(
    ("clock_offset_seconds", "state"), [(0, "ok"), (4, "ok"), (-6, "wrong"), (3600, "wrong")]
)
def test_clock_difference_is_reported(
    clock_offset_seconds: int, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = timezone.now() + timedelta(seconds=clock_offset_seconds)

    class Cursor:
        def __enter__(self) -> "Cursor":
            return self

        def __exit__(self, *_error: object) -> None: ...

        def execute(self, words: str) -> None:
            assert "clock_timestamp" in words

        def fetchone(self) -> tuple[Any]:
            return (moment,)

    assert health.check_clock().state == "ok"
    fake_connection = SimpleNamespace(vendor="postgresql", cursor=Cursor)
    monkeypatch.setattr(health, "connection", fake_connection)
    clock = health.check_clock()
    assert clock.state == state
    assert bool(clock.cure) == (state == "wrong")
    fake_connection.cursor = fail_to_connect
    assert health.check_clock().state == "wrong"


@pytest.mark.parametrize("mail_state", ["none", "nobody answers", "somebody takes them"])
def test_mail_server_availability_is_reported(mail_state: str, settings: Any) -> None:
    settings.HAS_MAIL = mail_state != "none"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    if mail_state == "somebody takes them":
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail_check = health.check_mail()
    assert mail_check.state == ("wrong" if mail_state == "nobody answers" else "ok")
    if mail_state == "nobody answers":
        assert (mail_check.words, mail_check.cure) == (
            "127.0.0.1 doesn’t accept e-mail (ConnectionRefusedError)",
            "Check EMAIL_URL.",
        )


def test_database_is_reported_with_version() -> None:
    assert any(character.isdigit() for character in health.check_database().words)


@pytest.mark.parametrize(
    ("answer", "state", "expected_text"),
    [
        ("200 OK", "ok", "opens"),
        ("301 Gone\r\nLocation: {page}", "wrong", "X-Forwarded-Proto"),
        ("502 Bad Gateway", "wrong", "answers with 502"),
        ("", "degraded", "be reached from here"),
    ],
)
def test_doctor_requests_site_at_its_public_address(
    answer: str, state: str, expected_text: str, settings: Any
) -> None:
    """A proxy that does not forward the https scheme redirects every page to itself."""
    with socket.create_server(("127.0.0.1", 0)) as server_socket:
        settings.IS_SERVER_DEPLOYMENT = True
        settings.SITE_URL = f"http://127.0.0.1:{server_socket.getsockname()[1]}"
        message = answer.format(page=f"{settings.SITE_URL}/login/")

        def serve_response() -> None:
            line, _address = server_socket.accept()
            with line:
                line.recv(4096)
                line.sendall(f"HTTP/1.1 {message}\r\nContent-Length: 0\r\n\r\n".encode())

        thread = threading.Thread(target=serve_response)
        thread.start()
        proxy = health.check_proxy()
        thread.join()
    assert proxy.state == state
    assert expected_text in f"{proxy.words} {proxy.cure}"


@pytest.mark.parametrize(
    ("is_on_server", "is_installed", "state"),
    [(True, True, "ok"), (True, False, "degraded"), (False, False, "ok")],
)
def test_server_without_list_of_leaked_passwords_is_reported(
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    is_on_server: bool,
    is_installed: bool,
    state: str,
) -> None:
    settings.IS_SERVER_DEPLOYMENT = is_on_server
    monkeypatch.setattr(health, "has_stolen_password_list", lambda: is_installed)
    password_check = {check.name: check for check in health.run_checks(health.ALL_CHECKS)}[
        "passwords"
    ]
    assert password_check.state == state
    assert bool(password_check.cure) is (state != "ok")
