"""Temporary folders for large files; the sweep deletes those that crashed programs left.

A program deletes its folders itself, unless it is killed. The sweep deletes a folder that was
not changed for a day.
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
"""The purposes of folders; a folder's name is its purpose and eight random letters."""


@contextmanager
def create_work_folder(parent: Path, kind: str) -> Iterator[Path]:
    """Create a private folder for one of `WORK_KINDS`, and delete it after a `with` block."""
    if kind not in WORK_KINDS:
        raise ValueError(kind)
    with tempfile.TemporaryDirectory(dir=parent, prefix=f".{kind}-") as work_folder:
        yield Path(work_folder)


def list_abandoned_folders() -> list[Path]:
    """Return work folders that were not changed for MAX_FOLDER_AGE."""
    homes = {Path(settings.DATA_DIR), Path(settings.BACKUP_DIR)}
    homes |= {path for home in homes for path in _list_subfolders(home) if path.name[:1] != "."}
    oldest_change = time.time() - MAX_FOLDER_AGE.total_seconds()
    folders = (
        path for home in homes for path in _list_subfolders(home) if _is_work_folder(path.name)
    )
    return sorted(path for path in folders if _find_last_change(path) < oldest_change)


def delete_abandoned_folders() -> None:
    """Delete abandoned folders.

    A folder that cannot be deleted is skipped until the next sweep.
    """
    for path in list_abandoned_folders():
        log.warning("Taking away what a program that died has left: %s", path)
        shutil.rmtree(path, ignore_errors=True)


def _list_subfolders(home: Path) -> list[Path]:
    """Return the folders in a folder, without symbolic links."""
    with suppress(OSError):
        return [path for path in home.iterdir() if path.is_dir() and not path.is_symlink()]
    return []


def _is_work_folder(name: str) -> bool:
    work_kind, _dash, suffix = name.removeprefix(".").rpartition("-")
    return name.startswith(".") and work_kind in WORK_KINDS and len(suffix) == 8


def _find_last_change(folder: Path) -> float:
    """Return the time of the last change of any file in a folder."""
    newest = 0.0
    for subfolder, _folders, names in os.walk(folder):
        for path in (Path(subfolder), *(Path(subfolder, name) for name in names)):
            with suppress(OSError):
                newest = max(newest, path.lstat().st_mtime)
    return newest
