"""Folders that a killed program left in the data folder are removed automatically."""

import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as own

from server.jobs import sweep
from server.work_folders import (
    FOLDER_PURPOSES,
    create_work_folder,
    delete_abandoned_folders,
    list_abandoned_folders,
)

LONG_AGO = time.time() - 25 * 3600


@pytest.fixture
def home_folder(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR, settings.BACKUP_DIR = tmp_path / "data", tmp_path / "backups"
    for path in (tmp_path / "data" / "archives", tmp_path / "backups"):
        path.mkdir(parents=True)
    return tmp_path


def create_leftover_folder(
    parent_folder: Path, purpose: str, *, modified_at: float = LONG_AGO
) -> Path:
    """Create a folder as a killed program leaves it, with a file deep inside."""
    with create_work_folder(parent_folder, purpose) as work_folder:
        leftover_folder = work_folder
    inner_folder = leftover_folder / "laid out" / "media"
    inner_folder.mkdir(parents=True)
    (inner_folder / "p.pdf").write_bytes(b"%PDF")
    for path in (inner_folder / "p.pdf", inner_folder, inner_folder.parent, leftover_folder):
        os.utime(path, (modified_at, modified_at))
    return leftover_folder


@pytest.mark.parametrize("doing", FOLDER_PURPOSES)
@pytest.mark.parametrize("where", ["data", "data/archives", "backups"])
def test_only_work_folders_older_than_a_day_are_deleted(
    home_folder: Path, where: str, doing: str
) -> None:
    old_leftover_folder, new_folder = (
        create_leftover_folder(home_folder / where, doing),
        create_leftover_folder(home_folder / where, doing, modified_at=time.time()),
    )
    busy_folder = create_leftover_folder(home_folder / where, doing)
    (busy_folder / "laid out" / "media" / "p.pdf").write_bytes(b"%PDF, and more of it")
    path = home_folder / where / f".{doing}-by-hand-of-somebody"
    path.mkdir()
    os.utime(path, (LONG_AGO, LONG_AGO))
    assert list_abandoned_folders() == [old_leftover_folder]
    delete_abandoned_folders()
    assert not old_leftover_folder.exists()
    assert all(folder.is_dir() for folder in (new_folder, busy_folder, path))


def test_symbolic_link_is_not_followed(home_folder: Path) -> None:
    leftover_folder = create_leftover_folder(home_folder, "making")
    (home_folder / "data" / ".making-abcdefgh").symlink_to(leftover_folder)
    delete_abandoned_folders()
    assert leftover_folder.is_dir()


def test_missing_folder_does_not_stop_sweep(home_folder: Path, settings: Any) -> None:
    settings.DATA_DIR = home_folder / "nowhere"
    delete_abandoned_folders()


@pytest.mark.django_db
def test_each_worker_clears_old_folders_at_start(
    home_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "close_old_connections", lambda: None)
    old_leftover_folder = create_leftover_folder(home_folder / "data", "restoring")
    sweep.Sweep({}).run_once()
    assert not old_leftover_folder.exists()


def test_every_work_folder_name_has_registered_purpose() -> None:
    package_folders = [
        own.BASE_DIR / package_name for package_name in ("server", "clubs", "seasons", "config")
    ]
    texts = {
        path: path.read_text("utf-8") for room in package_folders for path in room.rglob("*.py")
    }
    by_hand = [
        path.name
        for path, package_name in texts.items()
        if re.search(r"TemporaryDirectory\([^)]", package_name)
        and path.name != "work_folders.py"
    ]
    assert by_hand == []
    purpose_pattern = re.compile(r'work_folder\(.+, "(.+)"\)')
    names = {
        name
        for package_name in texts.values()
        for name in purpose_pattern.findall(package_name)
    }
    assert names == set(FOLDER_PURPOSES)
