"""A database that must not be used is refused with instructions, and no byte of it changes."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from config.management.commands.serve import Command as Serve
from server import databases
from server.backups import store
from server.startup_checks import UnusableData
from tests.databases import build_sqlite_settings, use_database

ROOT = Path(__file__).resolve().parents[2]
OUR_MIGRATIONS = sorted(MigrationLoader(None).disk_migrations)
VERSION_MARK = ("overplay", "1.0")
DatabaseMaker = Callable[[Path], None]


def create_database_with_rows(
    path: Path, rows: list[tuple[str, str]], journal_mode: str
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode={journal_mode}")
        connection.execute(
            "CREATE TABLE django_migrations (id integer PRIMARY KEY AUTOINCREMENT, "
            "app varchar(255), name varchar(255), applied datetime)"
        )
        connection.executemany("INSERT INTO django_migrations (app, name) VALUES (?, ?)", rows)
        connection.commit()


def create_prerelease_database(path: Path) -> None:
    create_database_with_rows(path, OUR_MIGRATIONS, "DELETE")


def create_newer_database(path: Path) -> None:
    create_database_with_rows(
        path, [VERSION_MARK, *OUR_MIGRATIONS, ("overplay", "99.0.0")], "DELETE"
    )


def create_database_with_unknown_migration(path: Path) -> None:
    create_database_with_rows(
        path,
        [VERSION_MARK, *OUR_MIGRATIONS, ("overplay", "99.7"), ("scoring", "0099_leads")],
        "WAL",
    )


def create_unreleased_database(path: Path) -> None:
    create_database_with_rows(
        path, [VERSION_MARK, *OUR_MIGRATIONS, ("scoring", "0002_what_everybody_sees")], "WAL"
    )


def create_database_with_wal(path: Path) -> None:
    """Create a database as a killed program leaves it: the last rows are only in the WAL."""
    with closing(sqlite3.connect(path)) as writer_connection:
        create_database_with_rows(path, OUR_MIGRATIONS, "WAL")
        writer_connection.execute("CREATE TABLE results (tricks integer)")
        contents_by_path = {
            path: path.read_bytes() for path in path.parent.glob(f"{path.name}*")
        }
    for copied_path, content in contents_by_path.items():
        copied_path.write_bytes(content)


def write_text_file(path: Path) -> None:
    path.write_bytes(b"Dear club, " * 1000)


def delete_file(path: Path) -> None:
    path.unlink(missing_ok=True)


def create_empty_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=1")


STATES: dict[str, tuple[DatabaseMaker, str]] = {
    "missing": (delete_file, "is missing or empty"),
    "empty": (Path.touch, "is missing or empty"),
    "without tables": (create_empty_database, "is missing or empty"),
    "directory": (Path.mkdir, "isn’t a file"),
    "no database": (write_text_file, "is damaged (file is not a database)"),
    "before 1.0": (create_prerelease_database, "before 1.0"),
    "killed before 1.0": (create_database_with_wal, "before 1.0"),
    "newer by its version": (create_newer_database, "newer Overplay (99.0.0) than this one"),
    "newer by its migrations": (
        create_database_with_unknown_migration,
        "newer Overplay (99.7) than this one",
    ),
    "unreleased": (create_unreleased_database, "made by an unreleased Overplay"),
}


@pytest.fixture
def backup(tmp_path: Path, settings: Any) -> Path:
    """Return a backup that its note reports as verified."""
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.BACKUP_DIR.mkdir()
    path: Path = settings.BACKUP_DIR / store.format_backup_name(
        "", datetime(2026, 11, 27, 20, tzinfo=UTC)
    )
    path.write_bytes(b"backup")
    note = {"kind": "asked", "proof": "verified", "proved_at": "", "tables": 1, "rows": 1}
    store.write_note(path, store.BackupNote(**note, sha256="", sealed=False))
    return path


@pytest.fixture
def file(tmp_path: Path, django_db_blocker: Any) -> Iterator[Path]:
    path = tmp_path / "data" / "overplay.sqlite3"
    path.parent.mkdir()
    with django_db_blocker.unblock(), use_database(build_sqlite_settings(path)):
        yield path


def read_database_bytes(path: Path) -> dict[str, bytes]:
    """Return the bytes of the database and its log, and whether other files exist."""
    connection.close()
    paths = [path for path in path.parent.iterdir() if path.suffix in ("", ".sqlite3")]
    paths += [path.with_name(f"{path.name}-wal")]
    return {item.name: item.read_bytes() for item in paths if item.is_file()}


def prepare_database() -> None:
    databases.prepare_database()


def run_upgrade_command() -> None:
    call_command("upgrade", verbosity=0)


def check_before_any_command() -> None:
    databases.check_before_command("showmigrations")


@pytest.mark.parametrize(
    "access_database", [prepare_database, run_upgrade_command, check_before_any_command]
)
@pytest.mark.parametrize("state", STATES)
def test_unusable_database_is_reported_with_newest_backup_and_unchanged(
    state: str, access_database: Callable[[], None], file: Path, backup: Path
) -> None:
    make_database, expected_text = STATES[state]
    make_database(file)
    database_bytes_before = read_database_bytes(file)
    with pytest.raises((CommandError, UnusableData)) as exc_info:
        access_database()
    assert getattr(exc_info.value, "returncode", 3) == 3
    assert expected_text in str(exc_info.value)
    assert str(file) in str(exc_info.value)
    assert f"python manage.py restore {backup}" in str(exc_info.value)
    assert read_database_bytes(file) == database_bytes_before


@pytest.mark.parametrize("state", ["missing", "empty", "without tables"])
def test_new_club_despite_valid_backup_requires_option(
    state: str, file: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    STATES[state][0](file)
    monkeypatch.setattr("server.run_upgrade._migrate", lambda: None)
    monkeypatch.setattr("server.run_upgrade._record_upgrade", lambda _connection: None)
    call_command("upgrade", start_empty=True, verbosity=0)
    assert Serve().create_parser("manage.py", "serve").parse_args(["--start-empty"]).start_empty


def test_very_first_start_requires_no_option(file: Path, tmp_path: Path, settings: Any) -> None:
    settings.BACKUP_DIR = tmp_path / "backups"
    assert databases.check_database(connection).is_empty
    assert read_database_bytes(file) == {}


def test_check_with_open_connection_keeps_wal_file_of_other_process(
    file: Path,
) -> None:
    """Closing a second handle on the file would release this process's locks."""
    create_database_with_rows(file, [VERSION_MARK, *OUR_MIGRATIONS], "WAL")
    connection.ensure_connection()
    databases.check_database(connection)
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version=2')"
    subprocess.run([sys.executable, "-c", code, str(file)], check=True)
    assert file.with_name(f"{file.name}-wal").exists()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE results (tricks integer)")


def test_error_names_missing_database_folder(tmp_path: Path, django_db_blocker: Any) -> None:
    sqlite_settings = build_sqlite_settings(tmp_path / "away" / "overplay.sqlite3")
    with (
        django_db_blocker.unblock(),
        use_database(sqlite_settings),
        pytest.raises(UnusableData, match=f"Folder {tmp_path / 'away'} not found"),
    ):
        databases.check_database(connection)


def test_commands_exempt_from_database_check_exist() -> None:
    known_commands = {*get_commands(), "help", "version"}
    assert (
        known_commands
        >= databases.COMMANDS_WITHOUT_DATABASE | databases.COMMANDS_WITH_OWN_CHECK
    )


def write_malformed_database(path: Path) -> None:
    """Create a file with a valid header and a damaged schema table."""
    create_database_with_rows(path, OUR_MIGRATIONS, "DELETE")
    held = bytearray(path.read_bytes())
    held[100:4096] = b"\xa5" * 3996
    path.write_bytes(held)


def test_doctor_reports_damaged_file_and_newest_backup(
    file: Path, backup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_malformed_database(file)
    database_bytes_before = read_database_bytes(file)
    with pytest.raises(SystemExit) as exc_info:
        call_command("doctor")
    output = capsys.readouterr().out
    assert exc_info.value.code == 1
    assert "malformed" in output
    assert f"restore {backup}" in output
    assert read_database_bytes(file) == database_bytes_before


@pytest.mark.slow
@pytest.mark.parametrize(("texts", "code"), [(["showmigrations"], 3), (["doctor"], 1)])
def test_directory_at_database_path_ends_commands_without_traceback(
    texts: list[str], code: int, tmp_path: Path
) -> None:
    (tmp_path / "overplay.sqlite3").mkdir()
    process = subprocess.run(
        [sys.executable, "manage.py", *texts],
        cwd=ROOT,
        env={"DATA_DIR": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    output = process.stdout + process.stderr
    assert (process.returncode, "isn’t a file" in output, "Traceback" in output) == (
        code,
        True,
        False,
    )
