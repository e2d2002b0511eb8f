"""Dump and load a database, with SQLite's backup API or with `pg_dump` and `pg_restore`."""

import os
import shutil
import sqlite3
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import gettext as _

from server.backups.digests import DatabaseDigest, compute_digest
from server.backups.second_database import (
    build_sqlite_settings,
    copy_database_settings,
    open_extra_connection,
)

DATABASE_MEMBERS_BY_VENDOR = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""The file name of the database in a backup, by database vendor."""
PROGRAM_TIMEOUT_SECONDS = 3600
"""The timeout of `pg_dump` and `pg_restore`, in seconds."""
MAX_SWAP_TRIES = 50
"""The maximum number of tries to rename two databases while pages reconnect to them."""


class DatabaseToolError(Exception):
    """Dumping or loading the database failed; the message gives the reason."""


class CannotCreateDatabase(DatabaseToolError):
    """This database login may not create a scratch database."""


def dump_database(connection: BaseDatabaseWrapper, dump_file: Path) -> DatabaseDigest:
    """Write a consistent copy of the database to a file and return its digest.

    It does not block writers. Raises DatabaseToolError.
    """
    if connection.vendor == "sqlite":
        return _copy_sqlite(Path(connection.settings_dict["NAME"]), dump_file)
    return _dump_postgres(connection, dump_file)


@contextmanager
def open_scratch_database(
    connection: BaseDatabaseWrapper, dump_file: Path
) -> Iterator[BaseDatabaseWrapper]:
    """Load a dump into a scratch database, yield its connection, and drop it afterwards.

    An SQLite file is opened directly. Raises DatabaseToolError if the file cannot be loaded,
    and CannotCreateDatabase if PostgreSQL does not allow this login to create a database.
    """
    if dump_file.name.endswith(".sqlite3"):
        check_sqlite_file(dump_file)
        with open_extra_connection(build_sqlite_settings(dump_file)) as scratch_database:
            yield scratch_database
        return
    scratch_name = f"{connection.settings_dict['NAME']}_scratch_{uuid.uuid4().hex[:6]}"
    create_database(connection, scratch_name)
    try:
        load_dump(connection, dump_file, scratch_name)
        with open_extra_connection(
            copy_database_settings(connection, scratch_name)
        ) as scratch_database:
            yield scratch_database
    finally:
        drop_database(connection, scratch_name)


def check_sqlite_file(database_file: Path) -> None:
    """Raise DatabaseToolError unless an SQLite file is intact with valid foreign keys."""
    try:
        with closing(sqlite3.connect(database_file)) as connection:
            integrity_result = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            broken_reference = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.Error as error:
        raise DatabaseToolError(str(error)) from error
    if integrity_result != "ok":
        raise DatabaseToolError(str(integrity_result)[:200])
    if broken_reference:
        raise DatabaseToolError(
            _("a row of %(table)s refers to a missing row") % {"table": broken_reference[0]}
        )


def count_dump_entries(dump_file: Path) -> int:
    """Return the number of entries in a PostgreSQL dump. Raises DatabaseToolError."""
    listing = _run_program(["pg_restore", "--list", str(dump_file)], os.environ.copy())
    return sum(1 for line in listing.splitlines() if line and not line.startswith(";"))


def create_database(connection: BaseDatabaseWrapper, database_name: str) -> None:
    """Create an empty database on the same server. Raises CannotCreateDatabase.

    The new database has the encoding and collation of the current one, not the server's
    defaults.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT format('ENCODING %%L LC_COLLATE %%L LC_CTYPE %%L', "
            "pg_encoding_to_char(encoding), datcollate, datctype) "
            "FROM pg_database WHERE datname = %s",
            [connection.settings_dict["NAME"]],
        )
        (locale_options,) = cursor.fetchone()
    try:
        _execute_on_server(
            connection, f'CREATE DATABASE "{database_name}" TEMPLATE template0 {locale_options}'
        )
    except DatabaseError as error:
        raise CannotCreateDatabase(str(error).strip()) from error


def drop_database(connection: BaseDatabaseWrapper, database_name: str) -> None:
    """Delete a database on the same server if it exists."""
    _execute_on_server(connection, f'DROP DATABASE IF EXISTS "{database_name}"')


def load_dump(connection: BaseDatabaseWrapper, dump_file: Path, database_name: str) -> None:
    """Load a dump into an empty database on the same server; raise DatabaseToolError."""
    command = [
        "pg_restore",
        "--no-owner",
        "--no-acl",
        "--exit-on-error",
        "--dbname",
        database_name,
    ]
    _run_program([*command, str(dump_file)], _build_environment(connection))


def swap_databases(connection: BaseDatabaseWrapper, restored_name: str, old_name: str) -> None:
    """Replace the current database by a restored one, in one transaction.

    All connections to the current database are closed. The current database is renamed to
    `old_name`.
    """
    current_name = connection.settings_dict["NAME"]
    connection.close()
    with (
        open_extra_connection(copy_database_settings(connection, "postgres")) as server,
        server.cursor() as cursor,
    ):
        for remaining_try_count in reversed(range(MAX_SWAP_TRIES)):
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                [current_name],
            )
            try:
                with transaction.atomic(using=server.alias):
                    cursor.execute(f'ALTER DATABASE "{current_name}" RENAME TO "{old_name}"')
                    cursor.execute(
                        f'ALTER DATABASE "{restored_name}" RENAME TO "{current_name}"'
                    )
                return
            except DatabaseError:  # a client reconnected after its connection was closed
                if not remaining_try_count:
                    raise


def count_other_connections(connection: BaseDatabaseWrapper) -> int:
    """Count other clients' connections to a PostgreSQL database, e.g. pages and workers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def _copy_sqlite(source_path: Path, copy_path: Path) -> DatabaseDigest:
    try:
        with (
            closing(sqlite3.connect(source_path)) as source_connection,
            closing(sqlite3.connect(copy_path)) as copy_connection,
        ):
            source_connection.backup(copy_connection)
    except sqlite3.Error as error:
        raise DatabaseToolError(str(error)) from error
    with open_extra_connection(build_sqlite_settings(copy_path)) as copied_database:
        return compute_digest(copied_database)


def _dump_postgres(connection: BaseDatabaseWrapper, dump_file: Path) -> DatabaseDigest:
    """Run `pg_dump` and compute the digest in the same database snapshot."""
    with (
        open_extra_connection(copy_database_settings(connection)) as second_connection,
        transaction.atomic(using=second_connection.alias),
        second_connection.cursor() as cursor,
    ):
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot_id = cursor.fetchone()[0]
        command = [
            "pg_dump",
            "--format=custom",
            f"--snapshot={snapshot_id}",
            "--no-owner",
            "--no-acl",
        ]
        database_name = str(connection.settings_dict["NAME"])
        _run_program(
            [*command, "--file", str(dump_file), "--dbname", database_name],
            _build_environment(connection),
        )
        return compute_digest(second_connection)


def _execute_on_server(connection: BaseDatabaseWrapper, sql: str) -> None:
    with (
        open_extra_connection(copy_database_settings(connection, "postgres")) as server,
        server.cursor() as cursor,
    ):
        cursor.execute(sql)


def _build_environment(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the environment variables with the connection's settings for `pg_dump`.

    A password in the environment is not visible in the process list.
    """
    database_settings: dict[str, Any] = connection.settings_dict
    values_by_variable = {
        "PGHOST": database_settings["HOST"],
        "PGPORT": str(database_settings["PORT"] or ""),
        "PGUSER": database_settings["USER"],
        "PGPASSWORD": database_settings["PASSWORD"],
        "PGSSLMODE": str(database_settings["OPTIONS"].get("sslmode", "")),
    }
    return {
        **os.environ,
        **{name: value for name, value in values_by_variable.items() if value},
    }


def _run_program(command: list[str], environment: dict[str, str]) -> str:
    program_path = shutil.which(command[0])
    if program_path is None:
        raise DatabaseToolError(
            _(
                "%(program)s not found. Install the PostgreSQL client "
                "programs (Debian: postgresql-client) and try again."
            )
            % {"program": command[0]}
        )
    try:
        process = subprocess.run(
            [program_path, *command[1:]],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PROGRAM_TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise DatabaseToolError(
            _("%(program)s took too long.") % {"program": command[0]}
        ) from error
    if process.returncode:
        raise DatabaseToolError(process.stderr.strip()[-300:] or command[0])
    return process.stdout


def get_default_connection() -> BaseDatabaseWrapper:
    """Return the connection to the database that the program uses."""
    return connections["default"]
