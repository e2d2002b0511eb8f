"""Temporary folders for large files, and deletion of those left by crashed programs.

A program deletes its folders itself, unless it is killed. A folder without a change for a day
is then deleted by the sweep.
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

MAX_FOLDER_AGE = timedelta(days=1)
WORK_KINDS = (
    "archive",
    "arriving",
    "making",
    "proving",
    "putting-back",
    "restoring",
    "sending",
    "trying",
)
"""The kinds of work; a folder is named by its kind and eight random letters: `.arriving-…`."""


@contextmanager
def create_work_folder(parent: Path, kind: str) -> Iterator[Path]:
    """Create a private folder for one of `WORK_KINDS`, and delete it after the block."""
    if kind not in WORK_KINDS:
        raise ValueError(kind)
    with tempfile.TemporaryDirectory(dir=parent, prefix=f".{kind}-") as work:
        yield Path(work)


def list_abandoned_folders() -> list[Path]:
    """Return the work folders that were not changed for MAX_FOLDER_AGE."""
    homes = {Path(settings.DATA_DIR), Path(settings.BACKUP_DIR)}
    homes |= {each for home in homes for each in _list_subfolders(home) if each.name[:1] != "."}
    since = time.time() - MAX_FOLDER_AGE.total_seconds()
    found = (
        each for home in homes for each in _list_subfolders(home) if _is_work_folder(each.name)
    )
    return sorted(each for each in found if _find_last_change(each) < since)


def delete_abandoned_folders() -> None:
    """Delete abandoned folders; one that cannot be deleted is tried again next time."""
    for path in list_abandoned_folders():
        log.warning("Taking away what a program that died has left: %s", path)
        shutil.rmtree(path, ignore_errors=True)


def _list_subfolders(home: Path) -> list[Path]:
    """Return the folders in a folder, without symbolic links."""
    with suppress(OSError):
        return [each for each in home.iterdir() if each.is_dir() and not each.is_symlink()]
    return []


def _is_work_folder(name: str) -> bool:
    doing, _dash, rest = name.removeprefix(".").rpartition("-")
    return name.startswith(".") and doing in WORK_KINDS and len(rest) == 8


def _find_last_change(folder: Path) -> float:
    """Return the time of the last change of any file in a folder."""
    newest = 0.0
    for inner, _folders, names in os.walk(folder):
        for path in (Path(inner), *(Path(inner, name) for name in names)):
            with suppress(OSError):
                newest = max(newest, path.lstat().st_mtime)
    return newest
