"""The settings as a whole: a server with every protection on, a laptop with its needs."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

Manage = Callable[..., subprocess.CompletedProcess[str]]


def test_a_server_answers_only_its_own_host_on_https_and_its_settings_are_clean(
    manage: Manage, tmp_path: Path
) -> None:
    code = (
        "from django.conf import settings as s; "
        "from django.core.management import call_command; "
        "print(s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS, s.SECURE_SSL_REDIRECT, "
        "s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.DEBUG, s.SESSION_COOKIE_NAME); "
        "call_command('check', '--deploy', '--fail-level', 'WARNING')"
    )
    arguments = ("shell", "--no-imports", "-c", code)
    done = manage(*arguments, data=tmp_path, SITE_URL="https://example.org")
    assert done.returncode == 0, done.stderr
    reported, checked = done.stdout.splitlines()
    assert reported == (
        "['example.org'] ['https://example.org'] True True True False __Host-sessionid"
    )
    assert "no issues" in checked


def test_what_cannot_be_read_is_one_clear_line(manage: Manage, tmp_path: Path) -> None:
    done = manage("check", data=tmp_path, DATABASE_URL="mysql://x")
    assert done.returncode != 0
    assert done.stderr.count("\n") == 1
    assert "postgres://user:password@host:5432/name" in done.stderr


def test_debug_is_never_on() -> None:
    assert settings.DEBUG is False


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="of the embedded database alone")
def test_the_embedded_database_keeps_its_promises() -> None:
    with connection.cursor() as cursor:
        message = {
            name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "foreign_keys", "busy_timeout")
        }
    assert message == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 10000}
