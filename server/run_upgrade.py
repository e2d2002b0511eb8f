"""Upgrade of the database: checked before and after, and undone if it fails.

In this order: a lock; a check that this program knows the database; a verified backup; the
migrations; the expected schema; and a comparison of counts and digests of all rows that no
migration was to change. If other machines serve pages at the same time, rows change anyway:
then all of this is done with the restored backup first, and of the real database only the
schema is checked.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.translation import gettext as _

from server import database_schema, database_version, startup_checks
from server.backups import engines, packing
from server.backups.digests import Columns, Digest, digest, models_of, tables_of
from server.backups.making import NoBackup, Wish, make_backup
from server.backups.second_database import open_second_database, settings_like
from server.backups.store import Kept
from server.command_line import command
from server.database_schema import Schema
from server.database_version import Stored, WrongDatabase
from server.databases import check_database, file_of
from server.models import Installed
from server.startup_checks import account_name
from server.version import VERSION
from server.work_folders import work_folder

LOCK_TIMEOUT_SECONDS = 600
"""Seconds that a second machine waits for the first one's upgrade."""
ADVISORY = 0x0_0E4_91A4
"""The key of our PostgreSQL advisory lock."""
OF_THE_PROGRAM = frozenset(
    {"django_migrations", "django_content_type", "auth_permission", "server_installed"}
)
"""Tables that every upgrade writes to."""

Say = Callable[[str], object]


def _silent(_words: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Upgraded:
    """The result of an upgrade: the state before, and the backup if anything changed."""

    before: Stored
    backup: Kept | None


def upgrade_database(
    connection: BaseDatabaseWrapper, say: Say = _silent, *, start_empty: bool = False
) -> Upgraded:
    """Upgrade a database, or create it if it is empty; raise Unusable.

    With `start_empty` an empty database is created even if a good backup exists. After a
    refusal or a failure an SQLite file is unchanged. PostgreSQL applies each migration
    completely or not at all, and the message says how to restore the backup.
    """
    if path := file_of(connection):
        startup_checks.check_file(path)
    with upgrade_lock(connection):
        stored = check_database(connection, start_empty=start_empty, compare_shape=True)
        if stored.is_empty:
            refuse_narrow_encoding(connection, stored)
            # marked first, so that an interrupted start can continue
            database_version.record_version(connection, stored)
            _migrate()
            _note(connection)
            return Upgraded(stored, None)
        if not stored.lacking:
            if stored.version != VERSION or not Installed.objects.exists():
                _note(connection)
            return Upgraded(stored, None)
        return Upgraded(stored, _upgrade(connection, stored, say))


def refuse_narrow_encoding(connection: BaseDatabaseWrapper, stored: Stored) -> None:
    """Raise WrongDatabase for an empty PostgreSQL database that cannot store every letter."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (signs,) = cursor.fetchone()
    if signs != "UTF8":
        raise WrongDatabase(
            _(
                "The database %(name)s keeps its text as %(signs)s, which does not hold every "
                "name. It is empty still: drop it, and make it again with createdb --encoding "
                "UTF8 --template template0."
            )
            % {"name": stored.name, "signs": signs}
        )


@contextmanager
def upgrade_lock(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Acquire the upgrade lock; a second caller waits, and then finds nothing to do."""
    if connection.vendor == "postgresql":
        with open_second_database(settings_like(connection)) as line, line.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [ADVISORY])
            yield
        return
    file = Path(connection.settings_dict["NAME"]).parent / "upgrading.lock"
    with closing(sqlite3.connect(file, timeout=LOCK_TIMEOUT_SECONDS)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise WrongDatabase(
                _("Another program is bringing %(folder)s up to date (%(why)s).")
                % {"folder": file.parent, "why": error}
            ) from error
        yield


def _upgrade(connection: BaseDatabaseWrapper, stored: Stored, say: Say) -> Kept:
    """Back up, migrate and compare; undo a wrong result."""
    backup = _backed_up(connection)
    say(
        _("The backup %(file)s was restored and compared: %(tables)d tables equal.")
        % {"file": backup.path, "tables": backup.note.tables if backup.note else 0}
    )
    columns = columns_to_preserve(connection, stored)
    before = None
    if _is_served(connection):
        _try_beside(connection, backup, columns, say)
    else:
        before = digest(connection, columns)
    try:
        _migrate()
        _compare(connection, before, columns)
    except Exception as error:
        raise WrongDatabase(_put_back(connection, stored, backup, error)) from error
    _note(connection)
    return backup


def _is_served(connection: BaseDatabaseWrapper) -> bool:
    """Return whether there are other connections to the database than this and the lock's."""
    return connection.vendor == "postgresql" and engines.count_other_connections(connection) > 1


def _try_beside(
    connection: BaseDatabaseWrapper, backup: Kept, columns: Columns, say: Say
) -> None:
    """Upgrade the restored backup, to which nothing else writes, and delete it."""
    with work_folder(backup.path.parent, "trying") as work:
        manifest = packing.unpack(backup.path, work)
        file = packing.extracted_path(work, manifest.database)
        try:
            with engines.scratch(connection, file) as restored:
                before = digest(restored, columns)
                _migrate(restored.alias)
                _compare(restored, before, columns)
        except engines.CannotProve as error:
            say(_("It was not tried with a copy first: %(why)s") % {"why": error})
            return
        except Exception as error:
            raise WrongDatabase(
                _(
                    "The upgrade to Overplay %(ours)s was tried with a copy and did not "
                    "succeed: %(why)s. Nothing was upgraded."
                )
                % {"ours": VERSION, "why": error}
            ) from error
    say(_("Others are at work in the database; the upgrade was tried with a copy first."))


def _backed_up(connection: BaseDatabaseWrapper) -> Kept:
    try:
        return make_backup(Wish(kind="upgrade", folder=settings.BACKUP_DIR), connection)
    except NoBackup as error:
        words = _("%(why)s Nothing was upgraded.")
        raise WrongDatabase(words % {"why": error}) from error


def columns_to_preserve(connection: BaseDatabaseWrapper, stored: Stored) -> Columns:
    """Return the columns that an upgrade must not change, by table.

    They exist before and after it, and no pending migration names them in `rewrites` ("table"
    or "table.column").
    """
    there, wanted = models_of(connection), tables_of(apps)
    found = database_schema.read_schema(connection, [model._meta.db_table for model in there])
    stays = _names(found) & _names(database_schema.expected_schema(connection, wanted))
    known = MigrationLoader(connection).disk_migrations
    rewritten = {name for key in stored.lacking for name in getattr(known[key], "rewrites", ())}
    columns: dict[str, set[str]] = {}
    for table, name in stays:
        if table not in OF_THE_PROGRAM | rewritten and f"{table}.{name}" not in rewritten:
            columns.setdefault(table, set()).add(name)
    return {table: frozenset(names) for table, names in columns.items()}


def _names(found: Schema) -> set[tuple[str, str]]:
    return {(column.table, column.name) for column in found.columns}


def _migrate(alias: str = DEFAULT_DB_ALIAS) -> None:
    call_command("migrate", database=alias, interactive=False, verbosity=0, upgrading=True)


def _compare(connection: BaseDatabaseWrapper, before: Digest | None, columns: Columns) -> None:
    """Raise WrongDatabase unless the schema is the expected one and the rows are unchanged.

    Rows are not compared without `before`, or if someone signed in since.
    """
    models = tables_of(apps)
    found = database_schema.read_schema(connection, [model._meta.db_table for model in models])
    wrong = database_schema.describe_differences(
        found, database_schema.expected_schema(connection, models)
    )
    if before is not None and not _is_served(connection):
        wrong += before.differing(digest(connection, columns))
    if wrong:
        raise WrongDatabase(
            _("these are not as they must be: %(what)s") % {"what": "; ".join(wrong[:10])}
        )


def _put_back(
    connection: BaseDatabaseWrapper,
    stored: Stored,
    backup: Kept,
    error: Exception,
) -> str:
    """Undo a failed upgrade as far as possible; return what was done and what to do."""
    named = {"ours": VERSION, "theirs": stored.version, "why": error, "backup": backup.path}
    named["command"] = command(f"restore {backup.path}")
    connection.close()
    if connection.vendor != "sqlite":
        return (
            _(
                "The upgrade to Overplay %(ours)s did not succeed: %(why)s. To go back, start "
                "Overplay %(theirs)s after: %(command)s"
            )
            % named
        )
    path = Path(stored.name)
    with work_folder(path.parent, "putting-back") as work:
        manifest = packing.unpack(backup.path, work)
        for rest in (
            "-wal",
            "-shm",
        ):  # the log of the failed upgrade
            path.with_name(f"{path.name}{rest}").unlink(missing_ok=True)
        packing.extracted_path(work, manifest.database).replace(path)
    path.chmod(0o600)
    return (
        _(
            "The upgrade to Overplay %(ours)s did not succeed: %(why)s. The database was put "
            "back and is as it was: start Overplay %(theirs)s again. A backup is kept in "
            "%(backup)s."
        )
        % named
    )


def _note(connection: BaseDatabaseWrapper) -> None:
    """Record the version and the schema's fingerprint."""
    database_version.record_version(connection, database_version.read_version(connection))
    tables = [model._meta.db_table for model in tables_of(apps)]
    Installed.objects.using(connection.alias).create(
        version=VERSION,
        shape=database_schema.read_schema(connection, tables).fingerprint,
        at=timezone.now(),
        by=account_name()[:100],
    )
