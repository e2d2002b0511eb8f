"""Upgrades the database: checks it before and after, and undoes a failed upgrade.

The steps are: acquire a lock; check the version of the database; make a verified backup, also
for a new version without migrations; run the migrations; compare the schema with the expected
one; compare counts and digests of all rows that no migration may change. If other machines
serve pages then, their changes make the last step impossible. Then all steps are first run on a
restored copy of the backup, and only the schema of the real database is compared.
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
from server.backups import database_dumps, file_format
from server.backups.create import BackupFailed, BackupRequest, create_backup
from server.backups.digests import (
    ColumnsByTable,
    DatabaseDigest,
    compute_digest,
    list_models,
    list_table_models,
)
from server.backups.second_database import copy_settings, open_second_database
from server.backups.store import Backup
from server.command_line import format_command
from server.database_schema import DatabaseSchema
from server.database_version import StoredVersion, WrongDatabase
from server.databases import check_database, find_sqlite_file
from server.models import Installed
from server.startup_checks import find_account_name
from server.version import VERSION
from server.work_folders import create_work_folder

LOCK_TIMEOUT_SECONDS = 600
"""The time that a second machine waits for the upgrade of the first, in seconds."""
ADVISORY_LOCK_KEY = 0x0_0E4_91A4
"""The key of the PostgreSQL advisory lock for upgrades."""
PROGRAM_TABLES = frozenset(
    {"django_migrations", "django_content_type", "auth_permission", "server_installed"}
)
"""Tables that every upgrade changes."""

Say = Callable[[str], object]


def _report_nothing(_words: str) -> None:
    """Do nothing; the default of `say`."""


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    """The version before the upgrade, and the backup unless the version was the same."""

    previous_version: StoredVersion
    backup: Backup | None


def upgrade_database(
    connection: BaseDatabaseWrapper, report: Say = _report_nothing, *, start_empty: bool = False
) -> UpgradeResult:
    """Upgrade a database, or create it if it is empty; raise UnusableData.

    With `start_empty`, an empty database is created even if a good backup exists. A failed
    upgrade leaves an SQLite file unchanged. PostgreSQL applies each migration completely or not
    at all, and the error message explains how to restore the backup.
    """
    if path := find_sqlite_file(connection):
        startup_checks.check_file(path)
    with acquire_upgrade_lock(connection):
        stored_version = check_database(
            connection, start_empty=start_empty, compare_schema=True
        )
        if stored_version.is_empty:
            check_encoding(connection, stored_version)
            # recorded first, so that an interrupted start can continue
            database_version.record_version(connection, stored_version)
            _migrate()
            _record_upgrade(connection)
            return UpgradeResult(stored_version, None)
        if not stored_version.pending_migrations:
            # The earlier version rejects the database from here on, so it needs the backup.
            backup = _create_backup(connection) if stored_version.version != VERSION else None
            if backup or not Installed.objects.exists():
                _record_upgrade(connection)
            return UpgradeResult(stored_version, backup)
        return UpgradeResult(
            stored_version, _upgrade_with_backup(connection, stored_version, report)
        )


def check_encoding(connection: BaseDatabaseWrapper, stored_version: StoredVersion) -> None:
    """Raise WrongDatabase if an empty PostgreSQL database cannot store all characters."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (sample,) = cursor.fetchone()
    if sample != "UTF8":
        raise WrongDatabase(
            _(
                "The database %(name)s stores text as %(signs)s, which can't "
                "store every name. It's still empty. Delete it, then create "
                "it again with createdb --encoding UTF8 --template template0."
            )
            % {"name": stored_version.name, "signs": sample}
        )


@contextmanager
def acquire_upgrade_lock(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the upgrade lock during a `with` block.

    A second caller waits, and then finds nothing to do.
    """
    if connection.vendor == "postgresql":
        with open_second_database(copy_settings(connection)) as line, line.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [ADVISORY_LOCK_KEY])
            yield
        return
    file = Path(connection.settings_dict["NAME"]).parent / "upgrading.lock"
    with closing(sqlite3.connect(file, timeout=LOCK_TIMEOUT_SECONDS)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise WrongDatabase(
                _("Another program is upgrading %(folder)s (%(why)s).")
                % {"folder": file.parent, "why": error}
            ) from error
        yield


def _upgrade_with_backup(
    connection: BaseDatabaseWrapper, stored_version: StoredVersion, report: Say
) -> Backup:
    """Back up, migrate and check the database; undo the upgrade if that fails."""
    backup = _create_backup(connection)
    report(
        _("Backup %(file)s checked by a test restore: %(tables)d tables equal.")
        % {"file": backup.path, "tables": backup.note.tables if backup.note else 0}
    )
    columns = list_preserved_columns(connection, stored_version)
    old_digest = None
    if _is_served(connection):
        _rehearse_upgrade(connection, backup, columns, report)
    else:
        old_digest = compute_digest(connection, columns)
    try:
        _migrate()
        _check_result(connection, old_digest, columns)
    except Exception as error:
        raise WrongDatabase(_undo_upgrade(connection, stored_version, backup, error)) from error
    _record_upgrade(connection)
    return backup


def _is_served(connection: BaseDatabaseWrapper) -> bool:
    """Return whether other programs are connected to the database."""
    return (
        connection.vendor == "postgresql"
        and database_dumps.count_other_connections(connection) > 1
    )


def _rehearse_upgrade(
    connection: BaseDatabaseWrapper, backup: Backup, columns: ColumnsByTable, report: Say
) -> None:
    """Upgrade and check a restored copy of the backup, and delete the copy."""
    with create_work_folder(backup.path.parent, "trying") as work_folder:
        manifest = file_format.extract_backup(backup.path, work_folder)
        file = file_format.build_extracted_path(work_folder, manifest.database_member)
        try:
            with database_dumps.open_scratch_database(connection, file) as scratch_database:
                old_digest = compute_digest(scratch_database, columns)
                _migrate(scratch_database.alias)
                _check_result(scratch_database, old_digest, columns)
        except database_dumps.CannotCreateDatabase as error:
            report(_("Not tested on a copy first: %(why)s") % {"why": error})
            return
        except Exception as error:
            raise WrongDatabase(
                _(
                    "The upgrade to Overplay %(ours)s failed on a test copy: "
                    "%(why)s. Nothing was upgraded."
                )
                % {"ours": VERSION, "why": error}
            ) from error
    report(_("Other programs are using the database. The upgrade was tested on a copy first."))


def _create_backup(connection: BaseDatabaseWrapper) -> Backup:
    try:
        return create_backup(
            BackupRequest(kind="upgrade", folder=settings.BACKUP_DIR), connection
        )
    except BackupFailed as error:
        message = _("%(why)s Nothing was upgraded.")
        raise WrongDatabase(message % {"why": error}) from error


def list_preserved_columns(
    connection: BaseDatabaseWrapper, stored_version: StoredVersion
) -> ColumnsByTable:
    """Return the columns whose values an upgrade must not change, by table.

    They exist before and after it, and no pending migration lists them in `rewrites` as "table"
    or "table.column".
    """
    old_models, new_models = list_models(connection), list_table_models(apps)
    schema = database_schema.read_schema(
        connection, [model._meta.db_table for model in old_models]
    )
    shared_columns = _list_column_names(schema) & _list_column_names(
        database_schema.build_expected_schema(connection, new_models)
    )
    disk_migrations = MigrationLoader(connection).disk_migrations
    rewritten = {
        name
        for key in stored_version.pending_migrations
        for name in getattr(disk_migrations[key], "rewrites", ())
    }
    columns: dict[str, set[str]] = {}
    for table, name in shared_columns:
        if table not in PROGRAM_TABLES | rewritten and f"{table}.{name}" not in rewritten:
            columns.setdefault(table, set()).add(name)
    return {table: frozenset(names) for table, names in columns.items()}


def _list_column_names(schema: DatabaseSchema) -> set[tuple[str, str]]:
    return {(column.table, column.name) for column in schema.columns}


def _migrate(alias: str = DEFAULT_DB_ALIAS) -> None:
    call_command("migrate", database=alias, interactive=False, verbosity=0, upgrading=True)


def _check_result(
    connection: BaseDatabaseWrapper, old_digest: DatabaseDigest | None, columns: ColumnsByTable
) -> None:
    """Raise WrongDatabase unless the schema is the expected one and the rows are unchanged.

    Rows are not compared without `old_digest`, or if someone has signed in since.
    """
    models = list_table_models(apps)
    schema = database_schema.read_schema(connection, [model._meta.db_table for model in models])
    differences = database_schema.describe_differences(
        schema, database_schema.build_expected_schema(connection, models)
    )
    if old_digest is not None and not _is_served(connection):
        differences += old_digest.list_differences(compute_digest(connection, columns))
    if differences:
        raise WrongDatabase(
            _("these are wrong: %(what)s") % {"what": "; ".join(differences[:10])}
        )


def _undo_upgrade(
    connection: BaseDatabaseWrapper,
    previous: StoredVersion,
    backup: Backup,
    error: Exception,
) -> str:
    """Undo a failed upgrade as far as possible, and return a message with the next steps."""
    values = {"ours": VERSION, "theirs": previous.version, "why": error, "backup": backup.path}
    values["command"] = format_command(f"restore {backup.path}")
    connection.close()
    if connection.vendor != "sqlite":
        return (
            _(
                "The upgrade to Overplay %(ours)s failed: %(why)s. To go "
                "back, run %(command)s and start Overplay %(theirs)s."
            )
            % values
        )
    path = Path(previous.name)
    with create_work_folder(path.parent, "putting-back") as work_folder:
        manifest = file_format.extract_backup(backup.path, work_folder)
        for advice in (
            "-wal",
            "-shm",
        ):  # SQLite's log of the failed upgrade
            path.with_name(f"{path.name}{advice}").unlink(missing_ok=True)
        file_format.build_extracted_path(work_folder, manifest.database_member).replace(path)
    path.chmod(0o600)
    return (
        _(
            "The upgrade to Overplay %(ours)s failed: %(why)s. The "
            "database was restored. Start Overplay %(theirs)s again. A "
            "backup is in %(backup)s."
        )
        % values
    )


def _record_upgrade(connection: BaseDatabaseWrapper) -> None:
    """Record the version and the schema's fingerprint in the database."""
    database_version.record_version(connection, database_version.read_version(connection))
    tables = [model._meta.db_table for model in list_table_models(apps)]
    Installed.objects.using(connection.alias).create(
        version=VERSION,
        shape=database_schema.read_schema(connection, tables).fingerprint,
        at=timezone.now(),
        by=find_account_name()[:100],
    )
