"""The stored databases of releases, and how to open one with the current program.

A folder of `tests/releases` named like a version is a release: its database for SQLite and for
PostgreSQL, and its contents, as written by `store`. See docs/releasing.md.
"""

import json
import lzma
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from psycopg import sql

from config.environment import build_database_settings
from server.backups.digests import compute_digest
from tests.databases import build_sqlite_settings, use_database

RELEASES_FOLDER = Path(__file__).parent
VERSION_PATTERN = re.compile(r"\d+\.\d+(\.\d+)?")
MAX_RELEASE_BYTES = 2 * 1024 * 1024
"""The maximum size of one release in the repository, in bytes."""


@dataclass(frozen=True)
class Release:
    """One release: its version, and the folder with its data.

    `within` is the folder of a release that is not stored in `tests/releases`.
    """

    version: str
    external_folder: Path | None = None

    @property
    def folder(self) -> Path:
        return self.external_folder or RELEASES_FOLDER / self.version

    @property
    def size(self) -> int:
        """Return the size of all its files in bytes."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())

    @property
    def moment(self) -> datetime:
        """Return the end of its night, at which the database is read."""
        return datetime.fromisoformat(self.read_json("night")["moment"])

    def read_json(self, name: str) -> Any:
        """Read one of its lists: "night", "year", "migrations", "words"."""
        return json.loads((self.folder / f"{name}.json").read_text("utf-8"))

    @property
    def has_year(self) -> bool:
        """Return whether it has drives, seasons and rubbers; version 1.0 has none."""
        return (self.folder / "year.json").exists()

    def event_files(self) -> dict[str, Any]:
        """Read the exported files of its events, by slug."""
        files = sorted((self.folder / "events").glob("*.json"))
        return {file.stem: json.loads(file.read_text("utf-8")) for file in files}


def list_releases() -> list[Release]:
    """Return every release, the oldest first."""
    names = [
        path.name for path in RELEASES_FOLDER.iterdir() if VERSION_PATTERN.fullmatch(path.name)
    ]
    return [
        Release(name) for name in sorted(names, key=lambda item: [*map(int, item.split("."))])
    ]


def unpack_sqlite(release: Release, folder: Path) -> dict[str, Any]:
    """Unpack a release's SQLite file into a folder; return its database settings."""
    path = folder / "overplay.sqlite3"
    path.write_bytes(lzma.decompress((release.folder / "overplay.sqlite3.xz").read_bytes()))
    return build_sqlite_settings(path)


def upgrade_on_sqlite(release: Release, folder: Path) -> dict[str, Any]:
    """Put a release's upgraded SQLite file into a folder; return its database settings.

    Its migrations run once for all test processes; later ones wait. They run with an additional
    index in the file, as if someone had added it, which is removed afterwards. Only inside
    `django_db_blocker.unblock()`.
    """
    path = Path(os.environ["DATA_DIR"]) / f"brought-up-{release.version}.sqlite3"
    with exclusive_lock(path):
        upgrade_sqlite(release, path)
    shutil.copyfile(path, folder / "overplay.sqlite3")
    return build_sqlite_settings(folder / "overplay.sqlite3")


@contextmanager
def exclusive_lock(locked_path: Path) -> Iterator[None]:
    """Serialise the test processes: a later one finds the work done."""
    lock_connection = sqlite3.connect(
        locked_path.with_suffix(".lock"), timeout=300, isolation_level=None
    )
    with closing(lock_connection) as held:
        held.execute("BEGIN EXCLUSIVE")
        yield


def upgrade_sqlite(release: Release, upgraded_path: Path) -> None:
    if not upgraded_path.exists():
        work_folder = Path(tempfile.mkdtemp(dir=upgraded_path.parent))
        sqlite_settings = unpack_sqlite(release, work_folder)
        with (
            override_settings(BACKUP_DIR=work_folder / "backups"),
            use_database(sqlite_settings),
        ):
            execute_sql("CREATE INDEX mine ON clubs_player (name)")  # which does no harm
            call_command("upgrade", verbosity=0)
            execute_sql("DROP INDEX IF EXISTS mine")
            compute_digest(connection)  # the file changes to the journal mode of the program
        (work_folder / "overplay.sqlite3").replace(upgraded_path)
        shutil.rmtree(work_folder)


def execute_sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def list_columns(release: Release, folder: Path) -> set[str]:
    """Return every column of the tables that a release left, as table.column."""
    with closing(sqlite3.connect(unpack_sqlite(release, folder)["NAME"])) as connection:
        return {
            f"{table}.{column}"
            for (table,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchall()
            for _, column, *_ in connection.execute(f'PRAGMA table_info("{table}")')
        }


@contextmanager
def open_new_database(folder: Path, server: str, name: str) -> Iterator[None]:
    """Open a new database of this program, on PostgreSQL if a server is configured."""
    with ExitStack() as stack:
        if server:
            url = stack.enter_context(create_postgres_database(server, name))
            database_settings = build_database_settings({"DATABASE_URL": url}, folder)
        else:
            database_settings = build_sqlite_settings(folder / "new.sqlite3")
        stack.enter_context(use_database(database_settings))
        call_command("migrate", verbosity=0)
        yield


@contextmanager
def load_on_postgres(release: Release, server: str, name: str) -> Iterator[dict[str, Any]]:
    """Load a release's dump into a database of its own; return its settings."""
    with create_postgres_database(server, name) as url:
        sql_dump = lzma.decompress((release.folder / "overplay.sql.xz").read_bytes())
        with psycopg.connect(url, client_encoding="utf8") as connection:
            connection.execute(sql_dump)
        yield build_database_settings({"DATABASE_URL": url}, RELEASES_FOLDER)


@contextmanager
def upgrade_on_postgres(release: Release, server: str, name: str) -> Iterator[dict[str, Any]]:
    """Do the same as `upgrade_on_sqlite` on a server: copy the upgraded database.

    The upgraded one stays until the next run, which begins with its own (deploy/services.py).
    """
    kept = f"test_overplay_brought_up_{release.version.replace('.', '_')}"
    marker_path = Path(os.environ["DATA_DIR"]) / kept
    with exclusive_lock(marker_path), ExitStack() as stack:
        if not marker_path.exists():
            upgrade_postgres(release, server, kept)
            marker_path.touch()
        url = stack.enter_context(create_postgres_database(server, name, template=kept))
        remaining_stack = stack.pop_all()
    with remaining_stack:
        yield build_database_settings({"DATABASE_URL": url}, RELEASES_FOLDER)


def upgrade_postgres(release: Release, server: str, kept: str) -> None:
    new_name = f"{kept}_new"
    with (
        tempfile.TemporaryDirectory() as folder,
        load_on_postgres(release, server, new_name) as new_settings,
    ):
        with override_settings(BACKUP_DIR=Path(folder)), use_database(new_settings):
            call_command("upgrade", verbosity=0)
        with psycopg.connect(f"{server}/postgres", autocommit=True) as server_connection:
            server_connection.execute(_DROP_STATEMENT.format(sql.Identifier(kept)))
            rename_statement = sql.SQL("ALTER DATABASE {} RENAME TO {}")
            server_connection.execute(
                rename_statement.format(sql.Identifier(new_name), sql.Identifier(kept))
            )


_DROP_STATEMENT = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")


@contextmanager
def create_postgres_database(
    server: str, name: str, *, template: str = "template1"
) -> Iterator[str]:
    """Create a database on a server (`postgres://user@host:port`), and drop it afterwards."""
    drop_statement = _DROP_STATEMENT.format(sql.Identifier(name))
    create_statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(drop_statement)
        connection.execute(
            create_statement.format(sql.Identifier(name), sql.Identifier(template))
        )
        try:
            yield f"{server}/{name}"
        finally:
            connection.execute(drop_statement)
