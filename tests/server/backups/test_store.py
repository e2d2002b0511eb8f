"""Backups are retained by age and by free disk space."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.backups import store
from server.backups.store import Backup, BackupNote

NOW = datetime(2026, 11, 22, 22, tzinfo=UTC)
VERIFIED_NOTE = BackupNote(
    kind="night", proof="verified", proved_at="", tables=50, rows=9, sha256="", sealed=False
)
MAX_BYTES = 10**9


def build_backup(hours: float, *, size_bytes: int = 1000, is_good: bool = True) -> Backup:
    """Return a backup that was made this many hours ago."""
    now = NOW - timedelta(hours=hours)
    note = VERIFIED_NOTE if is_good else None
    return Backup(
        path=Path(store.format_backup_name("", now)),
        created_at=now,
        size_bytes=size_bytes,
        note=note,
    )


def list_ages(backups: list[Backup]) -> list[float]:
    return [(NOW - item.created_at) / timedelta(hours=1) for item in backups]


def test_last_twenty_backups_are_kept_at_any_age() -> None:
    assert (
        store.choose_backups_to_delete([build_backup(hours) for hours in range(20)], MAX_BYTES)
        == []
    )
    assert list_ages(
        store.choose_backups_to_delete(
            [build_backup(hours / 60) for hours in range(22)], MAX_BYTES
        )
    ) == pytest.approx([21 / 60, 20 / 60])


def test_older_backups_are_kept_daily_weekly_and_monthly() -> None:
    nightly_backups = [build_backup(24 * day) for day in range(400)]
    kept_days = {round(age / 24) for age in list_ages(nightly_backups)} - {
        round(age / 24)
        for age in list_ages(store.choose_backups_to_delete(nightly_backups, MAX_BYTES))
    }
    assert set(range(20)) <= kept_days
    assert (
        len(kept_days) == 20 + 2 + 11
    )  # weeks 4 and 5 and eleven months are older than the last
    assert max(kept_days) > 320


def test_full_disk_deletes_oldest_backups_but_never_newest_valid_one() -> None:
    backups = [build_backup(hours, size_bytes=400) for hours in range(5)]
    assert list_ages(store.choose_backups_to_delete(backups, 1000)) == [4, 3, 2]
    assert list_ages(
        store.choose_backups_to_delete([build_backup(1, is_good=False), build_backup(5)], 10)
    ) == [1]
    assert (
        list_ages(store.choose_backups_to_delete([build_backup(0, size_bytes=5000)], 10)) == []
    )


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(0, 9000), st.integers(1, 900), st.booleans()), max_size=60)
)
def test_retained_backups_fit_size_limit_and_include_newest_valid_one(
    rows: list[tuple[int, int, bool]],
) -> None:
    backups_by_hours = {
        hours: build_backup(hours, size_bytes=size, is_good=good) for hours, size, good in rows
    }
    backups = list(backups_by_hours.values())
    backups_to_delete = store.choose_backups_to_delete(backups, 2000)
    left = [item for item in backups if item not in backups_to_delete]
    newest_good_backup = store.find_newest_good_backup(backups)
    assert newest_good_backup is None or newest_good_backup in left
    assert sum(item.size_bytes for item in left) <= 2000 or left == [newest_good_backup]
    assert len({item.path for item in backups_to_delete}) == len(backups_to_delete)


def test_folder_is_listed_newest_first_and_other_files_are_ignored(tmp_path: Path) -> None:
    for name in (
        "overplay-laptop-20261120T200000Z.backup",
        "overplay-whist.example.org-20261121T200000Z.backup",
        "overplay-laptop-20261120T200000Z-2.backup",
        "overplay.sqlite3",
        "letter.backup",
    ):
        (tmp_path / name).write_bytes(b"x" * 7)
    store.write_note(tmp_path / "overplay-laptop-20261120T200000Z.backup", VERIFIED_NOTE)
    backups = store.list_backups(tmp_path)
    assert [item.path.name for item in backups] == [
        "overplay-whist.example.org-20261121T200000Z.backup",
        "overplay-laptop-20261120T200000Z.backup",
        "overplay-laptop-20261120T200000Z-2.backup",
    ]
    assert [item.has_passed_check for item in backups] == [False, True, False]
    assert store.list_backups(tmp_path / "nowhere") == []
    assert store.find_free_path(tmp_path, backups[1].path.name).name.endswith("Z-3.backup")


def test_file_without_timestamp_or_deleted_during_listing_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for month in ("13", "11", "10"):
        (tmp_path / f"overplay-laptop-2026{month}22T220000Z.backup").write_bytes(b"x")
    original_is_file = Path.is_file

    def check_and_delete_file(path: Path) -> bool:
        is_present = original_is_file(path)
        if "202610" in path.name:
            path.unlink()  # as the sweep of another process does
        return is_present

    monkeypatch.setattr(Path, "is_file", check_and_delete_file)
    [actual] = store.list_backups(tmp_path)
    assert actual.created_at == NOW
