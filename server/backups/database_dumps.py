"""Dump and load of a whole database, with SQLite's backup API or `pg_dump` and `pg_restore`."""

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
    copy_settings,
    open_second_database,
)

DATABASE_MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""The file name of the database in a backup, by database vendor."""
PROGRAM_TIMEOUT_SECONDS = 3600
"""The timeout of `pg_dump` and `pg_restore`, in seconds."""
MAX_SWAP_TRIES = 50
"""The number of attempts to swap two databases while pages reconnect."""


class DatabaseToolError(Exception):
    """Dumping or loading the database failed; the message gives the reason."""


class CannotCreateDatabase(DatabaseToolError):
    """This database login may not create a scratch database."""


def dump_database(connection: BaseDatabaseWrapper, file: Path) -> DatabaseDigest:
    """Write a consistent copy of the database to a file and return its digest.

    It does not block writers. Raises DatabaseToolError.
    """
    if connection.vendor == "sqlite":
        return _copy_sqlite(Path(connection.settings_dict["NAME"]), file)
    return _dump_postgres(connection, file)


@contextmanager
def open_scratch_database(
    connection: BaseDatabaseWrapper, file: Path
) -> Iterator[BaseDatabaseWrapper]:
    """Load a dump into a scratch database, yield its connection, and drop it afterwards.

    An SQLite file is opened directly. Raises DatabaseToolError if the file cannot be loaded,
    and CannotCreateDatabase if PostgreSQL does not allow this login to create a database.
    """
    if file.name.endswith(".sqlite3"):
        check_sqlite_file(file)
        with open_second_database(build_sqlite_settings(file)) as opened:
            yield opened
        return
    name = f"{connection.settings_dict['NAME']}_scratch_{uuid.uuid4().hex[:6]}"
    create_database(connection, name)
    try:
        load_dump(connection, file, name)
        with open_second_database(copy_settings(connection, name)) as opened:
            yield opened
    finally:
        _execute_on_server(connection, f'DROP DATABASE IF EXISTS "{name}"')


def check_sqlite_file(file: Path) -> None:
    """Raise DatabaseToolError unless an SQLite file is intact with valid foreign keys."""
    try:
        with closing(sqlite3.connect(file)) as line:
            found = line.execute("PRAGMA integrity_check(1)").fetchone()[0]
            lost = line.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.Error as error:
        raise DatabaseToolError(str(error)) from error
    if found != "ok":
        raise DatabaseToolError(str(found)[:200])
    if lost:
        raise DatabaseToolError(
            _("a row of %(table)s refers to a missing row") % {"table": lost[0]}
        )


def count_dump_entries(file: Path) -> int:
    """Return the number of entries in a PostgreSQL dump.

    Raise DatabaseToolError if unreadable.
    """
    listed = _run_program(["pg_restore", "--list", str(file)], os.environ.copy())
    return sum(1 for line in listed.splitlines() if line and not line.startswith(";"))


def create_database(connection: BaseDatabaseWrapper, name: str) -> None:
    """Create an empty database on the same server.

    Raise CannotCreateDatabase if that is forbidden.

    It has the encoding and collation of the current database, not the server's defaults.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT format('ENCODING %%L LC_COLLATE %%L LC_CTYPE %%L', "
            "pg_encoding_to_char(encoding), datcollate, datctype) "
            "FROM pg_database WHERE datname = %s",
            [connection.settings_dict["NAME"]],
        )
        (as_there,) = cursor.fetchone()
    try:
        _execute_on_server(
            connection, f'CREATE DATABASE "{name}" TEMPLATE template0 {as_there}'
        )
    except DatabaseError as error:
        raise CannotCreateDatabase(str(error).strip()) from error


def load_dump(connection: BaseDatabaseWrapper, file: Path, name: str) -> None:
    """Load a dump into an empty database on the same server; raise DatabaseToolError."""
    words = ["pg_restore", "--no-owner", "--no-acl", "--exit-on-error", "--dbname", name]
    _run_program([*words, str(file)], _build_environment(connection))


def swap_databases(connection: BaseDatabaseWrapper, restored: str, aside: str) -> None:
    """Replace the current database by a restored one, in one transaction.

    All connections to the current database are closed. It is renamed to `aside`.
    """
    name = connection.settings_dict["NAME"]
    connection.close()
    with (
        open_second_database(copy_settings(connection, "postgres")) as server,
        server.cursor() as cursor,
    ):
        for left in reversed(range(MAX_SWAP_TRIES)):
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                [name],
            )
            try:
                with transaction.atomic(using=server.alias):
                    cursor.execute(f'ALTER DATABASE "{name}" RENAME TO "{aside}"')
                    cursor.execute(f'ALTER DATABASE "{restored}" RENAME TO "{name}"')
                return
            except DatabaseError:  # another client has reconnected first
                if not left:
                    raise


def count_other_connections(connection: BaseDatabaseWrapper) -> int:
    """Count other clients' connections to a PostgreSQL database, e.g. pages and workers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def _copy_sqlite(source: Path, file: Path) -> DatabaseDigest:
    try:
        with closing(sqlite3.connect(source)) as there, closing(sqlite3.connect(file)) as here:
            there.backup(here)
    except sqlite3.Error as error:
        raise DatabaseToolError(str(error)) from error
    with open_second_database(build_sqlite_settings(file)) as opened:
        return compute_digest(opened)


def _dump_postgres(connection: BaseDatabaseWrapper, file: Path) -> DatabaseDigest:
    """Run `pg_dump` and compute the digest on the same snapshot."""
    with (
        open_second_database(copy_settings(connection)) as line,
        transaction.atomic(using=line.alias),
        line.cursor() as cursor,
    ):
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        moment = cursor.fetchone()[0]
        words = ["pg_dump", "--format=custom", f"--snapshot={moment}", "--no-owner", "--no-acl"]
        name = str(connection.settings_dict["NAME"])
        _run_program(
            [*words, "--file", str(file), "--dbname", name], _build_environment(connection)
        )
        return compute_digest(line)


def _execute_on_server(connection: BaseDatabaseWrapper, sql: str) -> None:
    with (
        open_second_database(copy_settings(connection, "postgres")) as server,
        server.cursor() as cursor,
    ):
        cursor.execute(sql)


def _build_environment(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the environment for PostgreSQL's programs.

    It hides the password from the process list.
    """
    described: dict[str, Any] = connection.settings_dict
    named = {
        "PGHOST": described["HOST"],
        "PGPORT": str(described["PORT"] or ""),
        "PGUSER": described["USER"],
        "PGPASSWORD": described["PASSWORD"],
        "PGSSLMODE": str(described["OPTIONS"].get("sslmode", "")),
    }
    return {**os.environ, **{name: value for name, value in named.items() if value}}


def _run_program(words: list[str], environment: dict[str, str]) -> str:
    program = shutil.which(words[0])
    if program is None:
        raise DatabaseToolError(
            _(
                "%(program)s not found. Install the PostgreSQL client "
                "programs (Debian: postgresql-client) and try again."
            )
            % {"program": words[0]}
        )
    try:
        done = subprocess.run(
            [program, *words[1:]],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PROGRAM_TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise DatabaseToolError(
            _("%(program)s took too long.") % {"program": words[0]}
        ) from error
    if done.returncode:
        raise DatabaseToolError(done.stderr.strip()[-300:] or words[0])
    return done.stdout


def default_connection() -> BaseDatabaseWrapper:
    """Return the connection to the database that the program uses."""
    return connections["default"]
