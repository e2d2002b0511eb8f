"""Unusable data stops the start with one line and its exit code, and changes nothing."""

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError
from django.db import OperationalError

from config import environment
from server import laptop, startup_checks


@pytest.fixture(autouse=True)
def empty_backup_folder(tmp_path: Path, settings: Any) -> None:
    """Use an empty backup folder."""
    settings.BACKUP_DIR = tmp_path / "backups"


def write_database(path: Path) -> Path:
    """Create a file of some pages that SQLite can read."""
    with closing(sqlite3.connect(path)) as sqlite_connection:
        sqlite_connection.execute("CREATE TABLE scores (tricks)")
        sqlite_connection.executemany("INSERT INTO scores VALUES (?)", [("7" * 500,)] * 100)
        sqlite_connection.execute("CREATE INDEX by_tricks ON scores (tricks)")
        sqlite_connection.commit()
    return path


def write_text_file(path: Path) -> None:
    path.write_bytes(b"Dear club, " * 1000)


def cut_file_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zero_some_pages(path: Path) -> None:
    database_bytes = bytearray(path.read_bytes())
    database_bytes[4096:8192] = bytes(4096)
    path.write_bytes(database_bytes)


def overwrite_with_noise(path: Path) -> None:
    held = bytearray(path.read_bytes())
    held[4096:] = b"\xa5" * (len(held) - 4096)
    path.write_bytes(held)


def zero_header(path: Path) -> None:
    path.write_bytes(b"\0" * 16 + path.read_bytes()[16:])


def swap_pages(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(
        content[:4096] + content[8192:12288] + content[4096:8192] + content[12288:]
    )


@pytest.mark.parametrize(
    "damage_file",
    [
        write_text_file,
        cut_file_in_half,
        zero_some_pages,
        overwrite_with_noise,
        zero_header,
        swap_pages,
    ],
)
@pytest.mark.parametrize("copy_count", [0, 1, 2])
def test_damaged_file_is_reported_with_newest_readable_backup(
    damage_file: Callable[[Path], None], copy_count: int, tmp_path: Path
) -> None:
    path = write_database(tmp_path / "overplay.sqlite3")
    damage_file(path)
    for number in range(copy_count):
        copy = write_database(tmp_path / f"overplay-1.0-{number}.sqlite3")
        os.utime(copy, (number, number))
    if copy_count == 2:
        damage_file(tmp_path / "overplay-1.0-1.sqlite3")
        os.utime(tmp_path / "overplay-1.0-1.sqlite3", (9, 9))
    digest_before = hashlib.sha256(path.read_bytes()).digest()
    with pytest.raises(startup_checks.UnusableData) as exc_info:
        startup_checks.check_sqlite_file(path)
    assert f"The file {path} is damaged" in str(exc_info.value)
    assert ("overplay-1.0-0.sqlite3" in str(exc_info.value)) is bool(copy_count)
    assert "overplay-1.0-1" not in str(exc_info.value)
    assert hashlib.sha256(path.read_bytes()).digest() == digest_before


def test_readable_database_passes_startup_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup_checks, "LOCK_TIMEOUT_SECONDS", 0.1)
    path = tmp_path / "overplay.sqlite3"
    startup_checks.check_sqlite_file(path)
    path.touch()
    startup_checks.check_sqlite_file(path)
    path.unlink()
    with closing(sqlite3.connect(write_database(path))) as other_connection:
        other_connection.execute("BEGIN EXCLUSIVE")
        startup_checks.check_sqlite_file(path)


def test_unwritable_folder_is_reported_with_account_and_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_permission_error(**_options: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", raise_permission_error)
    with pytest.raises(startup_checks.UnusableData) as exc_info:
        startup_checks.check_folder(tmp_path)
    for arguments in (
        startup_checks.find_account_name(),
        str(tmp_path),
        "Permission denied",
        "DATA_DIR=",
    ):
        assert arguments in str(exc_info.value)


def test_unwritable_secret_key_is_reported_as_data_folder_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_args: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(environment, "_write_file_if_missing", refused)
    with pytest.raises(environment.DataFolderUnavailable, match="Read-only file system"):
        environment.load_secret_key({}, tmp_path)


@pytest.mark.parametrize(
    ("error", "expected_error"),
    [
        (CommandError("a newer version"), "a newer version"),
        (OperationalError("gone"), "The database doesn’t respond"),
        (OSError(28, "No space left on device"), "This computer’s disk is full"),
    ],
)
def test_failed_upgrade_ends_start_with_exit_code_three(
    error: Exception, expected_error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_error(*_args: Any, **_options: Any) -> None:
        raise error

    monkeypatch.setattr(laptop, "call_command", raise_error)
    monkeypatch.setattr(startup_checks, "check_folder", lambda *_args: None)
    with pytest.raises(laptop.StartupError, match=expected_error) as exc_info:
        laptop.prepare_data(
            should_create_demo=False, has_club=lambda: True, report_message=print
        )
    assert exc_info.value.exit_code == 3


def test_database_and_key_files_readable_by_others_are_made_private(tmp_path: Path) -> None:
    for name in ("overplay.sqlite3", "overplay-1.0-2026.sqlite3", "secret_key", "letter.txt"):
        write_database(tmp_path / name).chmod(0o644)
    startup_checks.check_folder(tmp_path)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes.pop("letter.txt") == 0o644
    assert set(modes.values()) == {0o600}
