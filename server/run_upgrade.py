"""Upgrade the database, and check it before and after.

After the migrations, the schema is compared with the expected one, and the rows that no
migration may change are compared by their digests. If other programs use the database, their
changes make the second comparison impossible. The upgrade is then first tested on a restored
copy of the backup.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, transaction
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
from server.backups.second_database import copy_database_settings, open_extra_connection
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
"""The time that a second machine waits for the first machine's upgrade, in seconds."""
ADVISORY_LOCK_KEY = 0x0_0E4_91A4
"""The key of the PostgreSQL advisory lock for upgrades."""
ALWAYS_CHANGED_TABLES = frozenset(
    {"django_migrations", "django_content_type", "auth_permission", "server_installed"}
)
"""Tables that every upgrade changes."""

Reporter = Callable[[str], object]


def _ignore_message(_message: str) -> None:
    """Do nothing; the default of `report_message`."""


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    """The version before the upgrade, and the backup.

    `backup` is None if the database was empty or already had the version of the program.
    """

    previous_version: StoredVersion
    backup: Backup | None


def upgrade_database(
    connection: BaseDatabaseWrapper,
    report_message: Reporter = _ignore_message,
    *,
    should_allow_empty: bool = False,
) -> UpgradeResult:
    """Upgrade a database, or create its tables if it is empty. Raises UnusableData.

    With `should_allow_empty`, an empty database is accepted even if a good backup exists. A
    failed upgrade leaves an SQLite file unchanged. On PostgreSQL only each single migration is
    atomic, so the error message explains how to restore the backup.
    """
    if path := find_sqlite_file(connection):
        startup_checks.check_sqlite_file(path)
    with acquire_upgrade_lock(connection):
        stored_version = check_database(
            connection, should_allow_empty=should_allow_empty, should_compare_schema=True
        )
        if stored_version.is_empty:
            check_encoding(connection, stored_version)
            with _run_in_transaction_on_sqlite(connection):
                # recorded first, so that an interrupted start can continue
                database_version.record_version(connection, stored_version)
                _migrate()
                _record_upgrade(connection)
            return UpgradeResult(stored_version, None)
        if not stored_version.pending_migrations:
            # the previous version will reject the database, so a backup is needed to go back
            backup = _create_backup(connection) if stored_version.version != VERSION else None
            if backup or not Installed.objects.exists():
                _record_upgrade(connection)
            return UpgradeResult(stored_version, backup)
        return UpgradeResult(
            stored_version, _upgrade_with_backup(connection, stored_version, report_message)
        )


def check_encoding(connection: BaseDatabaseWrapper, stored_version: StoredVersion) -> None:
    """Raise WrongDatabase if an empty PostgreSQL database cannot store all characters."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone()
    if encoding != "UTF8":
        raise WrongDatabase(
            _(
                "The database %(name)s stores text as %(signs)s, which can’t store every "
                "name. It’s still empty. Delete it, then create it again with createdb "
                "--encoding UTF8 --template template0."
            )
            % {"name": stored_version.name, "signs": encoding}
        )


@contextmanager
def acquire_upgrade_lock(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the upgrade lock during a `with` block.

    A second caller waits, and then finds nothing to do.
    """
    if connection.vendor == "postgresql":
        with (
            open_extra_connection(copy_database_settings(connection)) as lock_connection,
            lock_connection.cursor() as cursor,
        ):
            cursor.execute("SELECT pg_advisory_lock(%s)", [ADVISORY_LOCK_KEY])
            yield
        return
    lock_path = Path(connection.settings_dict["NAME"]).parent / "upgrading.lock"
    with closing(
        sqlite3.connect(lock_path, timeout=LOCK_TIMEOUT_SECONDS)
    ) as lock_file_connection:
        try:
            lock_file_connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise WrongDatabase(
                _("Another program is upgrading %(folder)s (%(why)s).")
                % {"folder": lock_path.parent, "why": error}
            ) from error
        yield


def _upgrade_with_backup(
    connection: BaseDatabaseWrapper, stored_version: StoredVersion, report_message: Reporter
) -> Backup:
    """Back up, migrate and check the database."""
    backup = _create_backup(connection)
    report_message(
        _("Backup %(file)s checked by a test restore: %(tables)d tables match.")
        % {"file": backup.path, "tables": backup.note.tables if backup.note else 0}
    )
    columns = list_preserved_columns(connection, stored_version)
    old_digest = None
    if _has_other_connections(connection):
        _rehearse_upgrade(connection, backup, columns, report_message)
    else:
        old_digest = compute_digest(connection, columns)
    try:
        with _run_in_transaction_on_sqlite(connection):
            _migrate()
            _check_upgraded_database(connection, old_digest, columns)
            _record_upgrade(connection)
    except Exception as error:
        connection.close()
        raise WrongDatabase(
            _describe_failure(connection, stored_version, backup, error)
        ) from error
    return backup


@contextmanager
def _run_in_transaction_on_sqlite(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Run a `with` block in one transaction on SQLite, so that it is atomic.

    There is no transaction on PostgreSQL, because other programs would wait for the locks
    during all migrations.
    """
    if connection.vendor != "sqlite":
        yield
        return
    # SQLite can't disable its checks of foreign keys inside a transaction
    with connection.constraint_checks_disabled(), transaction.atomic(using=connection.alias):
        yield


def _has_other_connections(connection: BaseDatabaseWrapper) -> bool:
    """Return whether other programs are connected to the database."""
    return (
        connection.vendor == "postgresql"
        and database_dumps.count_other_connections(connection) > 1
    )


def _rehearse_upgrade(
    connection: BaseDatabaseWrapper,
    backup: Backup,
    columns: ColumnsByTable,
    report_message: Reporter,
) -> None:
    """Upgrade and check a restored copy of the backup, and delete the copy."""
    with create_work_folder(backup.path.parent, "trying") as work_folder:
        manifest = file_format.extract_backup(backup.path, work_folder)
        database_file = file_format.build_extracted_path(
            work_folder, manifest.database_member_name
        )
        try:
            with database_dumps.open_scratch_database(
                connection, database_file
            ) as scratch_database:
                old_digest = compute_digest(scratch_database, columns)
                _migrate(scratch_database.alias)
                _check_upgraded_database(scratch_database, old_digest, columns)
        except database_dumps.CannotCreateDatabase as error:
            report_message(_("Not tested on a copy first: %(why)s") % {"why": error})
            return
        except Exception as error:
            raise WrongDatabase(
                _(
                    "The upgrade to Overplay %(ours)s failed on a test copy: "
                    "%(why)s. Nothing was upgraded."
                )
                % {"ours": VERSION, "why": error}
            ) from error
    report_message(
        _("Other programs are using the database. The upgrade was tested on a copy first.")
    )


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

    These columns exist before and after the upgrade, and no pending migration has their "table"
    or "table.column" in its attribute `rewrites`.
    """
    old_models, new_models = list_models(connection), list_table_models(apps)
    schema = database_schema.read_schema(
        connection, [model._meta.db_table for model in old_models]
    )
    shared_columns = _list_column_names(schema) & _list_column_names(
        database_schema.build_expected_schema(connection, new_models)
    )
    disk_migrations_by_key = MigrationLoader(connection).disk_migrations
    rewritten_column_names = {
        column_name
        for migration_key in stored_version.pending_migrations
        for column_name in getattr(disk_migrations_by_key[migration_key], "rewrites", ())
    }
    preserved_columns_by_table: dict[str, set[str]] = {}
    for table_name, column_name in shared_columns:
        if (
            table_name not in ALWAYS_CHANGED_TABLES | rewritten_column_names
            and f"{table_name}.{column_name}" not in rewritten_column_names
        ):
            preserved_columns_by_table.setdefault(table_name, set()).add(column_name)
    return {
        table_name: frozenset(column_names)
        for table_name, column_names in preserved_columns_by_table.items()
    }


def _list_column_names(schema: DatabaseSchema) -> set[tuple[str, str]]:
    return {(column.table, column.name) for column in schema.columns}


def _migrate(alias: str = DEFAULT_DB_ALIAS) -> None:
    call_command("migrate", database=alias, interactive=False, verbosity=0, upgrading=True)


def _check_upgraded_database(
    connection: BaseDatabaseWrapper, old_digest: DatabaseDigest | None, columns: ColumnsByTable
) -> None:
    """Raise WrongDatabase unless the schema is the expected one and the rows are unchanged.

    Rows are not compared without `old_digest`, or if other programs use the database, because
    these may have changed rows after the digest was computed.
    """
    models = list_table_models(apps)
    schema = database_schema.read_schema(connection, [model._meta.db_table for model in models])
    differences = database_schema.describe_differences(
        schema, database_schema.build_expected_schema(connection, models)
    )
    if old_digest is not None and not _has_other_connections(connection):
        differences += old_digest.list_differences(compute_digest(connection, columns))
    if differences:
        raise WrongDatabase(
            _("these are wrong: %(what)s") % {"what": "; ".join(differences[:10])}
        )


def _describe_failure(
    connection: BaseDatabaseWrapper,
    previous_version: StoredVersion,
    backup: Backup,
    error: Exception,
) -> str:
    """Return the message of a failed upgrade, with the next steps."""
    placeholders = {
        "ours": VERSION,
        "theirs": previous_version.version,
        "why": error,
        "backup": backup.path,
        "command": format_command(f"restore {backup.path}"),
    }
    if connection.vendor != "sqlite":
        return (
            _(
                "The upgrade to Overplay %(ours)s failed: %(why)s. To go "
                "back, run %(command)s and start Overplay %(theirs)s."
            )
            % placeholders
        )
    return (
        _(
            "The upgrade to Overplay %(ours)s failed: %(why)s. Nothing was "
            "changed. Start Overplay %(theirs)s again. A backup is in "
            "%(backup)s."
        )
        % placeholders
    )


def _record_upgrade(connection: BaseDatabaseWrapper) -> None:
    """Record the version and the schema's fingerprint in the database.

    They are recorded in one transaction, because the next upgrade does nothing once the version
    is recorded.
    """
    table_names = [model._meta.db_table for model in list_table_models(apps)]
    with transaction.atomic(using=connection.alias):
        database_version.record_version(connection, database_version.read_version(connection))
        Installed.objects.using(connection.alias).create(
            version=VERSION,
            shape=database_schema.read_schema(connection, table_names).fingerprint,
            at=timezone.now(),
            by=find_account_name()[:100],
        )
