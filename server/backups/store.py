"""The folder of backups: the list of backups, their notes, and the retention rule.

The note of a backup has the reason for the backup and the result of its verification. Notes are
files instead of rows, so that they are copied with the backups and survive a restore.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from server.work_folders import create_work_folder

BACKUP_SUFFIX = ".backup"
NOTE_SUFFIX = ".note.json"
TIME_FORMAT = "%Y%m%dT%H%M%SZ"
BACKUP_NAME_PATTERN = re.compile(
    r"overplay-(?P<site>[\w.-]+)-(?P<at>\d{8}T\d{6}Z)(?:-\d+)?\.backup"
)
NEWEST_BACKUP_COUNT, DAILY_BACKUP_COUNT, WEEKLY_BACKUP_COUNT, MONTHLY_BACKUP_COUNT = (
    20,
    7,
    5,
    12,
)
"""The number of backups to keep: the newest ones, then one a day, a week and a month."""
MAX_NIGHTLY_BACKUP_AGE = timedelta(hours=20)
"""The nightly backup is due when the newest good backup is older than this."""
BACKUP_WARNING_AGE = timedelta(days=8)
"""Owners see a warning when the newest good backup is older than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupNote:
    """The note of a backup, stored as JSON with these field names.

    `proof` is "verified" (restored and compared), "listed" (only the contents were listed) or
    "failed"; `words` has the reason of a failure. `tables` and `rows` are the numbers of tables
    and rows in the backup, and `sealed` is whether it is encrypted.
    """

    kind: str
    proof: str
    proved_at: str
    tables: int
    rows: int
    sha256: str
    sealed: bool
    words: str = ""  # the reason of a failed verification


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup in the folder: its path, time of creation, size and note."""

    path: Path
    created_at: datetime
    size_bytes: int
    note: BackupNote | None

    @property
    def has_passed_check(self) -> bool:
        """Whether the backup was verified, or at least listed if a test restore is
        impossible.
        """
        return self.note is not None and self.note.proof in ("verified", "listed")


def format_backup_name(site_host: str, created_at: datetime) -> str:
    """Return a backup's file name, from the site's host name and the time in UTC."""
    time_text = created_at.astimezone(UTC).strftime(TIME_FORMAT)
    return f"overplay-{site_host or 'laptop'}-{time_text}{BACKUP_SUFFIX}"


def find_free_path(folder: Path, file_name: str) -> Path:
    """Return an unused path for a backup; a second one in the same second gets a number."""
    stem, copy_number = file_name.removesuffix(BACKUP_SUFFIX), 1
    while (path := folder / file_name).exists():
        copy_number += 1
        file_name = f"{stem}-{copy_number}{BACKUP_SUFFIX}"
    return path


def list_backups(folder: Path) -> list[Backup]:
    """List the backups of a folder, newest first; other files are ignored."""
    if not folder.is_dir():
        return []
    backups = [
        backup for path in folder.iterdir() if (backup := _read_backup(path)) is not None
    ]
    return sorted(
        backups, key=lambda backup: (backup.created_at, backup.path.name), reverse=True
    )


def _read_backup(path: Path) -> Backup | None:
    name_match = BACKUP_NAME_PATTERN.fullmatch(path.name)
    if name_match is None or not path.is_file():
        return None
    try:
        created_at = datetime.strptime(name_match["at"], TIME_FORMAT).replace(tzinfo=UTC)
        size_bytes = path.stat().st_size
    except (ValueError, OSError):  # a user renamed the file, or it has just been deleted
        return None
    return Backup(
        path=path, created_at=created_at, size_bytes=size_bytes, note=_read_note(path)
    )


def _read_note(path: Path) -> BackupNote | None:
    try:
        return BackupNote(**json.loads(build_note_path(path).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def build_note_path(path: Path) -> Path:
    """Return the path of a backup's note."""
    return path.with_name(path.name + NOTE_SUFFIX)


def write_note(path: Path, backup_note: BackupNote) -> None:
    """Write a backup's note in one step."""
    note_text = json.dumps(asdict(backup_note), ensure_ascii=False, indent=1)
    with create_work_folder(path.parent, "making") as work_folder:
        temporary_path = work_folder / "note"
        temporary_path.write_text(note_text, "utf-8")
        temporary_path.chmod(0o600)
        temporary_path.replace(build_note_path(path))


def find_newest_good_backup(backups: Iterable[Backup]) -> Backup | None:
    """Return the newest good backup, or None."""
    return max(
        (backup for backup in backups if backup.has_passed_check),
        key=lambda backup: backup.created_at,
        default=None,
    )


def choose_backups_to_delete(backups: Sequence[Backup], max_bytes: int) -> list[Backup]:
    """Return the backups to delete by the retention rule and the maximum size, oldest first.

    The newest good backup is never deleted.
    """
    kept_paths = _choose_backups_to_keep(backups)
    newest_backup = find_newest_good_backup(backups)
    if newest_backup is not None:
        kept_paths.add(newest_backup.path)
    backups_to_delete = [backup for backup in backups if backup.path not in kept_paths]
    remaining_backups = [backup for backup in backups if backup.path in kept_paths]
    kept_bytes = sum(backup.size_bytes for backup in remaining_backups)
    for backup in sorted(remaining_backups, key=lambda backup: backup.created_at):
        if kept_bytes > max_bytes and backup is not newest_backup:
            backups_to_delete.append(backup)
            kept_bytes -= backup.size_bytes
    return sorted(backups_to_delete, key=lambda backup: backup.created_at)


def _choose_backups_to_keep(backups: Sequence[Backup]) -> set[Path]:
    """Return the newest backups, and the newest of each of the last days, weeks and months."""
    backups_newest_first = sorted(backups, key=lambda backup: backup.created_at, reverse=True)
    kept_paths = {backup.path for backup in backups_newest_first[:NEWEST_BACKUP_COUNT]}
    retention_rules: list[tuple[int, Callable[[datetime], object]]] = [
        (DAILY_BACKUP_COUNT, lambda created_at: created_at.date()),
        (WEEKLY_BACKUP_COUNT, lambda created_at: created_at.isocalendar()[:2]),
        (MONTHLY_BACKUP_COUNT, lambda created_at: (created_at.year, created_at.month)),
    ]
    for kept_count, get_period in retention_rules:
        newest_by_period: dict[object, Path] = {}
        for backup in backups_newest_first:
            newest_by_period.setdefault(get_period(backup.created_at), backup.path)
        kept_paths |= set(list(newest_by_period.values())[:kept_count])
    return kept_paths
