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
def home(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR, settings.BACKUP_DIR = tmp_path / "data", tmp_path / "backups"
    for path in (tmp_path / "data" / "archives", tmp_path / "backups"):
        path.mkdir(parents=True)
    return tmp_path


def create_leftover_folder(where: Path, doing: str, *, at: float = LONG_AGO) -> Path:
    """Create a folder as a killed program leaves it, with a file deep inside."""
    with create_work_folder(where, doing) as work:
        new_work = work
    inner = new_work / "laid out" / "media"
    inner.mkdir(parents=True)
    (inner / "p.pdf").write_bytes(b"%PDF")
    for path in (inner / "p.pdf", inner, inner.parent, new_work):
        os.utime(path, (at, at))
    return new_work


@pytest.mark.parametrize("doing", FOLDER_PURPOSES)
@pytest.mark.parametrize("where", ["data", "data/archives", "backups"])
def test_only_work_folders_older_than_a_day_are_deleted(
    home: Path, where: str, doing: str
) -> None:
    old_leftover_folder, new = (
        create_leftover_folder(home / where, doing),
        create_leftover_folder(home / where, doing, at=time.time()),
    )
    busy = create_leftover_folder(home / where, doing)
    (busy / "laid out" / "media" / "p.pdf").write_bytes(b"%PDF, and more of it")
    path = home / where / f".{doing}-by-hand-of-somebody"
    path.mkdir()
    os.utime(path, (LONG_AGO, LONG_AGO))
    assert list_abandoned_folders() == [old_leftover_folder]
    delete_abandoned_folders()
    assert not old_leftover_folder.exists()
    assert all(item.is_dir() for item in (new, busy, path))


def test_symbolic_link_is_not_followed(home: Path) -> None:
    leftover_folder = create_leftover_folder(home, "making")
    (home / "data" / ".making-abcdefgh").symlink_to(leftover_folder)
    delete_abandoned_folders()
    assert leftover_folder.is_dir()


def test_missing_folder_does_not_stop_sweep(home: Path, settings: Any) -> None:
    settings.DATA_DIR = home / "nowhere"
    delete_abandoned_folders()


@pytest.mark.django_db
def test_each_worker_clears_old_folders_at_start(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "close_old_connections", lambda: None)
    old_leftover_folder = create_leftover_folder(home / "data", "restoring")
    sweep.Sweep({}).run_once()
    assert not old_leftover_folder.exists()


def test_every_work_folder_has_a_registered_kind() -> None:
    rooms = [own.BASE_DIR / text for text in ("server", "clubs", "seasons", "config")]
    texts = {path: path.read_text("utf-8") for room in rooms for path in room.rglob("*.py")}
    by_hand = [
        path.name
        for path, text in texts.items()
        if re.search(r"TemporaryDirectory\([^)]", text) and path.name != "work_folders.py"
    ]
    assert by_hand == []
    asks = re.compile(r'work_folder\(.+, "(.+)"\)')
    names = {name for text in texts.values() for name in asks.findall(text)}
    assert names == set(FOLDER_PURPOSES)
