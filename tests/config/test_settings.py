"""The settings protect a server and let a laptop work."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

ManageRunner = Callable[..., subprocess.CompletedProcess[str]]


def test_server_accepts_only_its_own_host_on_https_and_passes_the_checks(
    manage_runner: ManageRunner, tmp_path: Path
) -> None:
    code = (
        "from django.conf import settings as s; "
        "from django.core.management import call_command; "
        "print(s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS, s.SECURE_SSL_REDIRECT, "
        "s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.DEBUG, s.SESSION_COOKIE_NAME); "
        "call_command('check', '--deploy', '--fail-level', 'WARNING')"
    )
    arguments = ("shell", "--no-imports", "-c", code)
    process = manage_runner(*arguments, data=tmp_path, SITE_URL="https://example.org")
    assert process.returncode == 0, process.stderr
    settings_output, check_output = process.stdout.splitlines()
    assert settings_output == (
        "['example.org'] ['https://example.org'] True True True False __Host-sessionid"
    )
    assert "no issues" in check_output


def test_invalid_setting_is_reported_in_one_line(
    manage_runner: ManageRunner, tmp_path: Path
) -> None:
    process = manage_runner("check", data=tmp_path, DATABASE_URL="mysql://x")
    assert process.returncode != 0
    assert process.stderr.count("\n") == 1
    assert "postgres://user:password@host:5432/name" in process.stderr


def test_debug_is_never_on() -> None:
    assert settings.DEBUG is False


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="of the embedded database alone")
def test_embedded_database_has_its_pragmas() -> None:
    with connection.cursor() as cursor:
        message = {
            name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "foreign_keys", "busy_timeout")
        }
    assert message == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 10000}
