"""Folders in which something large is laid out for a moment, and what dead programs left.

Whoever made one takes it away; a program that is killed cannot. What nothing has been written
into for a day is nobody's work any more.
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

KEPT = timedelta(days=1)
DOING = (
    "archive",
    "arriving",
    "making",
    "proving",
    "putting-back",
    "restoring",
    "sending",
    "trying",
)
"""What is done in them, as they are called: `.arriving-` and eight letters."""


@contextmanager
def work_folder(where: Path, doing: str) -> Iterator[Path]:
    """Make a folder for one of `DOING`, for the program alone; it goes with all in it."""
    if doing not in DOING:
        raise ValueError(doing)
    with tempfile.TemporaryDirectory(dir=where, prefix=f".{doing}-") as work:
        yield Path(work)


def left_behind() -> list[Path]:
    """The folders that lie there for longer than anything is done in one."""
    homes = {Path(settings.DATA_DIR), Path(settings.BACKUP_DIR)}
    homes |= {each for home in homes for each in _inside(home) if each.name[:1] != "."}
    since = time.time() - KEPT.total_seconds()
    found = (each for home in homes for each in _inside(home) if _is_ours(each.name))
    return sorted(each for each in found if _touched(each) < since)


def clear_left_behind() -> None:
    """Take them away; one that cannot be is left for the next time."""
    for path in left_behind():
        log.warning("Taking away what a program that died has left: %s", path)
        shutil.rmtree(path, ignore_errors=True)


def _inside(home: Path) -> list[Path]:
    """The folders in a folder; links are none."""
    with suppress(OSError):
        return [each for each in home.iterdir() if each.is_dir() and not each.is_symlink()]
    return []


def _is_ours(name: str) -> bool:
    doing, _dash, rest = name.removeprefix(".").rpartition("-")
    return name.startswith(".") and doing in DOING and len(rest) == 8


def _touched(folder: Path) -> float:
    """When anything in it was written last."""
    newest = 0.0
    for inner, _folders, names in os.walk(folder):
        for path in (Path(inner), *(Path(inner, name) for name in names)):
            with suppress(OSError):
                newest = max(newest, path.lstat().st_mtime)
    return newest
