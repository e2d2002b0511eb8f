"""The folder of backups: which are good, and which are deleted when space is short.

A note next to each file has its kind and how it was verified, so the folder can be copied to a
stick, and restoring a database loses no note.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

ENDING = ".backup"
NOTE = ".note.json"
FORM = "%Y%m%dT%H%M%SZ"
NAME = re.compile(r"overplay-(?P<site>[\w.-]+)-(?P<at>\d{8}T\d{6}Z)(?:-\d+)?\.backup")
BY_SESSION, DAILY, WEEKLY, MONTHLY = 20, 7, 5, 12
"""How many are kept: the last ones whatever made them, then one a day, a week and a month."""
MAX_NIGHTLY_AGE = timedelta(hours=20)
"""A laptop's newest backup should not be older than this."""
WARNING_AGE = timedelta(days=8)
"""After this age owners see a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The note of a backup.

    `proof` is "verified" (restored and compared), "listed" (only listed) or "failed", with the
    reason in `words`; `tables` is the number of equal tables.
    """

    kind: str
    proof: str
    proved_at: str
    tables: int
    rows: int
    sha256: str
    sealed: bool
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A backup in the folder: its file, time, size in bytes and note."""

    path: Path
    at: datetime
    size: int
    note: Note | None

    @property
    def is_good(self) -> bool:
        """Whether it was verified, or listed where no more is possible."""
        return self.note is not None and self.note.proof in ("verified", "listed")


def name_for(site: str, at: datetime) -> str:
    """Return a backup's file name: its installation and its time in UTC."""
    return f"overplay-{site or 'laptop'}-{at.astimezone(UTC).strftime(FORM)}{ENDING}"


def free_name(folder: Path, name: str) -> Path:
    """Return the path of a new backup; two in one second get different names."""
    stem, number = name.removesuffix(ENDING), 1
    while (path := folder / name).exists():
        number += 1
        name = f"{stem}-{number}{ENDING}"
    return path


def list_backups(folder: Path) -> list[Kept]:
    """List the backups of a folder, newest first; other files are ignored."""
    if not folder.is_dir():
        return []
    found = [kept for path in folder.iterdir() if (kept := _kept(path)) is not None]
    return sorted(found, key=lambda kept: (kept.at, kept.path.name), reverse=True)


def _kept(path: Path) -> Kept | None:
    named = NAME.fullmatch(path.name)
    if named is None or not path.is_file():
        return None
    try:
        at = datetime.strptime(named["at"], FORM).replace(tzinfo=UTC)
        size = path.stat().st_size
    except (ValueError, OSError):  # renamed by a user, or just deleted
        return None
    return Kept(path=path, at=at, size=size, note=_note(path))


def _note(path: Path) -> Note | None:
    try:
        return Note(**json.loads(note_of(path).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def note_of(path: Path) -> Path:
    """Return the path of a backup's note."""
    return path.with_name(path.name + NOTE)


def write_note(path: Path, note: Note) -> None:
    """Write a backup's note, atomically."""
    draft = note_of(path).with_name(f"{path.name}.part")
    draft.write_text(json.dumps(asdict(note), ensure_ascii=False, indent=1), "utf-8")
    draft.chmod(0o600)
    draft.replace(note_of(path))


def newest_good(kept: Iterable[Kept]) -> Kept | None:
    """Return the newest good backup, or None."""
    return max((each for each in kept if each.is_good), key=lambda each: each.at, default=None)


def backups_to_delete(kept: Sequence[Kept], most: int) -> list[Kept]:
    """Return the backups to delete, oldest first: by age, then down to `most` bytes.

    The newest good one stays whatever its size.
    """
    stays = _by_rule(kept)
    newest = newest_good(kept)
    if newest is not None:
        stays.add(newest.path)
    going = [each for each in kept if each.path not in stays]
    left = [each for each in kept if each.path in stays]
    size = sum(each.size for each in left)
    for each in sorted(left, key=lambda each: each.at):
        if size > most and each is not newest:
            going.append(each)
            size -= each.size
    return sorted(going, key=lambda each: each.at)


def _by_rule(kept: Sequence[Kept]) -> set[Path]:
    """Return the last ones, and the newest of each of the last days, weeks and months."""
    newest_first = sorted(kept, key=lambda each: each.at, reverse=True)
    stays = {each.path for each in newest_first[:BY_SESSION]}
    spans: list[tuple[int, Callable[[datetime], object]]] = [
        (DAILY, lambda at: at.date()),
        (WEEKLY, lambda at: at.isocalendar()[:2]),
        (MONTHLY, lambda at: (at.year, at.month)),
    ]
    for many, span in spans:
        firsts: dict[object, Path] = {}
        for each in newest_first:
            firsts.setdefault(span(each.at), each.path)
        stays |= set(list(firsts.values())[:many])
    return stays
