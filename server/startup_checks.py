"""Checks of the data folder and of the SQLite file before the program uses them."""

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
    """The data cannot be used; the message names the file or folder and what to do."""


def check_folder(folder: Path) -> None:
    """Raise UnusableData for a folder that is not writable.

    Hide its files from other accounts.
    """
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UnusableData(
            _(
                "%(account)s can't write in the folder %(folder)s (%(why)s). "
                "Allow it, or choose another folder: "
                "DATA_DIR=another-folder. Nothing was changed."
            )
            % {"account": find_account_name(), "folder": folder, "why": error.strerror}
        ) from error
    _restrict_permissions(folder)


def _restrict_permissions(folder: Path) -> None:
    """Remove other accounts' access to files that a version before 1.1 left readable."""
    kept = [folder / "secret_key", *folder.glob("overplay*.sqlite3*")]
    for file in kept:
        with suppress(OSError):
            file.chmod(file.stat().st_mode & ~0o077)


def check_file(path: Path) -> None:
    """Raise UnusableData for an SQLite file that is damaged or not writable."""
    check_path(path)
    if is_database_missing(path):
        return
    if not os.access(path, os.W_OK):
        raise UnusableData(
            _("%(account)s can't write to %(file)s. Give it write permission.")
            % {"account": find_account_name(), "file": path}
        )
    if why := _find_damage(path):
        raise UnusableData(f"{_format_damage(path, why)} {_format_restore_advice(path)}")


def is_database_missing(path: Path) -> bool:
    """Return whether there is no database at this path yet."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def check_path(path: Path) -> None:
    """Raise UnusableData for a path that is not a file, or that SQLite cannot open."""
    if not path.parent.is_dir():
        words = _("Folder %(folder)s not found. Create it, or change DATABASE_URL.")
        raise UnusableData(words % {"folder": path.parent})
    if is_database_missing(path):
        return
    if not path.is_file():
        words = _("%(path)s isn't a file. Move it, or choose another with DATABASE_URL.")
        raise UnusableData(f"{words % {'path': path}} {describe_restore(path)}".strip())
    if not os.access(path, os.R_OK):
        words = _("%(account)s can't read %(file)s. Give it read permission.")
        raise UnusableData(words % {"account": find_account_name(), "file": path})
    if why := _find_damage(path, look="PRAGMA schema_version"):
        raise UnusableData(f"{_format_damage(path, why)} {_format_restore_advice(path)}")


def build_read_only_uri(path: Path) -> str:
    """Return a URI that opens an SQLite file without changing any byte of it.

    A writable connection would merge an existing write-ahead log into the file when it is
    closed. Without such a log, a writable connection is used: it removes its auxiliary files,
    which a read-only connection would leave behind.
    """
    has_log = path.with_name(f"{path.name}-wal").exists()
    return f"{path.resolve().as_uri()}?mode={'ro' if has_log else 'rw'}"


def _find_damage(path: Path, look: str = "PRAGMA quick_check(1)") -> str:
    """Return a description of the damage in a file, or "" if SQLite can run the query `look`.

    Only SQLite opens the file. Closing another handle on it would release this process's locks,
    and its next connection could then delete a log that others use.
    """
    try:
        with closing(
            sqlite3.connect(build_read_only_uri(path), timeout=LOCK_TIMEOUT_SECONDS, uri=True)
        ) as line:
            found = str(line.execute(look).fetchone()[0])
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
        ):
            return ""  # locked by another program, so it is readable
        return str(error)
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == "ok" or found.isdigit() else found[:100]


def _format_damage(path: Path, why: str) -> str:
    words = _("The file %(file)s is damaged (%(why)s). It wasn't changed.")
    return words % {"file": path, "why": why}


def _format_restore_advice(path: Path) -> str:
    return describe_restore(path) or _(
        "Replace it with a copy from your backup and start again."
    )


def describe_restore(path: Path | None) -> str:
    """Return the newest good backup with the command to restore it, else an intact copy.

    Returns "" if there is neither. `path` is the SQLite file; None means PostgreSQL, which has
    no copies next to it.
    """
    newest = store.find_newest_good(store.list_backups(settings.BACKUP_DIR))
    if newest is not None:
        words = _("The newest good backup is from %(at)s UTC: %(command)s")
        at = f"{newest.created_at:%Y-%m-%d %H:%M}"
        return words % {"at": at, "command": format_command(f"restore {newest.path}")}
    copies = sorted(
        path.parent.glob(f"{path.stem}-*{path.suffix}") if path else (),
        key=lambda each: each.stat().st_mtime,
    )
    sound = [
        copy for copy in copies if not is_database_missing(copy) and not _find_damage(copy)
    ]
    if not sound:
        return ""
    words = _("The newest readable copy is %(copy)s. Replace the file with it.")
    return words % {"copy": sound[-1]}


def find_account_name() -> str:
    """Return the name of the system account that runs the program."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        return str(os.getuid()) if hasattr(os, "getuid") else "?"
