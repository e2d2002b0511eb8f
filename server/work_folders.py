"""Temporary folders for large files.

The program deletes its folders after use. The sweep deletes the folders of a killed program,
once they have not changed for a day.
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
FOLDER_PURPOSES = (
    "archive",
    "arriving",
    "making",
    "proving",
    "restoring",
    "sending",
    "trying",
)
"""The purposes of folders; a folder's name is its purpose and eight random letters."""


@contextmanager
def create_work_folder(parent_folder: Path, purpose: str) -> Iterator[Path]:
    """Create a private folder for one of `FOLDER_PURPOSES`, and delete it after a `with` block.

    An error during the deletion is ignored, because the sweep will delete the folder.
    """
    if purpose not in FOLDER_PURPOSES:
        raise ValueError(purpose)
    with tempfile.TemporaryDirectory(
        dir=parent_folder, prefix=f".{purpose}-", ignore_cleanup_errors=True
    ) as work_folder:
        yield Path(work_folder)


def list_abandoned_folders() -> list[Path]:
    """Return work folders that were not changed for MAX_FOLDER_AGE."""
    parent_folders = {Path(settings.DATA_DIR), Path(settings.BACKUP_DIR)}
    parent_folders |= {
        path
        for parent_folder in parent_folders
        for path in _list_subfolders(parent_folder)
        if path.name[:1] != "."
    }
    oldest_change_time = time.time() - MAX_FOLDER_AGE.total_seconds()
    work_folders = (
        path
        for parent_folder in parent_folders
        for path in _list_subfolders(parent_folder)
        if _is_work_folder(path.name)
    )
    return sorted(
        path for path in work_folders if _find_last_change_time(path) < oldest_change_time
    )


def delete_abandoned_folders() -> None:
    """Delete abandoned folders.

    A folder that cannot be deleted is skipped until the next sweep.
    """
    for path in list_abandoned_folders():
        log.warning("Taking away what a program that died has left: %s", path)
        shutil.rmtree(path, ignore_errors=True)


def _list_subfolders(parent_folder: Path) -> list[Path]:
    """Return the folders in a folder, without symbolic links."""
    with suppress(OSError):
        return [
            path for path in parent_folder.iterdir() if path.is_dir() and not path.is_symlink()
        ]
    return []


def _is_work_folder(folder_name: str) -> bool:
    purpose, _dash, suffix = folder_name.removeprefix(".").rpartition("-")
    return folder_name.startswith(".") and purpose in FOLDER_PURPOSES and len(suffix) == 8


def _find_last_change_time(folder: Path) -> float:
    """Return the time of the last change of any file in a folder."""
    last_change_time = 0.0
    for subfolder, _folders, file_names in os.walk(folder):
        for path in (Path(subfolder), *(Path(subfolder, name) for name in file_names)):
            with suppress(OSError):
                last_change_time = max(last_change_time, path.lstat().st_mtime)
    return last_change_time
