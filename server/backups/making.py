"""Make a backup, restore it into a private database, and compare the two."""

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
from server.backups import engines, packing, sealing, store
from server.backups.digests import digest, models_of
from server.backups.engines import EngineTrouble
from server.backups.packing import KEY, KEYS_BEFORE, MEDIA, BadBackup, Manifest
from server.backups.store import Kept, Note
from server.version import VERSION
from server.work_folders import work_folder

log = logging.getLogger(__name__)

KINDS = ("asked", "session", "night", "upgrade", "restore")
"""The reasons for a backup."""
MIN_FREE_BYTES = 20 * 1024 * 1024
"""Bytes of disk space that stay free in addition to the backup."""


class NoBackup(Exception):
    """No backup was made and nothing was changed; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The requested backup: reason, target, passphrase, with the server's key or without."""

    kind: str
    folder: Path
    to: Path | None = None
    passphrase: str = ""
    with_key: bool = False


def make_backup(wish: Wish, connection: BaseDatabaseWrapper | None = None) -> Kept:
    """Make a backup and verify it; raise NoBackup.

    A backup that differs is not deleted; its note has the reason, and NoBackup is raised too.
    """
    connection = connection or engines.default_connection()
    try:
        wish.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_room(wish.folder, connection)
        with work_folder(wish.folder, "making") as work:
            draft, manifest = _draft(work, wish, connection)
            note = verify_backup(draft, passphrase=wish.passphrase, connection=connection)
            path = wish.to or store.free_name(
                wish.folder, store.name_for(manifest.site, manifest.made_at)
            )
            packing.move_atomically(draft, path)
        store.write_note(path, replace(note, kind=wish.kind))
    except OSError as error:
        raise NoBackup(
            _("No backup could be written in %(folder)s: %(why)s.")
            % {"folder": wish.folder, "why": error.strerror or error}
        ) from error
    except (EngineTrouble, BadBackup) as error:
        raise NoBackup(_("No backup could be made: %(why)s") % {"why": error}) from error
    if note.proof == "failed":
        raise NoBackup(
            _("The backup %(file)s was not equal when it was restored: %(why)s")
            % {"file": path, "why": note.words}
        )
    return Kept(
        path=path,
        at=manifest.made_at,
        size=path.stat().st_size,
        note=replace(note, kind=wish.kind),
    )


def make_and_store(wish: Wish) -> Kept:
    """Make a backup, delete the oldest ones by rule, and run BACKUP_COMMAND."""
    made = make_backup(wish)
    for gone in store.backups_to_delete(
        store.list_backups(wish.folder), settings.BACKUP_MAX_BYTES
    ):
        delete_backup(gone)
    _carry_away(made.path)
    return made


def delete_backup(kept: Kept) -> None:
    """Delete a backup from the store, its note last."""
    kept.path.unlink(missing_ok=True)
    store.note_of(kept.path).unlink(missing_ok=True)


def verify_backup(
    path: Path, *, passphrase: str = "", connection: BaseDatabaseWrapper | None = None
) -> Note:
    """Restore a backup into a private database and compare every table with its manifest.

    Raises BadBackup for a file that is not a backup or was altered. If PostgreSQL does not
    allow this login to create a database, the file is only listed, and the note has "listed".
    """
    connection = connection or engines.default_connection()
    with work_folder(path.parent, "proving") as folder:
        manifest = packing.unpack(path, folder, passphrase)
        proof, words = _proof(
            manifest, packing.extracted_path(folder, manifest.database), connection
        )
    return Note(
        kind=manifest.kind,
        proof=proof,
        proved_at=timezone.now().isoformat(),
        tables=len(manifest.digest.tables),
        rows=manifest.digest.rows,
        sha256=manifest.digest.sha256,
        sealed=sealing.is_sealed(path),
        words=words,
    )


def _proof(manifest: Manifest, file: Path, connection: BaseDatabaseWrapper) -> tuple[str, str]:
    try:
        with engines.scratch(connection, file) as restored:
            wrong = manifest.digest.differing(digest(restored))
    except engines.CannotProve as error:
        engines.list_dump(file)
        return "listed", str(error)
    except EngineTrouble as error:
        return "failed", str(error)
    return ("failed", ", ".join(wrong)) if wrong else ("verified", "")


def key_id() -> str:
    """Return eight letters that identify a key and reveal nothing else."""
    return hashlib.sha256(b"overplay key " + settings.SECRET_KEY.encode()).hexdigest()[:8]


def _draft(work: Path, wish: Wish, connection: BaseDatabaseWrapper) -> tuple[Path, Manifest]:
    """Write the whole backup, encrypted if requested, into a temporary folder."""
    database = work / engines.MEMBERS[connection.vendor]
    made_at = timezone.now()
    found = engines.copy_out(connection, database)
    files = {database.name: database, **_media()}
    if key := _key(connection, with_key=wish.with_key):
        files[KEY] = key
        if (before := key.with_name(keys.OLD_KEYS_FILE)).is_file():
            files[KEYS_BEFORE] = before
    tables = [model._meta.db_table for model in models_of(connection)]
    manifest = Manifest(
        version=VERSION,
        vendor=connection.vendor,
        shape=database_schema.read_schema(connection, tables).fingerprint,
        kind=wish.kind,
        site=settings.SITE_HOST,
        made_at=made_at,
        key_id=key_id(),
        digest=found,
        members={},
    )
    plain = work / "plain"
    os.close(os.open(plain, os.O_WRONLY | os.O_CREAT, 0o600))
    manifest = packing.pack(plain, manifest, files)
    if not wish.passphrase:
        return plain, manifest
    sealing.seal(plain, work / "sealed", wish.passphrase)
    return work / "sealed", manifest


def _media() -> dict[str, Path]:
    """Return every stored file: papers and logos."""
    root = Path(settings.MEDIA_ROOT)
    found = (Path(folder, name) for folder, _inner, names in os.walk(root) for name in names)
    files = (path for path in found if path.is_file())
    return {f"{MEDIA}{path.relative_to(root).as_posix()}": path for path in files}


def _key(connection: BaseDatabaseWrapper, *, with_key: bool) -> Path | None:
    """Return the key in a laptop's folder; a server's is in the environment."""
    kept = Path(settings.DATA_DIR) / "secret_key"
    if not kept.is_file() or not (with_key or connection.vendor == "sqlite"):
        return None
    return kept if kept.read_text("ascii").strip() == settings.SECRET_KEY else None


def _make_room(folder: Path, connection: BaseDatabaseWrapper) -> None:
    """Check the free space for the file and its verification; delete old backups first."""
    needed = 3 * _size(connection) + MIN_FREE_BYTES
    kept = store.list_backups(folder)
    newest = store.newest_good(kept)
    for each in sorted(kept, key=lambda each: each.at):
        if shutil.disk_usage(folder).free >= needed:
            return
        if each is not newest:
            delete_backup(each)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise NoBackup(
            _(
                "%(folder)s has only %(free)s free, and a backup and its proof take up to "
                "%(needed)s. Make room there, or name another folder: "
                "BACKUP_DIR=another-folder."
            )
            % {
                "folder": folder,
                "free": filesizeformat(free),
                "needed": filesizeformat(needed),
            }
        ) from OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # which is transient


def _size(connection: BaseDatabaseWrapper) -> int:
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        return path.stat().st_size if path.exists() else 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0]) // 4  # a dump is compressed


def _carry_away(path: Path) -> None:
    """Pass the file to BACKUP_COMMAND; log a failure."""
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
