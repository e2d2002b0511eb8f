"""Replace all data by a backup, completely or not at all.

The backup is first restored into a second database, and the data is compared with the manifest.
The second database then replaces the current one in one step. The old data is kept.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from django.utils.translation import gettext as _

from server import database_schema, database_version, keys
from server.backups import database_dumps, file_format
from server.backups.create import compute_secret_key_id
from server.backups.database_dumps import DatabaseToolError
from server.backups.digests import compute_digest, list_models
from server.backups.file_format import KEY_MEMBER, MEDIA_PREFIX, OLD_KEYS_MEMBER, BackupManifest
from server.backups.second_database import (
    build_sqlite_settings,
    copy_database_settings,
    open_extra_connection,
)
from server.work_folders import create_work_folder

TABLES_TO_EMPTY = ("django_session", "server_worker", "server_signin", "server_wrongtry")
"""Tables that are emptied, since their rows are only valid while the program runs."""
RESET_JOBS_SQL = (
    "UPDATE server_job SET state = 'wanted', lease_until = NULL WHERE state = 'doing'"
)

CheckFunction = Callable[[], object]


class RestoreRefused(Exception):
    """Nothing was restored. The message gives the reason and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreResult:
    """The result of a restore.

    `old_data_name` is the path of the old SQLite file, or the name of the old database.
    `has_other_key` is whether the backup was made with another secret key.
    """

    manifest: BackupManifest
    old_data_name: str
    has_other_key: bool


def check_backup(path: Path, passphrase: str = "") -> BackupManifest:
    """Check a backup with a test restore and return its manifest; nothing is changed.

    Raises InvalidBackup and RestoreRefused.
    """
    with _open_verified_backup(path, passphrase) as (manifest, _folder, _database_file):
        return manifest


def restore_backup(
    path: Path, passphrase: str = "", *, check_no_other_processes: CheckFunction = lambda: None
) -> RestoreResult:
    """Replace the current database and files by those of a backup.

    `check_no_other_processes` is called first; it raises RestoreRefused if page processes or
    workers are running. Also raises InvalidBackup.
    """
    connection = database_dumps.get_default_connection()
    with _open_verified_backup(path, passphrase) as (manifest, folder, database_file):
        if manifest.vendor != connection.vendor:
            raise RestoreRefused(
                _(
                    "This backup is from %(theirs)s, but this program uses "
                    "%(ours)s. Set DATABASE_URL to a %(theirs)s database and "
                    "restore there."
                )
                % {"theirs": manifest.vendor, "ours": connection.vendor}
            )
        check_no_other_processes()
        timestamp = timezone.now().strftime("%Y-%m-%d-%H%M%S")
        try:
            # The swap of the databases is last. Until then, the old database still works:
            # restored files overwrite none of its files, and the old key remains valid.
            _restore_media(manifest, folder)
            is_key_restored = _restore_key(manifest, folder, timestamp)
            if connection.vendor == "sqlite":
                old_data_name = _swap_database_file(
                    connection, database_file, f"before-restore-{timestamp}"
                )
            else:
                old_data_name = _swap_database(connection, database_file, timestamp)
        except OSError as error:
            raise RestoreRefused(_describe_disk_error(error)) from error
    has_other_key = not is_key_restored and manifest.key_id != compute_secret_key_id()
    return RestoreResult(
        manifest=manifest, old_data_name=old_data_name, has_other_key=has_other_key
    )


@contextmanager
def _open_verified_backup(
    path: Path, passphrase: str
) -> Iterator[tuple[BackupManifest, Path, Path]]:
    """Extract and verify a backup; yield its manifest, its folder and its database file."""
    connection = database_dumps.get_default_connection()
    if not path.is_file():
        raise RestoreRefused(_("%(file)s not found.") % {"file": path})
    with ExitStack() as stack:
        try:
            work_folder = stack.enter_context(
                create_work_folder(settings.DATA_DIR, "restoring")
            )
            manifest = file_format.extract_backup(path, work_folder, passphrase)
            database_file = file_format.build_extracted_path(
                work_folder, manifest.database_member_name
            )
            _check_database(connection, manifest, database_file)
        except OSError as error:
            raise RestoreRefused(_describe_disk_error(error)) from error
        yield manifest, work_folder, database_file


def _describe_disk_error(error: OSError) -> str:
    return _("Can’t unpack the backup in %(folder)s: %(why)s.") % {
        "folder": settings.DATA_DIR,
        "why": error.strerror or error,
    }


def _check_database(
    connection: BaseDatabaseWrapper, manifest: BackupManifest, database_file: Path
) -> None:
    """Raise RestoreRefused if the version is unsupported or the data differs from the manifest.

    If the dump cannot be loaded here (no PostgreSQL, or no permission to create a database),
    only its entries are counted.
    """
    if manifest.vendor == "postgresql" and connection.vendor != "postgresql":
        database_dumps.count_dump_entries(database_file)
        return
    try:
        with database_dumps.open_scratch_database(
            connection, database_file
        ) as scratch_database:
            stored_version = database_version.read_version(scratch_database)
            database_version.check_known_version(stored_version)
            _check_schema(scratch_database, manifest)
            table_differences = manifest.digest.list_differences(
                compute_digest(scratch_database)
            )
    except database_dumps.CannotCreateDatabase:
        database_dumps.count_dump_entries(database_file)
        return
    except (DatabaseToolError, DatabaseError, database_version.WrongDatabase) as error:
        raise RestoreRefused(str(error)) from error
    if table_differences:
        raise RestoreRefused(
            _("The backup has changed since it was made. Different: %(tables)s.")
            % {"tables": ", ".join(table_differences)}
        )


def _check_schema(scratch_database: BaseDatabaseWrapper, manifest: BackupManifest) -> None:
    """Raise RestoreRefused unless the restored schema has the fingerprint in the manifest."""
    table_names = [model._meta.db_table for model in list_models(scratch_database)]
    if (
        database_schema.read_schema(scratch_database, table_names).fingerprint
        != manifest.schema_fingerprint
    ):
        raise RestoreRefused(_("The tables in this backup don’t match its table of contents."))


def _reset_temporary_rows(database: BaseDatabaseWrapper) -> None:
    """Delete the sessions in a restored database, and requeue its running jobs."""
    table_names = set(database.introspection.table_names())
    with database.cursor() as cursor:
        for table_name in table_names & set(TABLES_TO_EMPTY):
            cursor.execute(f'DELETE FROM "{table_name}"')
        if "server_job" in table_names:
            cursor.execute(RESET_JOBS_SQL)


def _swap_database_file(
    connection: BaseDatabaseWrapper, restored_path: Path, replaced_name: str
) -> str:
    """Replace the SQLite file by one rename; return the new path of the old file."""
    with open_extra_connection(build_sqlite_settings(restored_path)) as restored_database:
        _reset_temporary_rows(restored_database)
    with restored_path.open("rb+") as file:
        os.fsync(file.fileno())
    restored_path.chmod(0o600)
    path = Path(connection.settings_dict["NAME"])
    connection.close()
    old_path = path.with_name(f"{path.stem}-{replaced_name}{path.suffix}")
    if path.exists():
        _merge_wal(path)
        _save_old_file(path, old_path)
    for suffix in ("-wal", "-shm"):  # SQLite would apply the old log to the new file
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)
    restored_path.replace(path)
    return str(old_path)


def _merge_wal(path: Path) -> None:
    """Merge an SQLite file's write-ahead log into it; a damaged file is left unchanged."""
    try:
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            journal_mode = connection.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            journal_mode = "wal"
        else:
            return
    if journal_mode != "delete":
        raise RestoreRefused(
            _("Another program is using %(file)s. Stop it and restore again.") % {"file": path}
        )


def _save_old_file(path: Path, old_path: Path) -> None:
    if path.is_dir():
        path.rename(old_path)
        return
    try:
        os.link(path, old_path)
    except OSError:  # the file system has no hard links, e.g. on a USB stick
        file_format.copy_file_atomically(path, old_path)
    old_path.chmod(0o600)


def _swap_database(connection: BaseDatabaseWrapper, dump_file: Path, timestamp: str) -> str:
    """Load a dump into a new database and swap the names; return the old database's new
    name.
    """
    current_name = connection.settings_dict["NAME"]
    compact_timestamp = timestamp.replace("-", "")
    restored_name, replaced_name = (
        f"{current_name}_restored_{compact_timestamp}",
        f"{current_name}_before_restore_{compact_timestamp}",
    )
    try:
        database_dumps.create_database(connection, restored_name)
        database_dumps.load_dump(connection, dump_file, restored_name)
        with open_extra_connection(
            copy_database_settings(connection, restored_name)
        ) as restored_database:
            _reset_temporary_rows(restored_database)
        database_dumps.swap_databases(connection, restored_name, replaced_name)
    except database_dumps.CannotCreateDatabase as error:
        raise RestoreRefused(
            _(
                "This login can’t create a database on the server (%(why)s). Ask an "
                "administrator for this right: ALTER ROLE … CREATEDB."
            )
            % {"why": error}
        ) from error
    except (DatabaseToolError, DatabaseError) as error:
        with suppress(DatabaseError):
            database_dumps.drop_database(connection, restored_name)
        raise RestoreRefused(str(error)) from error
    return replaced_name


def _restore_media(manifest: BackupManifest, folder: Path) -> None:
    """Copy the media files of a backup into the media folder.

    No other file is overwritten, because file names are never reused.
    """
    media_root = Path(settings.MEDIA_ROOT)
    for member_name in manifest.sizes_and_hashes_by_member:
        if member_name.startswith(MEDIA_PREFIX):
            file_format.copy_file_atomically(
                file_format.build_extracted_path(folder, member_name),
                media_root / member_name.removeprefix(MEDIA_PREFIX),
            )


def _restore_key(manifest: BackupManifest, folder: Path, timestamp: str) -> bool:
    """Restore the secret key of a laptop, and return whether it was restored.

    If the environment sets a key, nothing is restored. The replaced key is added to the old
    keys (SECRET_KEY_FALLBACKS), because the current database needs it until the restore is
    complete. A copy of it is also stored as `secret_key-before-restore-…`.
    """
    key_file = Path(settings.DATA_DIR) / keys.KEY_FILE_NAME
    if (
        KEY_MEMBER not in manifest.sizes_and_hashes_by_member
        or os.environ.get("SECRET_KEY", "").strip()
    ):
        return False
    restored_key = file_format.build_extracted_path(folder, KEY_MEMBER).read_text("ascii")
    restored_old_keys = (
        file_format.build_extracted_path(folder, OLD_KEYS_MEMBER).read_text("ascii").split()
        if OLD_KEYS_MEMBER in manifest.sizes_and_hashes_by_member
        else []
    )
    if key_file.exists() and key_file.read_text("ascii").strip() != restored_key.strip():
        shutil.copyfile(key_file, key_file.with_name(f"secret_key-before-restore-{timestamp}"))
    keys.replace_root_key(key_file.parent, restored_key.strip(), restored_old_keys)
    return True
