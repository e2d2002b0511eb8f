"""Dump and load of a whole database: SQLite's own backup, PostgreSQL's `pg_dump`."""

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

from server.backups.digests import Digest, digest
from server.backups.second_database import open_second_database, settings_like, sqlite_settings

MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""The name of the database inside a backup, by engine."""
PROGRAM_TIMEOUT_SECONDS = 3600
"""Seconds that PostgreSQL's programs may take."""
MAX_SWAP_TRIES = 50
"""Attempts to swap the names of two databases while pages reconnect."""


class EngineTrouble(Exception):
    """A dump or a load of the database failed; the text says why."""


class CannotProve(EngineTrouble):
    """This login may not create a scratch database, so the file can only be listed."""


def copy_out(connection: BaseDatabaseWrapper, file: Path) -> Digest:
    """Write a consistent copy of the database into a file and return its digest.

    Writers are not blocked. Raises EngineTrouble.
    """
    if connection.vendor == "sqlite":
        return _copy_sqlite(Path(connection.settings_dict["NAME"]), file)
    return _dump(connection, file)


@contextmanager
def scratch(connection: BaseDatabaseWrapper, file: Path) -> Iterator[BaseDatabaseWrapper]:
    """Load a file into a private database, which is dropped afterwards.

    An SQLite file is used directly. Raises EngineTrouble for a file that cannot be loaded,
    CannotProve if PostgreSQL does not allow this login to create a database.
    """
    if file.name.endswith(".sqlite3"):
        check_sqlite(file)
        with open_second_database(sqlite_settings(file)) as opened:
            yield opened
        return
    name = f"{connection.settings_dict['NAME']}_scratch_{uuid.uuid4().hex[:6]}"
    make_database(connection, name)
    try:
        load(connection, file, name)
        with open_second_database(settings_like(connection, name)) as opened:
            yield opened
    finally:
        _at_the_server(connection, f'DROP DATABASE IF EXISTS "{name}"')


def check_sqlite(file: Path) -> None:
    """Raise EngineTrouble unless SQLite can read the whole file and its keys are valid."""
    try:
        with closing(sqlite3.connect(file)) as line:
            found = line.execute("PRAGMA integrity_check(1)").fetchone()[0]
            lost = line.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.Error as error:
        raise EngineTrouble(str(error)) from error
    if found != "ok":
        raise EngineTrouble(str(found)[:200])
    if lost:
        raise EngineTrouble(_("a row of %(table)s leads nowhere") % {"table": lost[0]})


def list_dump(file: Path) -> int:
    """Return the number of entries in a PostgreSQL dump; raise EngineTrouble if unreadable."""
    listed = _run(["pg_restore", "--list", str(file)], os.environ.copy())
    return sum(1 for line in listed.splitlines() if line and not line.startswith(";"))


def make_database(connection: BaseDatabaseWrapper, name: str) -> None:
    """Create an empty database on the same server; raise CannotProve if that is forbidden.

    Its encoding and collation are those of the database in use, not the server's defaults.
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
        _at_the_server(connection, f'CREATE DATABASE "{name}" TEMPLATE template0 {as_there}')
    except DatabaseError as error:
        raise CannotProve(str(error).strip()) from error


def load(connection: BaseDatabaseWrapper, file: Path, name: str) -> None:
    """Load a dump into an empty database of the same server; raise EngineTrouble."""
    words = ["pg_restore", "--no-owner", "--no-acl", "--exit-on-error", "--dbname", name]
    _run([*words, str(file)], _environment(connection))


def swap_databases(connection: BaseDatabaseWrapper, restored: str, aside: str) -> None:
    """Replace the database in use by a restored one, in one step.

    Connections to it are closed. The old database is renamed to `aside`.
    """
    name = connection.settings_dict["NAME"]
    connection.close()
    with (
        open_second_database(settings_like(connection, "postgres")) as server,
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
    """Count the other connections to a PostgreSQL database: running pages and workers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def _copy_sqlite(source: Path, file: Path) -> Digest:
    try:
        with closing(sqlite3.connect(source)) as there, closing(sqlite3.connect(file)) as here:
            there.backup(here)
    except sqlite3.Error as error:
        raise EngineTrouble(str(error)) from error
    with open_second_database(sqlite_settings(file)) as opened:
        return digest(opened)


def _dump(connection: BaseDatabaseWrapper, file: Path) -> Digest:
    """Run `pg_dump` and the digest on the same snapshot."""
    with (
        open_second_database(settings_like(connection)) as line,
        transaction.atomic(using=line.alias),
        line.cursor() as cursor,
    ):
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        moment = cursor.fetchone()[0]
        words = ["pg_dump", "--format=custom", f"--snapshot={moment}", "--no-owner", "--no-acl"]
        name = str(connection.settings_dict["NAME"])
        _run([*words, "--file", str(file), "--dbname", name], _environment(connection))
        return digest(line)


def _at_the_server(connection: BaseDatabaseWrapper, asked: str) -> None:
    with (
        open_second_database(settings_like(connection, "postgres")) as server,
        server.cursor() as cursor,
    ):
        cursor.execute(asked)


def _environment(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the environment for PostgreSQL's programs, so no password is on a command line."""
    described: dict[str, Any] = connection.settings_dict
    named = {
        "PGHOST": described["HOST"],
        "PGPORT": str(described["PORT"] or ""),
        "PGUSER": described["USER"],
        "PGPASSWORD": described["PASSWORD"],
        "PGSSLMODE": str(described["OPTIONS"].get("sslmode", "")),
    }
    return {**os.environ, **{name: value for name, value in named.items() if value}}


def _run(words: list[str], environment: dict[str, str]) -> str:
    program = shutil.which(words[0])
    if program is None:
        raise EngineTrouble(
            _(
                "%(program)s was not found. It belongs to PostgreSQL: install its client "
                "programs (on Debian the package postgresql-client) and try again."
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
        raise EngineTrouble(_("%(program)s took too long.") % {"program": words[0]}) from error
    if done.returncode:
        raise EngineTrouble(done.stderr.strip()[-300:] or words[0])
    return done.stdout


def default_connection() -> BaseDatabaseWrapper:
    """Return the connection to the database that the program uses."""
    return connections["default"]
