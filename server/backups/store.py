"""Where the backups lie, which of them are known to be good, and which go when room is short.

A note beside each file says what it is and how it was proved. So the shelf can be carried on a
stick, and a database that is restored forgets none of it.
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
OLD = timedelta(hours=20)
"""A laptop's backup of yesterday evening is no longer the newest thing it should have."""
TOO_OLD = timedelta(days=8)
"""After this an owner is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is known of a backup besides its name.

    `proof` is "verified" (restored and compared), "listed" (only read through) or "failed",
    with `words` saying why; `tables` were equal.
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
    """A backup on the shelf: its file, when it was made, its size in bytes and its note."""

    path: Path
    at: datetime
    size: int
    note: Note | None

    @property
    def is_good(self) -> bool:
        """Whether it was restored and found equal, or read through where that is all."""
        return self.note is not None and self.note.proof in ("verified", "listed")


def name_for(site: str, at: datetime) -> str:
    """Name a backup by its place and its moment in UTC."""
    return f"overplay-{site or 'laptop'}-{at.astimezone(UTC).strftime(FORM)}{ENDING}"


def free_name(folder: Path, name: str) -> Path:
    """Where a new backup goes: two of one second do not take each other's place."""
    stem, number = name.removesuffix(ENDING), 1
    while (path := folder / name).exists():
        number += 1
        name = f"{stem}-{number}{ENDING}"
    return path


def kept_in(folder: Path) -> list[Kept]:
    """List the backups of a folder, the newest first; other files are left alone."""
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
    except (ValueError, OSError):  # no moment, as somebody has named it; or it has just gone
        return None
    return Kept(path=path, at=at, size=size, note=_note(path))


def _note(path: Path) -> Note | None:
    try:
        return Note(**json.loads(note_of(path).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def note_of(path: Path) -> Path:
    """Where the note of a backup lies."""
    return path.with_name(path.name + NOTE)


def write_note(path: Path, note: Note) -> None:
    """Lay a note beside a backup, whole or not at all."""
    draft = note_of(path).with_name(f"{path.name}.part")
    draft.write_text(json.dumps(asdict(note), ensure_ascii=False, indent=1), "utf-8")
    draft.chmod(0o600)
    draft.replace(note_of(path))


def newest_good(kept: Iterable[Kept]) -> Kept | None:
    """The newest that was proved."""
    return max((each for each in kept if each.is_good), key=lambda each: each.at, default=None)


def to_drop(kept: Sequence[Kept], most: int) -> list[Kept]:
    """Name what may go, the oldest first: by the rule of days, then until it is `most` bytes.

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
    """The last ones, and the newest of each of the last days, weeks and months."""
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
