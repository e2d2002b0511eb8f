"""Create a backup and verify it with a test restore."""

import errno
import hashlib
import logging
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from server import database_schema, keys
from server.backups import database_dumps, encryption, file_format, store
from server.backups.database_dumps import DatabaseToolError
from server.backups.digests import compute_digest, list_models
from server.backups.file_format import (
    KEY_MEMBER,
    MEDIA_PREFIX,
    OLD_KEYS_MEMBER,
    BackupManifest,
    InvalidBackup,
)
from server.backups.store import Backup, BackupNote
from server.version import VERSION
from server.work_folders import create_work_folder

log = logging.getLogger(__name__)

MIN_FREE_BYTES = 20 * 1024 * 1024
"""The free disk space, in bytes, that must remain after a backup."""


class BackupFailed(Exception):
    """Raised if no valid backup was created. The message gives the reason and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRequest:
    """The options of a backup.

    `kind` is the reason for the backup, as in `BackupManifest`. If `target_path` is None, the
    file gets a new name in `folder`. Without a passphrase the backup is not encrypted.
    """

    kind: str
    folder: Path
    target_path: Path | None = None
    passphrase: str = ""
    should_include_key: bool = False
    """Whether the backup includes the secret key."""


def create_backup(
    request: BackupRequest, connection: BaseDatabaseWrapper | None = None
) -> Backup:
    """Create a backup, verify it by a test restore, and write its note (see `BackupNote`).

    Raises BackupFailed. If the restored data differs, the backup file remains, and its note has
    the reason. A `target_path` must be in the request's folder.
    """
    connection = connection or database_dumps.get_default_connection()
    try:
        request.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _ensure_free_space(request.folder, connection)
        with create_work_folder(request.folder, "making") as work_folder:
            temporary_path, manifest = _write_draft_backup(work_folder, request, connection)
            verification_note = verify_backup(
                temporary_path, passphrase=request.passphrase, connection=connection
            )
            backup_path = request.target_path or store.find_free_path(
                request.folder, store.format_backup_name(manifest.site, manifest.made_at)
            )
            file_format.move_file_durably(temporary_path, backup_path)
        store.write_note(backup_path, replace(verification_note, kind=request.kind))
    except OSError as error:
        raise BackupFailed(
            _("Can’t write a backup in %(folder)s: %(why)s.")
            % {"folder": request.folder, "why": error.strerror or error}
        ) from error
    except (DatabaseToolError, InvalidBackup) as error:
        raise BackupFailed(_("The backup failed: %(why)s") % {"why": error}) from error
    if verification_note.proof == "failed":
        raise BackupFailed(
            _("A test restore of backup %(file)s gave different data: %(why)s")
            % {"file": backup_path, "why": verification_note.words}
        )
    return Backup(
        path=backup_path,
        created_at=manifest.made_at,
        size_bytes=backup_path.stat().st_size,
        note=replace(verification_note, kind=request.kind),
    )


def create_backup_and_clean_up(request: BackupRequest) -> Backup:
    """Create a backup, delete old ones, and run the command in the setting BACKUP_COMMAND."""
    backup = create_backup(request)
    for old_backup in store.choose_backups_to_delete(
        store.list_backups(request.folder), settings.BACKUP_MAX_BYTES
    ):
        try:
            delete_backup(old_backup)
        except OSError as error:  # the next backup will try to delete the old one again
            log.error("An old backup was not deleted: %s", error)
    _run_backup_command(backup.path)
    return backup


def delete_backup(backup: Backup) -> None:
    """Delete the file of a backup, and then its note."""
    backup.path.unlink(missing_ok=True)
    store.build_note_path(backup.path).unlink(missing_ok=True)


def verify_backup(
    path: Path, *, passphrase: str = "", connection: BaseDatabaseWrapper | None = None
) -> BackupNote:
    """Restore a backup into a scratch database and compare every table with its manifest.

    Raises InvalidBackup for a file that is not a backup or was altered. If PostgreSQL does not
    allow this login to create a database, the dump is only listed, and the note’s `proof` is
    "listed".
    """
    connection = connection or database_dumps.get_default_connection()
    with create_work_folder(path.parent, "proving") as work_folder:
        manifest = file_format.extract_backup(path, work_folder, passphrase)
        verification_status, reason = _compare_restored_database(
            manifest,
            file_format.build_extracted_path(work_folder, manifest.database_member_name),
            connection,
        )
    return BackupNote(
        kind=manifest.kind,
        proof=verification_status,
        proved_at=timezone.now().isoformat(),
        tables=len(manifest.digest.digests_by_table),
        rows=manifest.digest.row_count,
        sha256=manifest.digest.sha256,
        sealed=encryption.is_encrypted(path),
        words=reason,
    )


def _compare_restored_database(
    manifest: BackupManifest, database_file: Path, connection: BaseDatabaseWrapper
) -> tuple[str, str]:
    """Return "verified", "listed" or "failed" (see `BackupNote`), and the reason or ""."""
    try:
        with database_dumps.open_scratch_database(
            connection, database_file
        ) as scratch_database:
            differing_tables = manifest.digest.list_differences(
                compute_digest(scratch_database)
            )
    except database_dumps.CannotCreateDatabase as error:
        database_dumps.count_dump_entries(database_file)
        return "listed", str(error)
    except DatabaseToolError as error:
        return "failed", str(error)
    return ("failed", ", ".join(differing_tables)) if differing_tables else ("verified", "")


def compute_secret_key_id() -> str:
    """Return the first eight hexadecimal digits of a hash of the secret key."""
    return hashlib.sha256(b"overplay key " + settings.SECRET_KEY.encode()).hexdigest()[:8]


def _write_draft_backup(
    work_folder: Path, request: BackupRequest, connection: BaseDatabaseWrapper
) -> tuple[Path, BackupManifest]:
    """Write the backup, encrypted if requested, to `work_folder`.

    Returns the path of the file, and the manifest.
    """
    dump_path = work_folder / database_dumps.DATABASE_MEMBERS_BY_VENDOR[connection.vendor]
    made_at = timezone.now()
    database_digest = database_dumps.dump_database(connection, dump_path)
    paths_by_member = {dump_path.name: dump_path, **_list_media_files()}
    if key_file := _find_key_file(connection, should_include_key=request.should_include_key):
        paths_by_member[KEY_MEMBER] = key_file
        if (old_keys_file := key_file.with_name(keys.OLD_KEYS_FILE_NAME)).is_file():
            paths_by_member[OLD_KEYS_MEMBER] = old_keys_file
    tables = [model._meta.db_table for model in list_models(connection)]
    manifest = BackupManifest(
        version=VERSION,
        vendor=connection.vendor,
        schema_fingerprint=database_schema.read_schema(connection, tables).fingerprint,
        kind=request.kind,
        site=settings.SITE_HOST,
        made_at=made_at,
        key_id=compute_secret_key_id(),
        digest=database_digest,
        sizes_and_hashes_by_member={},
    )
    unencrypted_path = work_folder / "plain"
    os.close(os.open(unencrypted_path, os.O_WRONLY | os.O_CREAT, 0o600))
    manifest = file_format.write_backup_file(unencrypted_path, manifest, paths_by_member)
    if not request.passphrase:
        return unencrypted_path, manifest
    encryption.encrypt_file(unencrypted_path, work_folder / "sealed", request.passphrase)
    return work_folder / "sealed", manifest


def _list_media_files() -> dict[str, Path]:
    """Return the paths of all media files (papers and logos) by their names in the backup.

    Incomplete files of an interrupted restore are left out.
    """
    media_root = Path(settings.MEDIA_ROOT)
    paths = (
        Path(folder, name)
        for folder, _subfolders, file_names in os.walk(media_root)
        for name in file_names
    )
    files = (
        path for path in paths if path.suffix != file_format.PART_SUFFIX and path.is_file()
    )
    return {f"{MEDIA_PREFIX}{path.relative_to(media_root).as_posix()}": path for path in files}


def _find_key_file(connection: BaseDatabaseWrapper, *, should_include_key: bool) -> Path | None:
    """Return the file of the secret key if the backup should include it, else None.

    The key is included with SQLite, or if `should_include_key` is set. If the program's key is
    set in the environment, there is no file to include.
    """
    key_file = Path(settings.DATA_DIR) / "secret_key"
    if not key_file.is_file() or not (should_include_key or connection.vendor == "sqlite"):
        return None
    return key_file if key_file.read_text("ascii").strip() == settings.SECRET_KEY else None


def _ensure_free_space(folder: Path, connection: BaseDatabaseWrapper) -> None:
    """Delete old backups until there is enough disk space; raise BackupFailed if that fails."""
    needed_bytes = 3 * _estimate_backup_bytes(connection) + MIN_FREE_BYTES
    backups = store.list_backups(folder)
    newest_backup = store.find_newest_good_backup(backups)
    for backup in sorted(backups, key=lambda backup: backup.created_at):
        if shutil.disk_usage(folder).free >= needed_bytes:
            return
        if backup is not newest_backup:
            delete_backup(backup)
    free_bytes = shutil.disk_usage(folder).free
    if free_bytes < needed_bytes:
        # raised from an OSError, so that the job is retried: a full disk is a temporary failure
        raise BackupFailed(
            _(
                "%(folder)s has %(free)s free. A backup and its check need up to "
                "%(needed)s. Free some space, or choose another folder: "
                "BACKUP_DIR=another-folder."
            )
            % {
                "folder": folder,
                "free": filesizeformat(free_bytes),
                "needed": filesizeformat(needed_bytes),
            }
        ) from OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _estimate_backup_bytes(connection: BaseDatabaseWrapper) -> int:
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        return path.stat().st_size if path.exists() else 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return (
            int(cursor.fetchone()[0]) // 4
        )  # estimate: a compressed dump has a quarter of the size


def _run_backup_command(path: Path) -> None:
    """Run BACKUP_COMMAND with the backup's path; log a failure."""
    if not settings.BACKUP_COMMAND:
        return
    try:
        subprocess.run(
            [*shlex.split(settings.BACKUP_COMMAND), str(path)],
            check=True,
            capture_output=True,
            timeout=3600,
        )
    except (OSError, subprocess.SubprocessError) as error:
        log.error("BACKUP_COMMAND did not take %s: %s", path.name, type(error).__name__)
