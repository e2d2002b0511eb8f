"""Check the data folder and the SQLite file before the program uses them."""

import getpass
import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from server.backups import store
from server.command_line import format_command

UNUSABLE_DATA_EXIT_CODE = 3
"""The exit code of a command that cannot use the data."""
LOCK_TIMEOUT_SECONDS = 10.0
"""The time to wait for another program that locks the file, in seconds."""


class UnusableData(Exception):
    """The data cannot be used. The message says which file is the problem and what to do."""


def check_folder(folder: Path) -> None:
    """Raise UnusableData if a folder is not writable; restrict its files to this account."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UnusableData(
            _(
                "%(account)s can’t write in the folder %(folder)s (%(why)s). Allow it, or "
                "choose another folder: DATA_DIR=another-folder. Nothing was changed."
            )
            % {"account": find_account_name(), "folder": folder, "why": error.strerror}
        ) from error
    _restrict_permissions(folder)


def _restrict_permissions(folder: Path) -> None:
    """Remove other accounts' access to files that versions before 1.1 created."""
    private_paths = [folder / "secret_key", *folder.glob("overplay*.sqlite3*")]
    for path in private_paths:
        with suppress(OSError):
            path.chmod(path.stat().st_mode & ~0o077)


def check_sqlite_file(path: Path) -> None:
    """Raise UnusableData for an SQLite file that is damaged or not writable."""
    check_database_path(path)
    if is_database_missing(path):
        return
    if not os.access(path, os.W_OK):
        raise UnusableData(
            _("%(account)s can’t write to %(file)s. Give it write permission.")
            % {"account": find_account_name(), "file": path}
        )
    if damage := _find_damage(path):
        raise UnusableData(f"{_format_damage(path, damage)} {_format_restore_advice(path)}")


def is_database_missing(path: Path) -> bool:
    """Return whether there is no database at this path yet."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def check_database_path(path: Path) -> None:
    """Raise UnusableData for a path that is not a file, or that SQLite cannot open."""
    if not path.parent.is_dir():
        message = _("Folder %(folder)s not found. Create it, or change DATABASE_URL.")
        raise UnusableData(message % {"folder": path.parent})
    if is_database_missing(path):
        return
    if not path.is_file():
        message = _("%(path)s isn’t a file. Move it, or choose another with DATABASE_URL.")
        raise UnusableData(f"{message % {'path': path}} {describe_restore(path)}".strip())
    if not os.access(path, os.R_OK):
        message = _("%(account)s can’t read %(file)s. Give it read permission.")
        raise UnusableData(message % {"account": find_account_name(), "file": path})
    if damage := _find_damage(path, query="PRAGMA schema_version"):
        raise UnusableData(f"{_format_damage(path, damage)} {_format_restore_advice(path)}")


def build_read_only_uri(path: Path) -> str:
    """Return a URI that opens an SQLite file without changing it.

    If there is a write-ahead log, the connection is read-only: a writable one would merge the
    log into the file when it is closed. Without a log it is writable, because a read-only
    connection would leave auxiliary files behind.
    """
    has_write_ahead_log = path.with_name(f"{path.name}-wal").exists()
    return f"{path.resolve().as_uri()}?mode={'ro' if has_write_ahead_log else 'rw'}"


def _find_damage(path: Path, query: str = "PRAGMA quick_check(1)") -> str:
    """Return a description of the damage in a file, or "" if SQLite can run `query`.

    Only SQLite may open the file. If Python opened and closed it too, this process would lose
    its locks, and the next connection could delete a log that other programs use.
    """
    try:
        with closing(
            sqlite3.connect(build_read_only_uri(path), timeout=LOCK_TIMEOUT_SECONDS, uri=True)
        ) as connection:
            query_result = str(connection.execute(query).fetchone()[0])
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
        ):
            return ""  # locked by another program, which can therefore read it
        return str(error)
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if query_result == "ok" or query_result.isdigit() else query_result[:100]


def _format_damage(path: Path, damage: str) -> str:
    message = _("The file %(file)s is damaged (%(why)s). It wasn’t changed.")
    return message % {"file": path, "why": damage}


def _format_restore_advice(path: Path) -> str:
    return describe_restore(path) or _(
        "Replace it with a copy from your backup and start again."
    )


def describe_restore(path: Path | None) -> str:
    """Return a sentence about the newest good backup, with the command to restore it.

    If there is no good backup, the sentence names the newest intact copy next to the SQLite
    file `path`, e.g. one made by a restore. If there is no copy either, returns "". `path` is
    None for PostgreSQL.
    """
    newest_backup = store.find_newest_good_backup(store.list_backups(settings.BACKUP_DIR))
    if newest_backup is not None:
        message = _("The newest good backup is from %(at)s UTC: %(command)s")
        created_at = f"{newest_backup.created_at:%Y-%m-%d %H:%M}"
        return message % {
            "at": created_at,
            "command": format_command(f"restore {newest_backup.path}"),
        }
    copy_paths = sorted(
        path.parent.glob(f"{path.stem}-*{path.suffix}") if path else (),
        key=lambda copy_path: copy_path.stat().st_mtime,
    )
    intact_copies = [
        copy_path
        for copy_path in copy_paths
        if not is_database_missing(copy_path) and not _find_damage(copy_path)
    ]
    if not intact_copies:
        return ""
    message = _("The newest readable copy is %(copy)s. Replace the file with it.")
    return message % {"copy": intact_copies[-1]}


def find_account_name() -> str:
    """Return the name of the system account that runs the program."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the account has no name
        return str(os.getuid()) if hasattr(os, "getuid") else "?"
