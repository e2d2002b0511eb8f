"""Temporary folders for large files, and removal of those left by crashed programs.

Their maker deletes them, but a killed program cannot. A folder without a change for a day is
deleted.
"""

import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings

log = logging.getLogger(__name__)

MAX_AGE = timedelta(days=1)
KINDS_OF_WORK = (
    "archive",
    "arriving",
    "making",
    "proving",
    "putting-back",
    "restoring",
    "sending",
    "trying",
)
"""The kinds of work; a folder is named by its kind and eight letters: `.arriving-…`."""


@contextmanager
def work_folder(where: Path, doing: str) -> Iterator[Path]:
    """Make a private folder for one of `KINDS_OF_WORK`; at the end it is deleted."""
    if doing not in KINDS_OF_WORK:
        raise ValueError(doing)
    with tempfile.TemporaryDirectory(dir=where, prefix=f".{doing}-") as work:
        yield Path(work)


def abandoned_folders() -> list[Path]:
    """Return folders older than any work takes."""
    homes = {Path(settings.DATA_DIR), Path(settings.BACKUP_DIR)}
    homes |= {each for home in homes for each in _inside(home) if each.name[:1] != "."}
    since = time.time() - MAX_AGE.total_seconds()
    found = (each for home in homes for each in _inside(home) if _is_ours(each.name))
    return sorted(each for each in found if _touched(each) < since)


def delete_abandoned_folders() -> None:
    """Delete these folders; those that cannot be deleted are tried again next time."""
    for path in abandoned_folders():
        log.warning("Taking away what a program that died has left: %s", path)
        shutil.rmtree(path, ignore_errors=True)


def _inside(home: Path) -> list[Path]:
    """Return the folders in a folder; links do not count."""
    with suppress(OSError):
        return [each for each in home.iterdir() if each.is_dir() and not each.is_symlink()]
    return []


def _is_ours(name: str) -> bool:
    doing, _dash, rest = name.removeprefix(".").rpartition("-")
    return name.startswith(".") and doing in KINDS_OF_WORK and len(rest) == 8


def _touched(folder: Path) -> float:
    """Return the time of the last change of anything in a folder."""
    newest = 0.0
    for inner, _folders, names in os.walk(folder):
        for path in (Path(inner), *(Path(inner, name) for name in names)):
            with suppress(OSError):
                newest = max(newest, path.lstat().st_mtime)
    return newest
