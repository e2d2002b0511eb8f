"""Replace the data by a backup: completely or not at all.

Everything is checked before anything is changed. The backup is restored into a second database
and compared, its sign-ins and unfinished jobs are removed, and then it replaces the old one in
a single step. The old data is kept.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from django.utils.translation import gettext as _

from server import database_schema, database_version, keys
from server.backups import engines, packing
from server.backups.digests import digest, models_of
from server.backups.engines import EngineTrouble
from server.backups.making import key_id
from server.backups.packing import KEY, KEYS_BEFORE, MEDIA, Manifest
from server.backups.second_database import open_second_database, settings_like, sqlite_settings
from server.work_folders import work_folder

EMPTIED = ("django_session", "server_worker", "server_signin", "server_wrongtry")
"""Tables whose rows are valid only at the time of the backup."""
FREED = "UPDATE server_job SET state = 'wanted', lease_until = NULL WHERE state = 'doing'"

Check = Callable[[], object]


class CannotRestore(Exception):
    """Nothing was restored or changed; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A restored backup: its manifest, where the old data is, and whether the key differs."""

    manifest: Manifest
    aside: str
    has_other_key: bool


def check(path: Path, passphrase: str = "") -> Manifest:
    """Read a backup and restore it into a private database; change nothing.

    Raises BadBackup and CannotRestore.
    """
    with _proved(path, passphrase) as (manifest, _folder, _database):
        return manifest


def restore(path: Path, passphrase: str = "", *, alone: Check = lambda: None) -> Restored:
    """Replace the database in use by a backup, and restore its files.

    `alone` raises if pages or workers run. Raises BadBackup and CannotRestore.
    """
    connection = engines.default_connection()
    with _proved(path, passphrase) as (manifest, folder, database):
        if manifest.vendor != connection.vendor:
            raise CannotRestore(
                _(
                    "This backup is of %(theirs)s and this program works with %(ours)s. "
                    "Set DATABASE_URL to a database of that kind and restore it there."
                )
                % {"theirs": manifest.vendor, "ours": connection.vendor}
            )
        alone()
        moment = timezone.now().strftime("%Y-%m-%d-%H%M%S")
        _bring_media(manifest, folder)
        if connection.vendor == "sqlite":
            aside = _swap_file(connection, database, f"before-restore-{moment}")
        else:
            aside = _swap_database(connection, database, moment)
        brought = _bring_key(manifest, folder, moment)
    is_other = not brought and manifest.key_id != key_id()
    return Restored(manifest=manifest, aside=aside, has_other_key=is_other)


@contextmanager
def _proved(path: Path, passphrase: str) -> Iterator[tuple[Manifest, Path, Path]]:
    """Extract and verify a backup; yield its manifest, its folder and its database."""
    connection = engines.default_connection()
    if not path.is_file():
        raise CannotRestore(_("There is no file %(file)s.") % {"file": path})
    with ExitStack() as stack:
        try:
            work = stack.enter_context(work_folder(settings.DATA_DIR, "restoring"))
            manifest = packing.unpack(path, work, passphrase)
            database = packing.extracted_path(work, manifest.database)
            _compare(connection, manifest, database)
        except OSError as error:
            raise CannotRestore(
                _("The backup could not be laid out in %(folder)s: %(why)s.")
                % {"folder": settings.DATA_DIR, "why": error.strerror or error}
            ) from error
        yield manifest, work, database


def _compare(connection: BaseDatabaseWrapper, manifest: Manifest, database: Path) -> None:
    """Raise CannotRestore unless the database in a backup is known, complete and unchanged."""
    if manifest.vendor == "postgresql" and connection.vendor != "postgresql":
        engines.list_dump(database)
        return
    try:
        with engines.scratch(connection, database) as restored:
            stored = database_version.read_version(restored)
            database_version.refuse_strange(stored)
            _refuse_unknown(restored, manifest)
            wrong = manifest.digest.differing(digest(restored))
    except engines.CannotProve:
        engines.list_dump(database)
        return
    except (EngineTrouble, DatabaseError, database_version.WrongDatabase) as error:
        raise CannotRestore(str(error)) from error
    if wrong:
        raise CannotRestore(
            _("The backup is not what it was when it was made: %(tables)s differ.")
            % {"tables": ", ".join(wrong)}
        )


def _refuse_unknown(restored: BaseDatabaseWrapper, manifest: Manifest) -> None:
    tables = [model._meta.db_table for model in models_of(restored)]
    if database_schema.read_schema(restored, tables).fingerprint != manifest.shape:
        raise CannotRestore(_("The tables in this backup are not those it was made of."))


def _settle(opened: BaseDatabaseWrapper) -> None:
    """End the sign-ins of that time and reset unfinished jobs."""
    there = set(opened.introspection.table_names())
    with opened.cursor() as cursor:
        for table in there & set(EMPTIED):
            cursor.execute(f'DELETE FROM "{table}"')
        if "server_job" in there:
            cursor.execute(FREED)


def _swap_file(connection: BaseDatabaseWrapper, restored: Path, aside: str) -> str:
    """Replace the SQLite file by one rename; return the path of the old one."""
    with open_second_database(sqlite_settings(restored)) as opened:
        _settle(opened)
    with restored.open("rb+") as file:
        os.fsync(file.fileno())
    restored.chmod(0o600)
    path = Path(connection.settings_dict["NAME"])
    connection.close()
    kept = path.with_name(f"{path.stem}-{aside}{path.suffix}")
    if path.exists():
        _fold_in(path)
        _keep(path, kept)
    for rest in ("-wal", "-shm"):  # the old log must never be applied to the new file
        path.with_name(f"{path.name}{rest}").unlink(missing_ok=True)
    restored.replace(path)
    return str(kept)


def _fold_in(path: Path) -> None:
    """Merge an SQLite file's write-ahead log into the file; a damaged file is not changed."""
    try:
        with closing(sqlite3.connect(path, timeout=10)) as line:
            line.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            mode = line.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            mode = "wal"
        else:
            return
    if mode != "delete":
        raise CannotRestore(
            _("Another program has the file %(file)s open. Stop it and restore again.")
            % {"file": path}
        )


def _keep(path: Path, kept: Path) -> None:
    if path.is_dir():  # a folder by mistake
        path.rename(kept)
        return
    try:
        os.link(path, kept)
    except OSError:  # no hard links, as on a memory stick
        draft = kept.with_name(f"{kept.name}.part")
        shutil.copyfile(path, draft)
        draft.replace(kept)
    kept.chmod(0o600)


def _swap_database(connection: BaseDatabaseWrapper, dump: Path, moment: str) -> str:
    """Load a dump into a new database and swap the names; return the old one's."""
    name = connection.settings_dict["NAME"]
    stamp = moment.replace("-", "")
    restored, aside = f"{name}_restored_{stamp}", f"{name}_before_restore_{stamp}"
    try:
        engines.make_database(connection, restored)
        engines.load(connection, dump, restored)
        with open_second_database(settings_like(connection, restored)) as opened:
            _settle(opened)
        engines.swap_databases(connection, restored, aside)
    except engines.CannotProve as error:
        raise CannotRestore(
            _(
                "This login may make no database on the server (%(why)s). Let an "
                "administrator give it that right: ALTER ROLE … CREATEDB."
            )
            % {"why": error}
        ) from error
    except (EngineTrouble, DatabaseError) as error:
        raise CannotRestore(str(error)) from error
    return aside


def _bring_media(manifest: Manifest, folder: Path) -> None:
    """Copy a backup's files next to the existing ones; no name is used twice."""
    root = Path(settings.MEDIA_ROOT)
    for member in manifest.members:
        if member.startswith(MEDIA):
            packing.move_atomically(
                packing.extracted_path(folder, member), root / member.removeprefix(MEDIA)
            )


def _bring_key(manifest: Manifest, folder: Path, moment: str) -> bool:
    """Restore a laptop's key, unless the environment has one; the old key is kept."""
    kept = Path(settings.DATA_DIR) / "secret_key"
    if KEY not in manifest.members or os.environ.get("SECRET_KEY", "").strip():
        return False
    brought = packing.extracted_path(folder, KEY)
    if kept.exists() and kept.read_bytes() != brought.read_bytes():
        shutil.copyfile(kept, kept.with_name(f"secret_key-before-restore-{moment}"))
    packing.move_atomically(brought, kept)
    if KEYS_BEFORE in manifest.members:
        before = packing.extracted_path(folder, KEYS_BEFORE)
        packing.move_atomically(before, kept.with_name(keys.OLD_KEYS_FILE))
    return True
