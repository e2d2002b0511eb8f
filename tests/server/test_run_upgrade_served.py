"""A database in use by others is upgraded while they continue, after a trial on a copy."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections
from django.db.migrations.state import ProjectState

from server import database_version, run_upgrade
from server.migration_operations import LOCK_TRY_SECONDS, LockTables
from tests.databases import use_database
from tests.releases import stored

pytestmark = pytest.mark.services

LOCKED_TABLES_QUERY = """
SELECT count(DISTINCT relation) FROM pg_locks JOIN pg_class ON pg_class.oid = relation
WHERE mode = 'AccessExclusiveLock' AND relkind = 'r' AND pid = pg_backend_pid()
"""
WORKER_NAME = os.environ.get("PYTEST_XDIST_WORKER", "alone")


@pytest.fixture
def other_machine_connection(
    tmp_path: Path, settings: Any, django_db_blocker: Any
) -> Iterator[psycopg.Connection[Any]]:
    """Return the connection of a second machine's pages to the first release's night."""
    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = tmp_path / "backups"
    server = os.environ["DATABASE_URL"].rpartition("/")[0]
    name = f"test_overplay_served_{WORKER_NAME}"
    with (
        stored.load_on_postgres(stored.list_releases()[0], server, name) as database_settings,
        psycopg.connect(f"{server}/{name}", autocommit=True) as machine_connection,
        django_db_blocker.unblock(),
        use_database(database_settings),
    ):
        yield machine_connection


def list_names(line: psycopg.Connection[Any]) -> set[str]:
    return {name for (name,) in line.execute("SELECT name FROM clubs_player").fetchall()}


def test_concurrent_writes_survive_upgrade_without_error(
    other_machine_connection: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate = run_upgrade._migrate

    def rename_and_migrate(*alias: str) -> None:
        other_machine_connection.execute(
            "UPDATE clubs_player SET name = name || '!' WHERE name NOT LIKE '%!'"
        )
        migrate(*alias)

    monkeypatch.setattr(run_upgrade, "_migrate", rename_and_migrate)
    lines: list[str] = []
    process = run_upgrade.upgrade_database(connection, lines.append)
    assert process.backup is not None
    assert "tested on a copy first" in lines[-1]
    assert not database_version.read_version(connection).pending_migrations
    assert all(name.endswith("!") for name in list_names(other_machine_connection))


def test_upgrade_avoids_deadlock_with_reader_in_reverse_lock_order(
    other_machine_connection: psycopg.Connection[Any],
) -> None:
    """It reads the last table, then the first, which a migration would lock before it."""
    line, state = connections["default"], ProjectState()
    first, *middle_tables, last = sorted(line.introspection.table_names())
    has_started_reading = Event()

    def read_tables() -> bool:
        with other_machine_connection.transaction():
            other_machine_connection.execute(f"SELECT 1 FROM {last}")
            has_started_reading.set()
            time.sleep(3 * LOCK_TRY_SECONDS)
            other_machine_connection.execute(
                f"SELECT 1 FROM {first}"
            )  # a deadlock would raise here
        return True

    with ThreadPoolExecutor() as pool, line.schema_editor() as editor:
        reader_future = pool.submit(read_tables)
        assert has_started_reading.wait(30)
        LockTables().database_forwards("clubs", editor, state, state)
        assert reader_future.result(30)
        with line.cursor() as cursor:
            cursor.execute(LOCKED_TABLES_QUERY)
            assert cursor.fetchone() == (len(middle_tables) + 2,)


def test_failed_upgrade_of_test_copy_leaves_database_unchanged(
    other_machine_connection: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    names_before, migrate = list_names(other_machine_connection), run_upgrade._migrate

    def migrate_and_change_names(*alias: str) -> None:
        assert alias, "the database itself is not to be touched"
        migrate(*alias)
        with connections[alias[0]].cursor() as cursor:
            cursor.execute("UPDATE clubs_player SET name = name || '?'")

    monkeypatch.setattr(run_upgrade, "_migrate", migrate_and_change_names)
    with pytest.raises(
        CommandError, match=r"a test copy: .*clubs_player.* Nothing was upgraded"
    ):
        call_command("upgrade", verbosity=0)
    assert list_names(other_machine_connection) == names_before
    assert database_version.read_version(connection).pending_migrations
