"""A foreign database is left unchanged; an older one is migrated only by `upgrade`."""

import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as DjangoMigrate
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from server import database_version, databases
from server.version import VERSION
from tests.databases import build_sqlite_settings, use_database

ROOT = Path(__file__).resolve().parents[2]
OUR_MIGRATIONS = sorted(MigrationLoader(None).disk_migrations)
VERSION_MARK = ("overplay", "1.0")


def create_database(path: Path, rows: list[tuple[str, str]]) -> Path:
    """Create a file with a migrations table and a results table, in our journal mode."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "CREATE TABLE django_migrations (id integer PRIMARY KEY AUTOINCREMENT, "
            "app varchar(255), name varchar(255), applied datetime)"
        )
        connection.executemany("INSERT INTO django_migrations (app, name) VALUES (?, ?)", rows)
        connection.execute("CREATE TABLE results (tricks integer)")
        connection.execute("INSERT INTO results VALUES (9)")
        connection.commit()
    return path


@pytest.fixture
def file(tmp_path: Path, django_db_blocker: Any) -> Iterator[Path]:
    """Return the path of the club's database, which does not exist yet."""
    path = tmp_path / "overplay.sqlite3"
    with django_db_blocker.unblock(), use_database(build_sqlite_settings(path)):
        yield path


@pytest.fixture
def migrate_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record Django's own `migrate` calls instead of running them."""
    recorded_calls: list[str] = []
    monkeypatch.setattr(
        DjangoMigrate, "handle", lambda *_a, **_o: recorded_calls.append("migrated")
    )
    return recorded_calls


def read_files(path: Path) -> dict[str, bytes]:
    """Return all files in the data folder after the database has been closed."""
    connection.close()
    return {path.name: path.read_bytes() for path in path.parent.iterdir()}


def read_refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as exc_info:
        call_command(*arguments, verbosity=0)
    return str(exc_info.value)


@pytest.mark.slow
def test_version_is_stored_before_first_table_is_created(file, monkeypatch) -> None:
    def check_mark_and_interrupt(*_args: object, **_options: object) -> None:
        assert database_version.read_version(connection).version == VERSION
        raise KeyboardInterrupt

    monkeypatch.setattr(DjangoMigrate, "handle", check_mark_and_interrupt)
    for _start in range(2):
        with pytest.raises(KeyboardInterrupt):
            call_command("migrate", verbosity=0)
    assert [path.name for path in file.parent.iterdir() if path.suffix == ".backup"] == []


@pytest.mark.parametrize(
    "rows",
    [
        [("tournaments", "0001_initial"), ("auth", "0001_initial")],
        OUR_MIGRATIONS,  # the names of all our migrations, but other tables
    ],
    ids=["other names", "the same names"],
)
def test_pre_release_database_is_refused_and_unchanged(file, migrate_calls, rows) -> None:
    files_before = read_files(create_database(file, rows))
    refusal = read_refusal("migrate")
    assert str(file) in refusal
    assert "before 1.0" in refusal
    assert "event export" in refusal
    assert read_files(file) == files_before
    assert migrate_calls == []


@pytest.mark.parametrize("row", [("scoring", "0099_leads"), ("festivals", "0001_initial")])
def test_database_of_newer_version_is_refused_and_unchanged(file, migrate_calls, row) -> None:
    files_before = read_files(
        create_database(file, [VERSION_MARK, *OUR_MIGRATIONS, ("overplay", "99.7"), row])
    )
    refusal = read_refusal("migrate")
    assert "newer Overplay (99.7) than this one" in refusal
    assert read_files(file) == files_before
    assert migrate_calls == []


def test_database_of_unreleased_version_is_refused_and_unchanged(file, migrate_calls) -> None:
    """Its migrations were squashed into the next release, so their names no longer exist."""
    row = ("scoring", "0002_what_everybody_sees")
    files_before = read_files(create_database(file, [VERSION_MARK, *OUR_MIGRATIONS, row]))
    refusal = read_refusal("migrate")
    assert "made by an unreleased Overplay" in refusal
    assert "club export" in refusal
    assert read_files(file) == files_before
    assert migrate_calls == []


def test_migrations_of_retired_app_are_accepted(file, migrate_calls, monkeypatch) -> None:
    create_database(file, [VERSION_MARK, *OUR_MIGRATIONS, ("axles", "0001_initial")])
    assert "unreleased Overplay" in read_refusal("migrate")
    monkeypatch.setattr(database_version, "RETIRED_APPS", frozenset({"axles"}))
    call_command("migrate", verbosity=0)
    assert migrate_calls == ["migrated"]


def test_migrate_refuses_database_with_data_and_names_upgrade(file, migrate_calls) -> None:
    files_before = read_files(create_database(file, [VERSION_MARK, *OUR_MIGRATIONS[:-1]]))
    assert "python manage.py upgrade" in read_refusal("migrate")
    assert read_files(file) == files_before
    call_command("migrate", plan=True, verbosity=0)
    call_command("migrate", check_unapplied=True, verbosity=0)
    assert migrate_calls == ["migrated", "migrated"]  # these two only read


def test_each_migrating_version_is_stored_only_once(file, migrate_calls, monkeypatch) -> None:
    create_database(file, [VERSION_MARK, *OUR_MIGRATIONS])
    for version in ("1.1", "1.1", "1.2"):
        monkeypatch.setattr(database_version, "VERSION", version)
        call_command("migrate", verbosity=0)
        assert database_version.read_version(connection).version == version
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM django_migrations WHERE app = 'overplay' ORDER BY id")
        assert cursor.fetchall() == [("1.0",), ("1.1",), ("1.2",)]


def test_command_refuses_database_before_upgrade(file) -> None:
    create_database(file, [VERSION_MARK, *OUR_MIGRATIONS[:-1]])
    with pytest.raises(CommandError, match=r"python manage\.py upgrade"):
        databases.prepare_database()


def test_command_does_not_change_outdated_database(file) -> None:
    files_before = read_files(create_database(file, OUR_MIGRATIONS))
    with pytest.raises(CommandError, match=r"before 1\.0"):
        databases.prepare_database()
    assert read_files(file) == files_before


@pytest.mark.slow
def test_server_does_not_start_with_outdated_database(tmp_path: Path) -> None:
    path = create_database(tmp_path / "overplay.sqlite3", OUR_MIGRATIONS)
    content_before = path.read_bytes()
    with socket.create_server(("127.0.0.1", 0)) as connection:
        port = connection.getsockname()[1]
    process = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=ROOT,
        env={"DATA_DIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 3
    assert process.stderr.count("\n") == 1
    assert "before 1.0" in process.stderr
    assert path.read_bytes() == content_before
