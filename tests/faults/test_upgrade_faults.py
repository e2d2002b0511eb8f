"""A fault at any statement of an upgrade leaves a database that the next one completes.

On SQLite, it leaves the rows of the old version. After a kill, SQLite finds its files as they
were at that moment. So one upgrade, which copies them before each statement, shows the result
of every kill.
"""

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection

from server import database_version, run_upgrade
from server.backups.digests import compute_digest
from server.database_version import WrongDatabase
from tests.databases import use_database
from tests.releases import stored

CHANGE_PATTERN = re.compile("(INSERT|UPDATE|DELETE|CREATE|ALTER|DROP) ")


@pytest.fixture
def file(tmp_path: Path, settings: Any, django_db_blocker: Any) -> Iterator[Path]:
    """Return the first release's SQLite file, with all later migrations pending."""
    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = tmp_path / "backups"
    database_settings = stored.unpack_sqlite(stored.list_releases()[0], tmp_path)
    with django_db_blocker.unblock(), use_database(database_settings):
        yield tmp_path / "overplay.sqlite3"


def read_file(file: Path) -> str:
    """Return all tables and rows of an SQLite file."""
    with closing(sqlite3.connect(file)) as database:
        return "\n".join(database.iterdump())


def copy_as_killed(file: Path, folder: Path) -> Path:
    """Copy the files that a process leaves if it is killed now."""
    for suffix in ("", "-wal"):
        (copy := folder / f"{file.name}{suffix}").unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            shutil.copyfile(file.with_name(copy.name), copy)
    (folder / f"{file.name}-shm").unlink(missing_ok=True)
    return folder / file.name


@contextmanager
def call_before_each_change(call: Callable[[int], object]) -> Iterator[None]:
    """Call a function before each statement that changes rows or tables, with its number."""
    count = 0

    def execute(run: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        nonlocal count
        if CHANGE_PATTERN.match(sql):
            count += 1
            call(count)
        return run(sql, *arguments)

    with connection.execute_wrapper(execute):
        yield


@pytest.mark.slow
def test_failed_upgrade_keeps_the_old_rows_and_the_next_upgrade_works(file: Path) -> None:
    (folder := file.parent / "killed").mkdir()
    original_bytes, content_before, statements = (
        copy_as_killed(file, folder).read_bytes(),
        read_file(file),
        0,
    )

    def check_killed_copy(number: int) -> None:
        nonlocal statements
        statements = number
        assert read_file(copy_as_killed(file, folder)) == content_before, f"statement {number}"

    with call_before_each_change(check_killed_copy):
        run_upgrade.upgrade_database(connection)
    connection.close()
    assert read_file(file) != content_before

    file.write_bytes(original_bytes)
    for failed_number in (1, statements // 2, statements):
        with call_before_each_change(partial(fail_at_statement, failed_number)):
            with pytest.raises(WrongDatabase, match="disk I/O error"):
                run_upgrade.upgrade_database(connection)
        assert read_file(file) == content_before
    run_upgrade.upgrade_database(connection)
    assert not database_version.read_version(connection).pending_migrations
    print(f"{statements} kills")  # noqa: T201 - the number of kills


def fail_at_statement(failed_number: int, number: int) -> None:
    if number == failed_number:
        raise OperationalError("disk I/O error")


def lose_connection(lost_number: int, number: int) -> None:
    """Close the connection of a program that is killed before a statement."""
    if number == lost_number:
        connection.connection.close()


@pytest.mark.services
def test_next_upgrade_completes_killed_ones_on_postgresql(
    tmp_path: Path, settings: Any, django_db_blocker: Any
) -> None:
    settings.DATA_DIR, settings.BACKUP_DIR = tmp_path, tmp_path / "backups"
    server = os.environ["DATABASE_URL"].rpartition("/")[0]
    name = f"test_overplay_killed_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    release = stored.list_releases()[0]
    with (
        stored.load_on_postgres(release, server, name) as database_settings,
        django_db_blocker.unblock(),
    ):
        with use_database(database_settings):
            version = database_version.read_version(connection)
            columns = run_upgrade.list_preserved_columns(connection, version)
            digest_before = compute_digest(connection, columns)
        for lost_number in (1, 40, 80):
            with (
                use_database(database_settings),  # a new connection, like a new process
                call_before_each_change(partial(lose_connection, lost_number)),
                pytest.raises(WrongDatabase, match="the connection is closed"),
            ):
                run_upgrade.upgrade_database(connection)
        with use_database(database_settings):
            assert database_version.read_version(connection).pending_migrations
            run_upgrade.upgrade_database(connection)
            assert not database_version.read_version(connection).pending_migrations
            assert digest_before.list_differences(compute_digest(connection, columns)) == []
