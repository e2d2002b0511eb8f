"""Whether the data can be used at all, asked before the program opens its door."""

import getpass
import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from server.backups import shelf

HEADER = b"SQLite format 3\0"
PATIENCE = 10.0
"""Seconds that this waits for another program that holds the file."""


class Unusable(Exception):
    """The data cannot be used; the text says which file or folder it is, and the cure."""


def check(folder: Path, database: dict[str, Any]) -> None:
    """Raise Unusable for a folder that cannot be written, or a damaged file of SQLite.

    Files that others of this machine could read are shut to them.
    """
    _check_folder(folder)
    _shut(folder)
    if "sqlite" in str(database["ENGINE"]):
        _check_file(Path(database["NAME"]))


def _shut(folder: Path) -> None:
    """Take from other accounts of this machine what a version before 1.1 left readable."""
    kept = [folder / "secret_key", *folder.glob("overplay*.sqlite3*")]
    for file in kept:
        with suppress(OSError):
            file.chmod(file.stat().st_mode & ~0o077)


def _check_folder(folder: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Unusable(
            _(
                "%(account)s may not write in the folder %(folder)s (%(why)s). Allow it, or "
                "name another folder: DATA_DIR=another-folder. Nothing was changed."
            )
            % {"account": account(), "folder": folder, "why": error.strerror}
        ) from error


def _check_file(path: Path) -> None:
    if not path.exists() or path.stat().st_size == 0:
        return
    if not os.access(path, os.W_OK):
        raise Unusable(
            _("%(account)s may not write to the file %(file)s. Give it the right to.")
            % {"account": account(), "file": path}
        )
    if why := _damage(path):
        raise Unusable(f"{_damaged_words(path, why)} {_way_back(path)}")


def _damage(path: Path) -> str:
    """Say what is wrong inside a file; empty where SQLite can read all of it."""
    with path.open("rb") as file:
        if file.read(len(HEADER)) != HEADER:
            return _("it is not a database")
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as line:
            found = line.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
        ):
            return ""  # somebody works with it, so it can be read
        return str(error)
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == "ok" else str(found)[:100]


def _damaged_words(path: Path, why: str) -> str:
    words = _("The file %(file)s is damaged (%(why)s), and was left as it is.")
    return words % {"file": path, "why": why}


def _way_back(path: Path) -> str:
    """Name the newest proved backup and the command that restores it, else a sound copy."""
    newest = shelf.newest_good(shelf.kept_in(settings.BACKUP_DIR))
    if newest is not None:
        words = _(
            "The newest good backup is of %(at)s UTC: python manage.py restore %(backup)s"
        )
        return words % {"at": f"{newest.at:%Y-%m-%d %H:%M}", "backup": newest.path}
    copies = sorted(
        path.parent.glob(f"{path.stem}-*{path.suffix}"), key=lambda each: each.stat().st_mtime
    )
    sound = [copy for copy in copies if not _damage(copy)]
    if not sound:
        return _("Put a copy of it in its place, from your backup, and start again.")
    words = _("The newest copy that can be read is %(copy)s: put it in the place of the file.")
    return words % {"copy": sound[-1]}


def account() -> str:
    """The account of this computer that the program runs under."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account that has no name
        return str(os.getuid()) if hasattr(os, "getuid") else "?"
